import { claimDialects, clusterProfile, inventoryCluster } from '../../api/dialects.ts';
import { notInCel } from '../cel/expressions.ts';
import { VALUE } from '../claim/claim-fields.ts';
import { type ComparedObject, type Conflict, defineRule, type ObjectComparison, type ObjectFact } from '../rule.ts';
import { PROPERTIES } from './inventory-fields.ts';
import { type ClaimValue, compareMembers, LONGEST, memberFact, type Property, TOO_LONG } from './member-clusters.ts';

const comparison: ObjectComparison<ClaimValue> = {
  kinds: [...claimDialects, inventoryCluster, clusterProfile],
  acrossOnly: true,
  factOf: memberFact,
  conflicts(kept) {
    const tooLong = kept.filter(({ object, fact }) => fact === TOO_LONG && mayBeLong(object));
    const differing = compareMembers(kept, ({ object, properties, claimsOf }) =>
      properties.flatMap((property) => differs(object, property, claimsOf(property.name))),
    );
    return [
      ...tooLong.map(({ object }) => ({ object, problem: { path: VALUE, messageId: 'maxLength' }, related: [] })),
      ...differing,
    ];
  },
};

export const rule = defineRule({
  id: 'inventory/properties-as-is',
  // A claim is in the member, the property in another cluster: no write can be refused for what another API server
  // holds.
  on: [],
  subresources: ['', 'status'],
  meta: {
    summary: 'A property that repeats a claim of a cluster has exactly the value of that claim.',
    fix:
      "Copy the claim's value into the property unchanged. If the claim is too long for a property, shorten the " +
      'claim.',
    level: 'MUST†',
    source: 'KEP-4322 #properties (commit 3a8eb262)',
    quote:
      'Properties derived from ClusterProperty resources MUST preserve the name and value of the ClusterProperty ' +
      'as-is.',
    needs: ['object', 'cluster'],
    why: 'The claim and the property are in different clusters; check and scan compare several clusters of one run.',
    messages: {
      differs:
        'must be the value of the claim {{name}} in the cluster "{{cluster}}", got "{{value}}"; copy the value ' +
        'unchanged',
      longer:
        'must be the value of the claim {{name}} in the cluster "{{cluster}}", got a longer one; copy the value ' +
        'unchanged',
      maxLength:
        `must be at most ${LONGEST} characters to fit into a property of an inventory object, got more; ` +
        'shorten it',
      claim: 'the claim, which has another value',
    },
  },
  cel: notInCel.clusters,
  comparison,
});

/** Whether claim/value allows a value that is too long for a property. Otherwise that rule reports it. */
function mayBeLong({ dialect }: ComparedObject): boolean {
  return (dialect.claim?.valueLimit ?? 0) > LONGEST;
}

/** Reports a property that differs from all claims. If a claim is too long, the claim is reported instead. */
function differs(
  object: ComparedObject,
  { value, index }: Property,
  claims: readonly ObjectFact<ClaimValue>[],
): Conflict[] {
  const [first] = claims;
  if (first === undefined || claims.some(({ fact }) => fact === value || fact === TOO_LONG)) return [];
  const { cluster } = first.object;
  const path = [...PROPERTIES, index, 'value'];
  const related = claims.map((claim) => ({ object: claim.object, path: VALUE, messageId: 'claim' }));
  const problem =
    value === TOO_LONG
      ? { path, messageId: 'longer', data: { name: first.object.name, cluster } }
      : { path, messageId: 'differs', data: { name: first.object.name, cluster, value } };
  return [{ object, problem, related }];
}
