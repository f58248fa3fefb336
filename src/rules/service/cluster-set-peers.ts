/**
 * Finds the clusters of a run that the status of a ServiceImport names: members of a ClusterSet, by their ids. If no
 * claim of a cluster has an id, its name in the run is used. The status names a cluster by a DNS label, so for an id
 * with dots (`east.registry`) the first label is accepted as well.
 */
import { serviceExport } from '../../api/dialects.ts';
import { getOrInsert } from '../../base/collections.ts';
import type { FleetServices } from './fleet-services.ts';

/** The members of the ClusterSets of a run. */
export interface ClusterSetPeers {
  /** Returns the clusters of the ClusterSets of a cluster, including itself; none if it is in no ClusterSet. */
  peersOf(cluster: string): readonly string[];
  /** Returns the peers of a cluster with these ids; undefined if one of the ids is not that of a peer. */
  namedBy(ids: readonly string[], cluster: string): readonly string[] | undefined;
  /** Whether each peer of a cluster has a claim with its id. */
  haveIds(cluster: string): boolean;
}

const known = new WeakMap<FleetServices, ClusterSetPeers>();

/** Returns the members of the ClusterSets of a fleet. The result is kept for other rules. */
export function clusterSetPeers(fleet: FleetServices): ClusterSetPeers {
  return getOrInsert(known, fleet, () => createPeers(fleet));
}

function createPeers(fleet: FleetServices): ClusterSetPeers {
  const peersOf = oncePerKey((sets: readonly string[]) => [...new Set(sets.flatMap((set) => fleet.membersOf(set)))]);
  const haveIds = oncePerKey((peers: readonly string[]) => peers.every((peer) => fleet.idsOf(peer).length > 0));
  const ids = fleet.clusters.flatMap((cluster) => {
    const claimed = fleet.idsOf(cluster);
    const names = (claimed.length > 0 ? claimed : [cluster]).flatMap((id) => [id, firstLabelOf(id)]);
    return [...new Set(names)].map((id) => ({ id, cluster }));
  });
  const byId = Map.groupBy(ids, ({ id }) => id);
  // Most imports of a ClusterSet name the same clusters, so results are kept.
  const named = oncePerKey((sets: readonly string[], names: readonly string[]) => {
    const own = new Set(peersOf(sets));
    const found = names.map((id) => (byId.get(id) ?? []).filter((one) => own.has(one.cluster)));
    return found.some((same) => same.length === 0) ? undefined : found.flat().map((one) => one.cluster);
  });
  return {
    peersOf: (cluster) => peersOf(fleet.clusterSetsOf(cluster)),
    haveIds: (cluster) => haveIds(peersOf(fleet.clusterSetsOf(cluster))),
    namedBy: (names, cluster) => named(fleet.clusterSetsOf(cluster), names),
  };
}

function firstLabelOf(id: string): string {
  return id.split('.', 1)[0] ?? id;
}

/** Returns a function that calls `compute` once for each list of arguments, and keeps the result. */
function oncePerKey<const Lists extends readonly (readonly string[])[], T>(compute: (...lists: Lists) => T) {
  const results = new Map<string, T>();
  return (...lists: Lists): T => {
    const key = JSON.stringify(lists);
    if (!results.has(key)) results.set(key, compute(...lists));
    return results.get(key) as T;
  };
}

/** Whether there are clusters, and all ServiceExports of each were read. */
export function areExportsKnown(clusters: readonly string[] | undefined, fleet: FleetServices): boolean {
  if (clusters === undefined || clusters.length === 0) return false;
  return clusters.every((cluster) => fleet.unread(cluster, serviceExport) === undefined);
}
