import { clusterProfile, inventoryCluster } from '../../api/dialects.ts';
import { type JsonObject, textAt } from '../../base/json.ts';
import { notInCel } from '../cel/expressions.ts';
import { defineRule } from '../rule.ts';
import {
  ID_PROPERTIES,
  MANAGER_NAME,
  MEMBERSHIP_PROPERTY,
  neverFreezesStatus,
  propertiesNamed,
} from './inventory-fields.ts';
import { checkUnique, compareUnique, uniqueBy } from './unique.ts';

/** The most ids, and the most ClusterSets, of one object that are compared. Normally there is one of each. */
const MOST_COMPARED = 8;

const unique = uniqueBy((object) => {
  // Objects of one manager are compared: another manager may list the same cluster too.
  const manager = textAt(object, MANAGER_NAME);
  if (manager === undefined) return [];
  const sets = named(object, [MEMBERSHIP_PROPERTY]);
  return named(object, ID_PROPERTIES).flatMap(({ path, value }) =>
    sets.map((set) => ({ parts: [manager, set.value, value], path })),
  );
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
    why: 'CEL in a CRD sees one object; this rule compares all objects of a manager.',
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

/** Returns the properties with these names. An empty value names no ClusterSet and no cluster. */
function named(object: JsonObject, names: readonly string[]) {
  const values = propertiesNamed(object, names).filter(({ value }) => value !== '');
  return values.slice(0, MOST_COMPARED);
}
