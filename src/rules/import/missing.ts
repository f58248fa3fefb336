import { serviceImport } from '../../api/dialects.ts';
import { notInCel } from '../cel/expressions.ts';
import { defineRule, NAME } from '../rule.ts';
import { compareServices, type Export, isTrue } from '../service/fleet-services.ts';
import { clustersText, outcomePhrases } from '../service/outcomes.ts';

/** How long a controller may take to create an import. */
const GRACE_MS = 5 * 60_000;

const comparison = compareServices({ acrossOnly: false, points: ['scan'] }, (fleet, _, now) => {
  return fleet.services.flatMap(({ clusterSet, namespace, name, exports }) => {
    const oldest = oldestOf(exports.filter((one) => isExportedSince(one, now - GRACE_MS)));
    if (oldest === undefined) return [];
    const lacking = fleet.membersOf(clusterSet).filter((cluster) => {
      const isKnown = fleet.unread(cluster, serviceImport) === undefined;
      return isKnown && fleet.hasNamespace(cluster, namespace) && !fleet.importOf(cluster, namespace, name);
    });
    if (lacking.length === 0) return [];
    // In a run of one cluster, that cluster has no name.
    const isNamed = lacking[0] !== '';
    const data = { namespace, clusters: clustersText(lacking) };
    const problem = { path: NAME, messageId: isNamed ? 'missing' : 'missingHere', data };
    return [{ object: oldest.object, problem, related: [] }];
  });
});

export const rule = defineRule({
  id: 'import/missing',
  // The imports are made later, by a controller.
  on: [],
  dialects: ['service-export'],
  meta: {
    summary: 'Five minutes after a service is exported, each cluster with its namespace has a ServiceImport.',
    fix:
      'See why the controller of your multi-cluster services makes no ServiceImport in the cluster: whether it runs ' +
      'there, whether it reaches the other clusters, and what it logs.',
    level: 'SHOULD',
    basis: 'upstream',
    source: 'multi-cluster services of KEP-1645 #importing-services',
    quote: "All clusters containing the service's namespace will import the service.",
    needs: ['object', 'cluster', 'clock'],
    why: 'The imports are in other clusters and are made after the export; scan compares the clusters of one run.',
    messages: {
      missing:
        'the service is exported, and has no ServiceImport in {{clusters}}, where the namespace ' +
        '{{namespace}} exists; see whether the controller of your multi-cluster services runs there',
      missingHere:
        'the service is exported, and has no ServiceImport in this cluster; see whether the controller of your ' +
        'multi-cluster services runs',
    },
    phrases: outcomePhrases,
  },
  cel: notInCel.clusters,
  comparison,
});

/**
 * Whether a service has been exported since a time. The condition Valid alone may be outdated: its Service may be gone.
 */
function isExportedSince({ constituent, fact: { created, conditions } }: Export, time: number): boolean {
  return constituent !== undefined && created !== undefined && created < time && isTrue(conditions, 'Valid');
}

/** Returns the oldest export; of several that are as old, the first by the name of its cluster. */
function oldestOf(exports: readonly Export[]): Export | undefined {
  return exports.toSorted((a, b) => (a.fact.created ?? 0) - (b.fact.created ?? 0))[0];
}
