/**
 * Notes on objects that a check does not evaluate and changes that it can't find, the list of `--verbose`, and warnings
 * about types that look misspelled.
 */
import { dialects } from '../../api/dialects.ts';
import { nearest } from '../../base/suggest.ts';
import { plain, quoted, shellQuoted } from '../../base/text.ts';
import type { SourceError } from '../../documents/index.ts';
import type { SourceFolder } from '../../input/layouts/layout.ts';
import { errorOf, type PlacedMessage } from '../../input/place.ts';
import type { Skipped, SourcesOptions } from '../../input/sources.ts';
import { NOTHING_EVALUATED } from '../shared.ts';

type Told = 'skipping' | 'notWalked' | 'unrendered' | 'unevaluated';

/** What is told is never undefined. */
type Telling = { readonly [what in Told]: NonNullable<SourcesOptions[what]> };

export interface SkipLog extends Telling {
  /** Returns what is worth a note, once everything is read. */
  notes(): string[];
  /** Returns those of the notes that are about a file or folder, at their place. */
  placedNotes(): PlacedMessage[];
  /** Returns how many parts that name a kind of muster were not evaluated so far. */
  unevaluatedCount(): number;
  /** Returns warnings about types that look misspelled, once everything is read. */
  warnings(): PlacedMessage[];
}

/**
 * Collects what a run skips.
 * @param list called with a line for each that is skipped; undefined without `--verbose`
 */
export function createSkipLog(list: ((line: string) => void) | undefined): SkipLog {
  const folders = new Map<string, SourceFolder>();
  const misspelled: PlacedMessage[] = [];
  const unevaluated: SourceError[] = [];
  return {
    skipping(skipped) {
      list?.(skippedLine(skipped));
      const warning = misspelledKind(skipped);
      if (warning) misspelled.push(warning);
    },
    // Nobody counts the files of folders that are not walked.
    notWalked: (folder) => list?.(skippedLine(folder)),
    unrendered: (folder) => void folders.set(`${folder.type} ${folder.path} ${noteOf(folder)}`, folder),
    unevaluated: (part) => void unevaluated.push(part),
    placedNotes: () => [
      ...[...folders.values()].map((folder) => ({ file: folder.name, line: 1, column: 1, message: noteOf(folder) })),
      ...unevaluated.map((part) => errorOf({ ...part, message: unevaluatedNote(part) })),
    ],
    unevaluatedCount: () => unevaluated.length,
    notes: () => {
      const isVerbose = list !== undefined;
      return [...folderNotes([...folders.values()], isVerbose), ...partNotes(unevaluated, isVerbose)];
    },
    warnings: () => misspelled,
  };
}

/** A long list of folders would hide the findings. */
const MOST_NOTES = 20;

/** Returns a note for each folder that has to be rendered, with the command that renders it. */
function folderNotes(folders: readonly SourceFolder[], isVerbose: boolean): string[] {
  const shown = isVerbose ? folders : folders.slice(0, MOST_NOTES);
  const notes = shown.map((folder) => plain(`${folder.name}: note: ${noteOf(folder)}`));
  const rest = folders.length - shown.length;
  return rest === 0
    ? notes
    : [...notes, `note: ${rest} more charts and kustomizations were not rendered (-v lists them)`];
}

/** Returns a note for each part that is not evaluated, though it names a kind of muster. */
function partNotes(parts: readonly SourceError[], isVerbose: boolean): string[] {
  const shown = isVerbose ? parts : parts.slice(0, MOST_NOTES);
  const notes = shown.map((part) =>
    plain(`${part.source}:${part.line}:${part.column}: note: ${unevaluatedNote(part)}`),
  );
  const rest = parts.length - shown.length;
  return rest === 0 ? notes : [...notes, `note: ${rest} more parts were not evaluated (-v lists them)`];
}

function unevaluatedNote({ message }: SourceError): string {
  return `not evaluated, though it may hold objects of muster's kinds: ${message}`;
}

function noteOf({ type, name, release }: SourceFolder): string {
  const folder = shellQuoted(name.startsWith('-') ? `./${name}` : name);
  if (type === 'library') return 'a library chart: check the charts that use it';
  const { namespace, values = [] } = release ?? {};
  const options = [
    ...values.map((file) => ` --values ${shellQuoted(file.name)}`),
    ...(namespace === undefined ? [] : [` --namespace ${namespace}`]),
  ].join('');
  const command = type === 'chart' ? `helm template ${folder}${options}` : `kustomize build ${folder}`;
  const what = { chart: 'a Helm chart', kustomization: 'a kustomization', component: 'a component' }[type];
  return `${what}, not rendered: ${command} | muster check -, or --render`;
}

/** Returns `file:line:column: note: skipped: reason`. */
function skippedLine({ source, line, column, message, apiVersion, kind }: Skipped): string {
  const type = kind === undefined ? '' : `${quoted(kind)} (${quoted(apiVersion)}): `;
  return plain(`${source}:${line}:${column}: note: skipped: ${type}${message}`);
}

/** Returns a warning if an object that is skipped has a type like one that is evaluated. */
function misspelledKind({ apiVersion = '', kind, ...skipped }: Skipped): PlacedMessage | undefined {
  const [group = ''] = apiVersion.split('/');
  const known = dialects.filter((dialect) => dialect.group === group).map((dialect) => dialect.kind);
  if (kind === undefined || known.length === 0) return undefined;
  // Where all kinds of a group are evaluated, any other is wrong.
  const near = nearest(kind, known) ?? (COMPLETE.has(group) ? known[0] : undefined);
  if (near === undefined) return undefined;
  if (near === kind) {
    const example = dialects.find((dialect) => dialect.group === group && dialect.kind === kind);
    const expected = `${group}/${example?.versions.at(-1)}`;
    return errorOf({ ...skipped, message: `apiVersion must be a group and a version, such as ${expected}` });
  }
  return errorOf({ ...skipped, message: `${group} has no kind "${quoted(kind)}"; did you mean "${near}"?` });
}

const COMPLETE = new Set(['about.k8s.io', 'features.x-k8s.io']);

interface RunCounts {
  readonly evaluated: number;
  readonly errors: number;
  readonly skipped: number;
  /** The number of clusters, and those without a previous state that have objects with rules on changes. */
  readonly clusters: number;
  readonly withoutState: readonly string[];
}

/**
 * Returns a note if the check can't find changes, because it has no previous state, or if it found no object. An error
 * says by itself why nothing was evaluated.
 */
export function limitNotes({ evaluated, errors, skipped, clusters, withoutState }: RunCounts): readonly string[] {
  if (evaluated === 0) {
    const rest = skipped > 0 ? ` (${skipped} skipped; -v lists them)` : '';
    return errors > 0 ? [] : [`${NOTHING_EVALUATED}${rest}`];
  }
  if (withoutState.length === 0) return [];
  const where = withoutState.length === clusters ? '' : ` of ${listed(withoutState)}`;
  const fix = 'Compare with --base-ref REF (git), --state PATH (files) or --live (a cluster)';
  return [
    `note: every object${where} counts as new, since no previous state was given: a changed id, for example, is ` +
      `not found. ${fix}`,
  ];
}

/** The most names in a line. */
const MOST_NAMED = 5;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED).map((name) => `"${name}"`);
  const rest = names.length - shown.length;
  return rest > 0 ? `${shown.join(', ')} and ${rest} more clusters` : shown.join(', ');
}
