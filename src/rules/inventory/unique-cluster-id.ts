import { clusterProfile, inventoryCluster } from '../../api/dialects.ts';
import { textAt } from '../../base/json.ts';
import { notInCel } from '../cel/expressions.ts';
import { defineRule } from '../rule.ts';
import { MANAGER_NAME, neverFreezesStatus, PROPERTIES } from './inventory-fields.ts';
import { listedIdentities, propertiesOf } from './member-clusters.ts';
import { checkUnique, compareUnique, uniqueBy } from './unique.ts';

const unique = uniqueBy((object) => {
  // Objects of one manager are compared: another manager may list the same cluster too.
  const manager = textAt(object, MANAGER_NAME);
  if (manager === undefined) return [];
  return listedIdentities(propertiesOf(object)).map(({ clusterSet, id, index }) => {
    return { parts: [manager, clusterSet, id], path: [...PROPERTIES, index, 'value'] };
  });
});

export const rule = defineRule({
  id: 'inventory/unique-cluster-id',
  on: ['CREATE', 'UPDATE'],
  subresources: ['', 'status'],
  comparison: compareUnique(unique, [inventoryCluster, clusterProfile]),
  readsLists: true,
  // Two objects may exchange their ids.
  laterWriteMayFix: true,
  meta: {
    summary: 'A cluster manager lists each cluster only once in a namespace.',
    fix: 'Delete the duplicate object, or correct the id in its status.properties.',
    // Another manager, or another namespace, may rightly list the same cluster.
    level: 'SHOULD',
    source: 'KEP-2149 #uniqueness',
    quote:
      'The identifier **must** be unique within the ClusterSet to which its cluster belongs for the duration of ' +
      'the cluster’s membership.',
    needs: ['object', 'cluster'],
    why:
      'CEL in a CRD sees one object; this rule compares all objects of a manager. A server that reads a cluster ' +
      'leaves that to scan.',
    messages: {
      taken:
        'the id "{{value}}" is already listed in the same ClusterSet by "{{other}}"; correct the id, or delete ' +
        'the duplicate object',
      other: 'the other object with the same value',
    },
  },
  cel: notInCel.others,
  capAction: neverFreezesStatus,
  check: (context) => checkUnique(unique, context),
});
