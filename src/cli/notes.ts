/**
 * Makes the notes on what `check` and `scan` read and do not evaluate and on changes that they can't find, the list of
 * `--verbose`, and warnings about types that look misspelled.
 */
import { dialectOf, dialects, mistakenGroups } from '../api/dialects.ts';
import { nearest } from '../base/suggest.ts';
import { firstOf, quoted, shellQuoted } from '../base/text.ts';
import type { SourceFolder } from '../input/layouts/layout.ts';
import { withCluster } from '../input/objects.ts';
import type { PlacedMessage } from '../input/place.ts';
import type { Skipped, SourcesOptions } from '../input/sources.ts';
import type { Note } from '../report/report.ts';
import { noteLine } from '../report/text.ts';

type CallbackName = 'onSkipped' | 'onNotWalked' | 'onUnrendered' | 'onUnevaluated';
type SkipCallbacks = { readonly [Name in CallbackName]: NonNullable<SourcesOptions[Name]> };

/** The callbacks of the reader that collect what is skipped, and what follows from it. */
export interface SkipLog extends SkipCallbacks {
  /** Returns the notes about files and folders, with their places. */
  placedNotes(): Note[];
  /** Returns warnings about types that look misspelled, of what was read since the last call. */
  takeWarnings(): PlacedMessage[];
}

/** How `muster check` evaluates what renders a chart or a kustomization. */
const INTO_CHECK = 'muster check -, or --render';

/**
 * Collects what a run skips.
 * @param list called with a line for each that is skipped; undefined without `--verbose`
 * @param into what the note on a chart or kustomization that is not rendered pipes it into
 */
export function createSkipLog(list: ((line: string) => void) | undefined, into: string = INTO_CHECK): SkipLog {
  const folders = new Map<string, PlacedMessage>();
  const misspelled: PlacedMessage[] = [];
  const parts: Note[] = [];
  return {
    onSkipped(skipped) {
      list?.(skippedLine(skipped));
      const warning = misspelledKind(skipped);
      if (warning) misspelled.push(warning);
    },
    // Not counted as skipped: how many files such a folder holds is not known.
    onNotWalked: (folder) => list?.(skippedLine(folder)),
    onUnrendered(folder) {
      const { cluster, type, path, name } = folder;
      const note = { file: name, line: 1, column: 1, message: noteOf(folder, into) };
      folders.set(`${type} ${path} ${note.message} ${cluster}`, withCluster(cluster, note));
    },
    onUnevaluated(part) {
      const message = `not evaluated, though it may hold objects of muster's kinds: ${part.message}`;
      parts.push({ ...part, message, unevaluated: true });
    },
    placedNotes: () => [...folders.values(), ...parts],
    takeWarnings: () => misspelled.splice(0),
  };
}

/**
 * The most notes of a kind: a long list would hide the findings. Charts and kustomizations are often many alike, such
 * as the overlays of one base.
 */
const MOST_FOLDERS = 3;
const MOST_PARTS = 20;

/** Returns the lines of the notes of a run: the first, and how many more there are; with `--verbose` all. */
export function noteLines(notes: readonly Note[], isVerbose: boolean): readonly string[] {
  const parts = notes.filter(({ unevaluated }) => unevaluated);
  const folders = notes.filter(({ unevaluated }) => !unevaluated);
  // A chart that several clusters have is noted once.
  const ofFolders = [...new Set(folders.map(({ file, message }) => `${file}: note: ${message}`))];
  const ofParts = parts.map(noteLine);
  const limited = (lines: readonly string[], most: number, what: string) => {
    const rest = isVerbose ? 0 : lines.length - most;
    return rest <= 0 ? lines : [...lines.slice(0, most), `note: ${rest} more ${what} (-v lists them)`];
  };
  return [
    ...limited(ofFolders, MOST_FOLDERS, 'charts and kustomizations were not rendered'),
    ...limited(ofParts, MOST_PARTS, 'parts were not evaluated'),
  ];
}

/** Returns what a folder is, and the command that renders it. */
function noteOf({ type, name, release }: SourceFolder, into: string): string {
  const folder = shellQuoted(name.startsWith('-') ? `./${name}` : name);
  if (type === 'library') return 'a library chart: check the charts that use it';
  const { namespace, values = [] } = release ?? {};
  const options = [
    ...values.map((file) => ` --values ${shellQuoted(file.name)}`),
    ...(namespace === undefined ? [] : [` --namespace ${namespace}`]),
  ].join('');
  const command = type === 'chart' ? `helm template --include-crds ${folder}${options}` : `kustomize build ${folder}`;
  const what = { chart: 'a Helm chart', kustomization: 'a kustomization', component: 'a component' }[type];
  return `${what}, not rendered: ${command} | ${into}`;
}

/** Returns `file:line:column: note: skipped: reason`. */
function skippedLine({ file, line, column, message, apiVersion, kind }: Skipped): string {
  const type = kind === undefined ? '' : `${quoted(kind)} (${quoted(apiVersion)}): `;
  return `${file}:${line}:${column}: note: skipped: ${type}${message}`;
}

/** Returns a warning if an object that is skipped has a type like one that is evaluated. */
function misspelledKind({ apiVersion = '', kind, ...skipped }: Skipped): PlacedMessage | undefined {
  const [group = ''] = apiVersion.split('/');
  const known = dialects.filter((dialect) => dialect.group === group).map((dialect) => dialect.kind);
  const meant = mistakenGroups.get(group);
  if (kind !== undefined && meant !== undefined && dialectOf(meant, kind))
    return { ...skipped, message: `there is no group ${group}; did you mean "${meant}"?` };
  if (kind === undefined || known.length === 0) return undefined;
  // If all kinds of a group are evaluated, any other kind is wrong.
  const near = nearest(kind, known) ?? (COMPLETE.has(group) ? known[0] : undefined);
  if (near === undefined) return undefined;
  if (near === kind) {
    const example = dialects.find((dialect) => dialect.group === group && dialect.kind === kind);
    const expected = `${group}/${example?.versions.at(-1)}`;
    return { ...skipped, message: `apiVersion must be a group and a version, such as ${expected}` };
  }
  return { ...skipped, message: `${group} has no kind "${quoted(kind)}"; did you mean "${near}"?` };
}

/** Groups of which all kinds are evaluated. */
const COMPLETE = new Set(['about.k8s.io', 'features.x-k8s.io']);

/** The most files that a note names. */
const MOST_FILES = 3;

/** Returns a note on files that lie in no cluster, if there are any. */
export function outsideNotes(outside: readonly string[]): readonly string[] {
  if (outside.length === 0) return [];
  const files =
    outside.length === 1 ? '1 file is in no cluster and is' : `${outside.length} files are in no cluster and are`;
  return [`note: ${files} skipped: ${firstOf(outside, MOST_FILES)}`];
}

/** Returns the note of a run that found no object and no error. */
export function nothingEvaluated(skipped: number): string {
  const rest = skipped > 0 ? ` (${skipped} skipped; -v lists them)` : '';
  return `note: nothing was evaluated: no object of a kind that muster has rules for${rest}`;
}

/** The error of `--fail-on-no-match`. */
export const NO_MATCH = 'nothing of a kind that muster evaluates was found (--fail-on-no-match)';

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
    return errors > 0 ? [] : [nothingEvaluated(skipped)];
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
