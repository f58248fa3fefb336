/** KEP-4322, Properties: "The name of the cluster property can be predefined name from ClusterProperty resources". */
import { clusterProperty } from '../../schemas/dialects.ts';
import { defineRule, type Path, type Yielded } from '../rule.ts';
import { isDnsLabel, isDnsSubdomain } from '../syntax.ts';
import { MEMBERSHIP_PROPERTY, MOST_FINDINGS, neverFreezesStatus, propertiesNamed } from './reading.ts';

const [ID, OLDER_ID] = clusterProperty.claim.idNames;

export const rule = defineRule({
  id: 'inventory/known-properties',
  concept: 'inventory',
  on: ['UPDATE'],
  subresources: ['status'],
  meta: {
    level: 'SHOULD',
    basis: 'kep',
    source: 'KEP-4322 #properties',
    quote:
      'The name of the cluster property can be predefined name from ClusterProperty resources and is allowed to be customized by different cluster managers.',
    needs: ['object'],
    why: 'One list holds every property, and only the well-known ones have a syntax.',
    code: 422,
    messages: {
      label:
        'an id should be an RFC 1123 DNS label, as its claim is, got "{{value}}"; report the id as its cluster has it',
      subdomain:
        'an id should be an RFC 1123 DNS subdomain, as its claim is, got "{{value}}"; report the id as its cluster has it',
      empty: 'a ClusterSet should have a name, got ""; leave the property out while the cluster is in none',
    },
  },
  atMost: neverFreezesStatus,
  *check({ object, dialect }): Iterable<Yielded> {
    // InventoryCluster goes with KEP-2149, where an id is a label; ClusterProfile with ClusterProperty, where both names hold a subdomain.
    const labels = dialect.name === 'inventory-cluster' ? [OLDER_ID] : [];
    const subdomains = dialect.name === 'inventory-cluster' ? [ID] : [ID, OLDER_ID];
    const problems = [
      ...bad(object, labels, (value) => isDnsLabel(value), 'label'),
      ...bad(object, subdomains, (value) => isDnsSubdomain(value), 'subdomain'),
      ...bad(object, [MEMBERSHIP_PROPERTY], (value) => value !== '', 'empty'),
    ];
    yield* problems.slice(0, MOST_FINDINGS);
  },
});

function bad(
  object: Parameters<typeof propertiesNamed>[0],
  names: readonly string[],
  isGood: (value: string) => boolean,
  messageId: string,
): { path: Path; messageId: string; data: { value: string } }[] {
  const wrong = propertiesNamed(object, names).filter(({ value }) => !isGood(value));
  return wrong.map(({ path, value }) => ({ path, messageId, data: { value } }));
}
