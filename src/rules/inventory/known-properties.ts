import { clusterProperty, type Dialect } from '../../api/dialects.ts';
import { at, isObject, isUnquoted, type Json, listOf } from '../../base/json.ts';
import { statusOf } from '../../base/object.ts';
import { isBlank, isDnsLabel, isDnsSubdomain } from '../../base/syntax.ts';
import { forInventory, knownProperties } from '../cel/inventory.ts';
import { OMITTED_FROM_LISTS } from '../cel/shape-validations.ts';
import { defineRule, STATUS_WRITES } from '../rule.ts';
import { MEMBERSHIP_PROPERTY, neverFreezesStatus, PROPERTIES } from './inventory-fields.ts';

const [ID, OLDER_ID] = clusterProperty.claim.idNames;

export const rule = defineRule({
  id: 'inventory/known-properties',
  ...STATUS_WRITES,
  meta: {
    summary: 'A property with the id or the ClusterSet of a cluster holds a valid one.',
    fix: "Copy the value from the cluster's own claim. Leave the ClusterSet property out while the cluster is in none.",
    level: 'SHOULD',
    source: 'KEP-4322 #properties',
    quote:
      'The name of the cluster property can be predefined name from ClusterProperty resources and is allowed to ' +
      'be customized by different cluster managers.',
    why: 'One list holds every property, and only the well-known ones have a syntax.',
    code: 422,
    messages: {
      unquoted: 'should be a string, got {{value}}; put it in quotes',
      label:
        'an id should be an RFC 1123 DNS label, like the claim, got "{{value}}"; copy the value of the claim unchanged',
      subdomain:
        'an id should be an RFC 1123 DNS subdomain, like the claim, got "{{value}}"; copy the value of the claim ' +
        'unchanged',
      empty:
        'the ClusterSet should not be empty, got "{{value}}"; remove the property while the cluster is in no ' +
        'ClusterSet',
    },
  },
  cel: forInventory(knownProperties('label'), OMITTED_FROM_LISTS, knownProperties('subdomain')),
  capAction: neverFreezesStatus,
  check({ object, dialect }) {
    return listOf(statusOf(object)?.['properties']).flatMap((property, index) => {
      const messageId = wrong(property, dialect);
      if (messageId === undefined) return [];
      return [{ path: [...PROPERTIES, index, 'value'], messageId, data: { value: at(property, ['value']) } }];
    });
  },
});

/** Returns the message for a property with a wrong value. A value that is not a text counts as empty. */
function wrong(property: Json | undefined, dialect: Dialect): string | undefined {
  if (!isObject(property)) return undefined;
  const { name, value } = property;
  if (name !== MEMBERSHIP_PROPERTY && name !== ID && name !== OLDER_ID) return undefined;
  const text = typeof value === 'string' ? value : '';
  if (isUnquoted(value)) return 'unquoted';
  if (name === MEMBERSHIP_PROPERTY) return isBlank(text) ? 'empty' : undefined;
  // For an InventoryCluster the claims are those of KEP-2149, where id.k8s.io is a label. For a ClusterProfile they are
  // ClusterProperties, where both names hold a subdomain.
  if (name === OLDER_ID && dialect.name === 'inventory-cluster') return isDnsLabel(text) ? undefined : 'label';
  return isDnsSubdomain(text) ? undefined : 'subdomain';
}
