/** Reads the objects of each cluster of a run; a run without named clusters has one. */
import { isThere } from '../../documents/files.ts';
import type { Live } from '../live.ts';
import { type InputObject, withCluster } from '../objects.ts';
import type { PlacedMessage } from '../place.ts';
import { readObjects, type SourcesOptions } from '../sources.ts';
import type { Supporting } from '../supporting.ts';
import { type ClusterChart, refuseOtherClusters, refuseWrongCharts } from './charts.ts';
import { type FoundClusters, findClusters, refuseMissing, refuseUnmatched } from './find.ts';
import { type ClusterRequest, chartClusters, namesIn, otherPaths, refuseUnknown } from './request.ts';

/** One cluster: what to check, and what exists before. `-` in its paths is standard input. */
export interface ClusterInput {
  /** Undefined: the only cluster of a run. */
  readonly name: string | undefined;
  /** What to check, as named. */
  readonly named: readonly string[];
  /** The charts of the configuration that are rendered into it. */
  readonly charts: readonly ClusterChart[];
  readonly deleted: readonly string[];
  /** The files of the previous state; undefined if it is not known. */
  readonly state: readonly string[] | undefined;
  /** The API server with the previous state; not together with `state`. */
  readonly live: Live | undefined;
}

/** A cluster with its objects. */
export interface ReadCluster extends ClusterInput {
  readonly objects: readonly InputObject[];
  readonly deletions: readonly InputObject[];
  /** The Services and Namespaces among the objects, and among what is deleted. */
  readonly supporting: readonly Supporting[];
  readonly deletedSupporting: readonly Supporting[];
  /** Whether a chart or a kustomization was not rendered, and may hold further objects. */
  readonly isPartial: boolean;
  /** Files without an object that is evaluated, and without an error. */
  readonly withoutObjects: readonly string[];
  /** Errors of the objects, not of what is deleted. */
  readonly errors: readonly PlacedMessage[];
  /** Errors of the files of `--deleted`. */
  readonly deletedErrors: readonly PlacedMessage[];
  /** Warnings about the objects. */
  readonly warnings: readonly PlacedMessage[];
  readonly skipped: number;
}

/** What a run reads. */
export interface InputRequest extends SourcesOptions {
  /** What to check in a run of one cluster. */
  readonly paths: readonly string[];
  readonly deleted: readonly string[];
  readonly state: readonly string[] | undefined;
  /** Several clusters, in place of those paths. */
  readonly clusters?: ClusterRequest | undefined;
  /** The git revision that the paths are compared with. */
  readonly baseRef?: string | undefined;
  /** The API servers, by the names of the clusters; `''` for the only one. */
  readonly live?: ReadonlyMap<string, Live> | undefined;
}

/** The clusters of a run. */
export interface ClusterInputs extends Omit<FoundClusters, 'roots'> {
  readonly clusters: readonly ClusterInput[];
}

/** Finds the clusters of the working tree. @throws UsageError, ConfigError for clusters that can't be as named */
export function clusterInputs(request: InputRequest): ClusterInputs {
  const { clusters: several, baseRef, live, paths, deleted, state } = request;
  if (several === undefined) {
    const only = { name: undefined, named: paths, charts: [], deleted, state, live: live?.get('') };
    return { clusters: [only], unmatched: [], outside: [], links: [] };
  }
  const { roots, unmatched, outside, links } = findClusters(several.named, several.globs, otherPaths(several));
  const found = roots.map(({ name, path }) => clusterOf(request, name, [path]));
  const names = [...chartClusters(several), ...namesIn(several).map(([name]) => name)];
  const clusters = [...found, ...missingClusters(request, found, names)];
  if (baseRef === undefined) {
    refuseMissing(roots);
    refuseUnmatched(unmatched);
    refuseUnknownNames(
      several,
      roots.map(({ name }) => name),
    );
  }
  const charts = clusters.flatMap((cluster) => cluster.charts);
  refuseWrongCharts(charts, (path) => baseRef !== undefined && !isThere(path));
  return { clusters, unmatched, outside, links };
}

/**
 * Refuses flags and charts for clusters that are not among the names. `where` says which trees have none.
 * @throws UsageError, ConfigError
 */
export function refuseUnknownNames(several: ClusterRequest, names: readonly string[], where = ''): void {
  const { charts, namedBy } = several;
  const known = new Set(namedBy === 'charts' ? [...names, ...chartClusters(several)] : names);
  refuseUnknown(several, known);
  if (namedBy === 'globs') refuseOtherClusters(charts, known, where);
}

/** Returns the clusters of these names that are not among the others: they have no folder in the working tree. */
export function missingClusters(
  request: InputRequest,
  clusters: readonly ClusterInput[],
  names: Iterable<string>,
): readonly ClusterInput[] {
  const known = new Set(clusters.map(({ name }) => name));
  const missing = [...new Set(names)].filter((name) => !known.has(name));
  return missing.map((name) => clusterOf(request, name, []));
}

/**
 * Reads the objects and the deletions of a cluster.
 * @param isHere returns false for a path that is gone, which is no error
 */
export async function readCluster(
  cluster: ClusterInput,
  options: SourcesOptions,
  isHere: (path: string) => boolean = () => true,
): Promise<Omit<ReadCluster, 'warnings'>> {
  const files: string[] = [];
  let isPartial = false;
  const counting: SourcesOptions = {
    ...options,
    onFileRead(file) {
      files.push(file);
      options.onFileRead?.(file);
    },
    onUnrendered(folder) {
      isPartial = true;
      options.onUnrendered?.(withCluster(cluster.name, folder));
    },
    onUnevaluated: (part) => options.onUnevaluated?.(withCluster(cluster.name, part)),
  };
  const charts = cluster.charts.filter(({ path }) => isHere(path));
  const checked = await readObjects(cluster.named.filter(isHere), { ...counting, charts });
  const deleted = await readObjects(cluster.deleted, { ...options, onUnevaluated: counting.onUnevaluated });
  const relevant = new Set([...checked.objects, ...checked.errors].map(({ file }) => file));
  const of = (input: InputObject) => withCluster(cluster.name, input);
  return {
    ...cluster,
    objects: checked.objects.map(of),
    deletions: deleted.objects.map(of),
    supporting: checked.supporting,
    deletedSupporting: deleted.supporting,
    isPartial,
    withoutObjects: files.filter((file) => !relevant.has(file)),
    errors: checked.errors,
    deletedErrors: deleted.errors,
    skipped: checked.skipped + deleted.skipped,
  };
}

function clusterOf({ clusters, live }: InputRequest, name: string, named: readonly string[]): ClusterInput {
  const deleted = clusters?.deleted.get(name) ?? [];
  const charts = clusters?.charts.filter(({ cluster }) => cluster === name) ?? [];
  return { name, named, charts, deleted, state: clusters?.state.get(name), live: live?.get(name) };
}
