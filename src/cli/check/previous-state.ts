/** Reads the previous state of a run, by --state, --base-ref and --live, and the deletions that --base-ref adds. */
import {
  dialectOfObject,
  type InputObject,
  keyOf,
  readState,
  referenceTo,
  type SourcesOptions,
} from '../../cluster/files/index.ts';
import { type CheckError, errorOf, type Place, placeIn } from '../output/report.ts';
import type { ReadCluster } from './clusters/inputs.ts';
import type { ClusterRequest } from './clusters/request.ts';
import type { ClusterWrites } from './evaluate.ts';
import type { BaseState, Revision } from './git/revision.ts';

/** The writes of a cluster with the state before them. */
export interface PreviousState extends Pick<ClusterWrites, 'documents' | 'deletions' | 'view' | 'places'> {
  /** Of the state, not of the documents. */
  readonly errors: readonly CheckError[];
}

/**
 * Reads it for one cluster.
 * @param base what it had at `--base-ref REF`: deletions always, the previous state only without `--state` and `--live`
 */
export async function readPreviousState(
  cluster: ReadCluster,
  base: (BaseState & { readonly ref: string }) | undefined,
  options: SourcesOptions,
): Promise<PreviousState> {
  const { documents, live, state } = cluster;
  const deletions = [...cluster.deletions, ...(base?.deletions ?? [])];
  const places = new Map<string, Place>();
  if (live) return { ...(await live.read(documents, deletions)), errors: [], places };
  if (state || base === undefined) {
    const stored = (input: InputObject) => addPlace(places, input);
    const read = state && (await readState(state, { ...options, stored }));
    const view = { state: read?.objects, incomplete: (read?.errors.length ?? 0) > 0 };
    return { documents, deletions, view, errors: (read?.errors ?? []).map(errorOf), places };
  }
  // An empty base does not prove that nothing else exists.
  const known = base.state.length > 0 ? base.state : undefined;
  const view = { state: known, incomplete: base.incomplete, from: `--base-ref ${base.ref}` };
  return { documents, deletions, view, errors: [], places };
}

/** Of an object that several documents hold, the last is stored. */
function addPlace(places: Map<string, Place>, input: InputObject): void {
  const dialect = dialectOfObject(input.object);
  if (dialect) places.set(keyOf(referenceTo(dialect, input.object)), placeIn(input, input.start));
}

/** Reads all clusters at REF. Only a run with `--base-ref` loads the code that calls git. */
export async function readBase(
  ref: string,
  clusters: readonly ReadCluster[],
  several: ClusterRequest | undefined,
  { render }: SourcesOptions,
): Promise<Revision | { readonly problem: string }> {
  const { readRevision } = await import('./git/revision.ts');
  const of = <T>(list: (cluster: ReadCluster) => readonly T[]) => clusters.flatMap(list);
  return readRevision({
    ref,
    globs: several?.globs ?? [],
    config: several?.config,
    namedBy: several?.namedBy,
    render,
    barren: of(({ barren }) => barren),
    roots: of(({ named, name }) => named.map((path) => ({ path, cluster: name }))),
    charts: of(({ charts }) => charts),
    otherPaths: of(({ deleted, state = [], charts }) => {
      return [...deleted, ...state, ...charts.flatMap(({ path, values }) => [path, ...values])];
    }),
    documents: of(({ documents }) => documents),
    deletions: of(({ deletions }) => deletions),
    unreadable: new Set(of(({ errors }) => errors).flatMap(({ file }) => file ?? [])),
  });
}
