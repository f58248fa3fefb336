import { notInCel } from '../cel/expressions.ts';
import { defineRule } from '../rule.ts';
import { areExportsKnown, clusterSetPeers } from '../service/cluster-set-peers.ts';
import { type Agreement, agreementOf, differencesOf } from '../service/differences.ts';
import { compareServices, type Export, type FleetServices, type Import } from '../service/fleet-services.ts';
import { outcomePhrases } from '../service/outcomes.ts';

const comparison = compareServices({ acrossOnly: false, points: ['scan'] }, (fleet) => {
  const agreements = new Map<string, Agreement | undefined>();
  const agreementOn = (one: Import) => {
    const key = JSON.stringify([fleet.clusterSetsOf(one.object.cluster), one.object.namespace, one.object.name]);
    if (!agreements.has(key)) agreements.set(key, agreementOf(exportsOf(one, fleet)));
    return agreements.get(key);
  };
  return fleet.imports.flatMap((one) => {
    const agreement = isDerivable(one, fleet) ? agreementOn(one) : undefined;
    return agreement ? differencesOf(one, agreement) : [];
  });
});

export const rule = defineRule({
  id: 'import/differs',
  // The Services are in other clusters, so no write can be refused for them.
  on: [],
  dialects: ['service-import'],
  meta: {
    summary: 'A ServiceImport has the type, ports and session affinity on which the exported Services agree.',
    fix:
      'See why the controller of your multi-cluster services does not update the import: whether it runs, ' +
      'and whether it reaches the exporting clusters. Leave the import to it.',
    level: 'SHOULD',
    basis: 'upstream',
    source: 'multi-cluster services of KEP-1645 #constraints-and-conflict-resolution',
    quote:
      'Exported services are derived from the properties of each component service and their respective endpoints.',
    needs: ['object', 'cluster'],
    why: 'The Services are in other clusters; scan compares the clusters of one run.',
    messages: {
      differs:
        'must be {{expected}}, as exported without a conflict by {{clusters}}, got {{found}}; see why the controller ' +
        'does not update the import',
      differsHere:
        'must be {{expected}}, as exported without a conflict by this cluster, got {{found}}; see why the controller ' +
        'does not update the import',
      export: 'an export of the service',
    },
    phrases: outcomePhrases,
  },
  cel: notInCel.clusters,
  comparison,
});

/** Whether all clusters that an import is derived from are known: its own, or those of a complete ClusterSet. */
function isDerivable({ object: { cluster }, fact: { clusters = [] } }: Import, fleet: FleetServices): boolean {
  const peers = clusterSetPeers(fleet);
  return areExportsKnown(fleet.isComplete ? peers.peersOf(cluster) : peers.namedBy(clusters, cluster), fleet);
}

function exportsOf({ object: { cluster, namespace, name } }: Import, fleet: FleetServices): readonly Export[] {
  return fleet.clusterSetsOf(cluster).flatMap((set) => fleet.serviceOf(set, namespace, name)?.exports ?? []);
}
