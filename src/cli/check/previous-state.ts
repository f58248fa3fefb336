/** Reads the previous state of a run, by --state, --base-ref and --live, and the deletions that --base-ref adds. */
import { type FilesViewOptions, type InputObject, readState, type SourcesOptions } from '../../cluster/files/index.ts';
import { type CheckError, errorOf } from '../output/report.ts';
import type { Live } from './live.ts';

/** What a run reads; `-` in its paths is standard input. */
export interface StateRequest extends SourcesOptions {
  /** What to check. */
  readonly paths: readonly string[];
  readonly deleted: readonly string[];
  /** The files of the previous state; undefined if it is not known. */
  readonly state: readonly string[] | undefined;
  /** The git revision that the paths are compared with. */
  readonly baseRef?: string | undefined;
  /** The cluster with the previous state; not together with `state`. */
  readonly live?: Live | undefined;
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
  const { errors = [], notes = [] } = base ?? {};
  const { documents } = input;
  const deletions = [...input.deletions, ...(base?.deletions ?? [])];
  if (live) return { ...(await live.read(documents, deletions)), errors, notes };
  if (state || base === undefined) {
    const read = state && (await readState(state, request));
    const view = { state: read?.objects, incomplete: (read?.errors.length ?? 0) > 0 };
    return { documents, deletions, notes, view, errors: [...(read?.errors ?? []).map(errorOf), ...errors] };
  }
  // An empty base does not prove that nothing else exists.
  const known = base.state.length > 0 ? base.state : undefined;
  const view = { state: known, incomplete: base.incomplete, from: `--base-ref ${baseRef}` };
  return { documents, deletions, notes, view, errors };
}

/** Only a run with `--base-ref` loads the code that calls git. */
async function readBase(request: StateRequest, ref: string, { documents, deletions, errors }: Input) {
  const { readRevision } = await import('./git/revision.ts');
  const unreadable = new Set(errors.map(({ file }) => file));
  const otherPaths = [...request.deleted, ...(request.state ?? [])];
  return readRevision({ ref, paths: request.paths, otherPaths, documents, deletions, unreadable });
}
