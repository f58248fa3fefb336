/** What a check does not evaluate: the notes on it, the list of `--verbose`, and warnings where a type looks misspelled. */
import { dialects } from '../../api/dialects.ts';
import type { Skipped, SourceFolder, SourcesOptions } from '../../cluster/files/index.ts';
import { nearest } from '../../config/suggest.ts';
import { plain, quoted } from '../../engine/text.ts';
import { type CheckError, errorOf } from '../output/report.ts';
import { shellQuoted } from '../shared.ts';

export interface SkipLog extends Required<Pick<SourcesOptions, 'skipping' | 'notWalked' | 'unrendered'>> {
  /** Returns what is worth a note, once everything is read. */
  notes(): string[];
  /** Returns warnings about types that look misspelled, once everything is read. */
  warnings(): CheckError[];
}

/**
 * Collects what a run skips.
 * @param list called with a line for each that is skipped; undefined without `--verbose`
 */
export function createSkipLog(list: ((line: string) => void) | undefined): SkipLog {
  const folders = new Map<string, SourceFolder>();
  const misspelled: CheckError[] = [];
  return {
    skipping(skipped) {
      list?.(skippedLine(skipped));
      const warning = misspelledKind(skipped);
      if (warning) misspelled.push(warning);
    },
    // Nobody counts the files of folders that are not walked.
    notWalked: (folder) => list?.(skippedLine(folder)),
    unrendered: (folder) => void folders.set(`${folder.type} ${folder.path}`, folder),
    notes: () => folderNotes([...folders.values()], list !== undefined),
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

function noteOf({ type, name }: SourceFolder): string {
  const folder = shellQuoted(name.startsWith('-') ? `./${name}` : name);
  if (type === 'library') return 'a library chart: check the charts that use it';
  if (type === 'component') return 'a component: check the kustomizations that list it';
  const [what, command] =
    type === 'chart' ? ['a Helm chart', `helm template ${folder}`] : ['a kustomization', `kustomize build ${folder}`];
  return `${what}, not rendered: ${command} | muster check -, or --render`;
}

/** Returns `file:line:column: note: skipped: reason`. */
function skippedLine({ source, line, column, message, apiVersion, kind }: Skipped): string {
  const type = kind === undefined ? '' : `${quoted(kind)} (${quoted(apiVersion)}): `;
  return plain(`${source}:${line}:${column}: note: skipped: ${type}${message}`);
}

/** Returns a warning if an object that is skipped has a type like one that is evaluated. */
function misspelledKind({ apiVersion = '', kind, ...skipped }: Skipped): CheckError | undefined {
  const [group = ''] = apiVersion.split('/');
  const known = dialects.filter((dialect) => dialect.group === group).map((dialect) => dialect.kind);
  if (kind === undefined || known.length === 0) return undefined;
  // Where all kinds of a group are evaluated, any other is wrong.
  const near = nearest(kind, known) ?? (COMPLETE.has(group) ? known[0] : undefined);
  if (near === undefined) return undefined;
  return errorOf({ ...skipped, message: `${group} has no kind "${quoted(kind)}"; did you mean "${near}"?` });
}

const COMPLETE = new Set(['about.k8s.io', 'features.x-k8s.io']);
