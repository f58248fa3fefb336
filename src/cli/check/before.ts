/** What exists before a run, and what it deletes: by --state, --base-ref, --live and --deleted. */
import { type FilesViewOptions, type GivenObject, readState, type SourcesOptions } from '../../cluster/files/index.ts';
import { type Live, placedIn, readStored } from './live.ts';
import { type CheckError, errorOf } from './report.ts';

export interface BeforeRequest {
  readonly paths: readonly string[];
  readonly deleted: readonly string[];
  readonly state: readonly string[] | undefined;
  readonly baseRef?: string | undefined;
  readonly live?: Live | undefined;
  readonly stdin: () => Promise<Uint8Array>;
  readonly reading?: SourcesOptions['reading'];
}

/** What was read of the run's own input. */
export interface Given {
  readonly documents: readonly GivenObject[];
  readonly deletions: readonly GivenObject[];
  readonly errors: readonly CheckError[];
}

export interface Before {
  /** How a view of it is made, but for the kinds of the documents. */
  readonly view: FilesViewOptions;
  readonly documents: readonly GivenObject[];
  readonly deletions: readonly GivenObject[];
  readonly errors: readonly CheckError[];
  readonly notes: readonly string[];
}

/** `--base-ref` always tells what is deleted; what exists it tells only where neither `--state` nor `--live` does. */
export async function readBefore(request: BeforeRequest, given: Given): Promise<Before> {
  const { baseRef, live, state } = request;
  const base =
    baseRef === undefined ? undefined : await (await import('./changes.ts')).readChanges(request, baseRef, given);
  const deletions = [...given.deletions, ...(base?.deletions ?? [])];
  const { errors = [], notes = [] } = base ?? {};
  if (live) {
    const [documents, gone] = [placedIn(live, given.documents), placedIn(live, deletions)];
    const stored = await readStored(live, [...documents, ...gone]);
    return { view: { state: stored, behind: live.reader }, documents, deletions: gone, errors, notes };
  }
  const all = { documents: given.documents, deletions, notes };
  if (state || base === undefined) {
    const read = state && (await readState(state, request));
    const view = { state: read?.objects, incomplete: (read?.errors.length ?? 0) > 0 };
    return { ...all, view, errors: [...(read?.errors ?? []).map(errorOf), ...errors] };
  }
  // That nothing was there at REF does not say that the world is empty.
  const known = base.state.length > 0 ? base.state : undefined;
  return { ...all, view: { state: known, incomplete: base.incomplete, from: `--base-ref ${baseRef}` }, errors };
}
