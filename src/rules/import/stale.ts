import { notInCel } from '../cel/expressions.ts';
import { defineRule, NAME } from '../rule.ts';
import { areExportsKnown, clusterSetPeers } from '../service/cluster-set-peers.ts';
import { compareServices, type FleetServices, type Import } from '../service/fleet-services.ts';

const comparison = compareServices({ acrossOnly: false, points: ['scan'] }, (fleet) => {
  const stale = fleet.imports.filter((one) => isStale(one, fleet));
  return stale.map(({ object }) => {
    const data = { service: `${object.namespace}/${object.name}` };
    return { object, problem: { path: NAME, messageId: 'stale', data }, related: [] };
  });
});

export const rule = defineRule({
  id: 'import/stale',
  // Other clusters hold the exports, so no write can be refused for them.
  on: [],
  dialects: ['service-import'],
  meta: {
    summary: 'A ServiceImport is deleted when no cluster exports the service any more.',
    fix:
      'See why the controller of your multi-cluster services leaves the import, then let it delete it. If that ' +
      'controller is gone, delete the ServiceImport.',
    level: 'SHOULD',
    basis: 'upstream',
    source: 'multi-cluster services of KEP-1645 #importing-services',
    quote: 'If all `ServiceExport` instances are deleted, each `ServiceImport` will also be deleted from all clusters.',
    needs: ['object', 'cluster'],
    why: 'The exports are in other clusters; scan compares the clusters of one run.',
    messages: {
      stale: 'no cluster exports {{service}} any more; let the controller delete the import, or delete it yourself',
    },
  },
  cel: notInCel.clusters,
  comparison,
});

/**
 * Whether no cluster exports the service of an import. That is certain only if the run includes all clusters that the
 * import is derived from: those that its status names or, without any, all of its ClusterSet.
 */
function isStale({ object: { cluster, namespace, name }, fact }: Import, fleet: FleetServices): boolean {
  if (fleet.clusterSetsOf(cluster).some((set) => fleet.serviceOf(set, namespace, name))) return false;
  const peers = clusterSetPeers(fleet);
  const ofAll = fleet.isComplete ? peers.peersOf(cluster) : [];
  const sources = fact.clusters === undefined ? ofAll : peers.namedBy(fact.clusters, cluster);
  return areExportsKnown(sources, fleet);
}
