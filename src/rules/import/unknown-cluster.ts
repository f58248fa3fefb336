import { notInCel } from '../cel/expressions.ts';
import { type Conflict, defineRule } from '../rule.ts';
import { clusterSetPeers } from '../service/cluster-set-peers.ts';
import { compareServices } from '../service/fleet-services.ts';
import { clustersText, outcomePhrases } from '../service/outcomes.ts';

const comparison = compareServices({ acrossOnly: false, points: ['scan'] }, (fleet) => {
  // If the run does not include all clusters, an unknown name may be that of another one.
  if (!fleet.isComplete) return [];
  const peers = clusterSetPeers(fleet);
  return fleet.imports.flatMap(({ object, fact: { clusters = [] } }): readonly Conflict[] => {
    if (peers.peersOf(object.cluster).length === 0 || peers.namedBy(clusters, object.cluster) !== undefined) return [];
    // A name may be the id of a member whose claims do not say it.
    if (!peers.haveIds(object.cluster)) return [];
    const unknown = [...new Set(clusters)].filter((id) => peers.namedBy([id], object.cluster) === undefined);
    const data = { clusters: clustersText(unknown) };
    return [{ object, problem: { path: ['status', 'clusters'], messageId: 'unknown', data }, related: [] }];
  });
});

export const rule = defineRule({
  id: 'import/unknown-cluster',
  // The ids are in other clusters, so no write can be refused for them.
  on: [],
  dialects: ['service-import'],
  meta: {
    summary: 'The clusters that the status of a ServiceImport names are members of the ClusterSet.',
    fix:
      'If the cluster has left the ClusterSet, see why the controller still names it. If it is a member, ' +
      'give it that id, or let the controller use the id that its claims say.',
    level: 'SHOULD',
    basis: 'upstream',
    source: 'multi-cluster services of KEP-1645 #importing-services',
    quote: 'ClusterStatus contains service configuration mapped to a specific source cluster',
    needs: ['object', 'cluster'],
    why: 'The ids of the members are in other clusters; scan compares the clusters of one run.',
    messages: {
      unknown:
        'names what is the id of no member of the ClusterSet: {{clusters}}; correct the id, or see why the ' +
        'controller still names a cluster that has left',
    },
    phrases: outcomePhrases,
  },
  cel: notInCel.clusters,
  comparison,
});
