/** Reads the previous state of a run, by --state, --base-ref and --live, and the deletions that --base-ref adds. */
import { type FilesViewOptions, type InputObject, readState, type SourcesOptions } from '../../cluster/files/index.ts';
import { type CheckError, errorOf } from '../output/report.ts';
import { type Live, readStored, withNamespace } from './live.ts';

export interface StateRequest {
  /** What to check; `-` is standard input. */
  readonly paths: readonly string[];
  readonly deleted: readonly string[];
  /** The files of the previous state; undefined if it is not known. */
  readonly state: readonly string[] | undefined;
  /** The git revision that the paths are compared with. */
  readonly baseRef?: string | undefined;
  /** The cluster with the previous state; not together with `state`. */
  readonly live?: Live | undefined;
  /** Called at most once: `-` is named only once. */
  readonly stdin: () => Promise<Uint8Array>;
  /** Called with the progress of reading. */
  readonly reading?: SourcesOptions['reading'];
}

/** What was read from the paths of the run. */
export interface Input {
  readonly documents: readonly InputObject[];
  readonly deletions: readonly InputObject[];
  /** Of the documents. */
  readonly errors: readonly CheckError[];
}

/** Documents, deletions and the state before them. */
export interface PreviousState extends Input {
  /** Options of the view, except the kinds of the documents. */
  readonly view: FilesViewOptions;
  /** Of the state, not of the documents. */
  readonly errors: readonly CheckError[];
  readonly notes: readonly string[];
}

/** Reads it. `--base-ref` always adds deletions; it is the previous state only without `--state` and `--live`. */
export async function readPreviousState(request: StateRequest, input: Input): Promise<PreviousState> {
  const { baseRef, live, state } = request;
  const base = baseRef === undefined ? undefined : await readBase(request, baseRef, input);
  const deletions = [...input.deletions, ...(base?.deletions ?? [])];
  const { errors = [], notes = [] } = base ?? {};
  if (live) {
    const [documents, deleted] = [withNamespace(live, input.documents), withNamespace(live, deletions)];
    const stored = await readStored(live, [...documents, ...deleted]);
    return { view: { state: stored, behind: live.reader }, documents, deletions: deleted, errors, notes };
  }
  const all = { documents: input.documents, deletions, notes };
  if (state || base === undefined) {
    const read = state && (await readState(state, request));
    const view = { state: read?.objects, incomplete: (read?.errors.length ?? 0) > 0 };
    return { ...all, view, errors: [...(read?.errors ?? []).map(errorOf), ...errors] };
  }
  // An empty base does not prove that nothing else exists.
  const known = base.state.length > 0 ? base.state : undefined;
  return { ...all, view: { state: known, incomplete: base.incomplete, from: `--base-ref ${baseRef}` }, errors };
}

/** Only a run with `--base-ref` loads the code that calls git. */
async function readBase(request: StateRequest, ref: string, { documents, deletions, errors }: Input) {
  const { readRevision } = await import('./git/revision.ts');
  const unreadable = new Set(errors.map(({ file }) => file));
  const otherPaths = [...request.deleted, ...(request.state ?? [])];
  return readRevision({ ref, paths: request.paths, otherPaths, documents, deletions, unreadable });
}
