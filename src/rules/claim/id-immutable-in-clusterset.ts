import { same } from '../../base/json.ts';
import { forClaims, matchesId, valueStays } from '../cel/claim.ts';
import { type Context, defineRule, type RuleResult, type Unknown } from '../rule.ts';
import { claimDetails, claimValue, inClusterSet, isId, newerIdStays, VALUE } from './claim-fields.ts';

export const rule = defineRule({
  id: 'claim/id-immutable-in-clusterset',
  // On CREATE for ClusterProperty alone: its id has two names, and the second must not contradict the first.
  on: ['CREATE', 'UPDATE'],
  ratchets: false,
  locks: true,
  meta: {
    summary: "A cluster's id does not change while the cluster belongs to a ClusterSet.",
    fix:
      'Keep the id. To change it, delete the membership (clusterset.k8s.io), change the id, then create the ' +
      'membership again.',
    level: 'MUST',
    source: 'KEP-2149 #lifespan',
    quote:
      'The identifier **must** exist and be immutable for the duration of a cluster’s membership in a ' +
      'ClusterSet, and as long as a `clusterset.k8s.io` claim referring to that cluster in that ClusterSet ' +
      'exists.',
    needs: ['object', 'oldObject', 'cluster'],
    why: 'Whether the cluster is a member depends on another object, which CEL in a CRD cannot see.',
    messages: {
      changed:
        'the id of a cluster cannot change while {{membership}} exists, got "{{value}}"; leave the ClusterSet ' +
        'first (delete {{membership}}), then change the id and join again',
      older:
        'the id of a cluster cannot change while {{membership}} exists, got "{{value}}"; keep the value, or ' +
        'delete {{name}}, since {{other}} holds the id too',
      contradicts:
        'the cluster already has another id in {{other}}, and an id cannot change while {{membership}} exists, ' +
        'got "{{value}}"; use the same value, or leave the ClusterSet first',
    },
  },
  cel: forClaims(
    (claim) => ({
      matchConditions: ["request.operation == 'UPDATE'", ...matchesId(claim)],
      parameter: claim.membershipName,
      validations: [valueStays({ membership: claim.membershipName })],
    }),
    'a membership created a moment ago, and for ClusterProperty an id created under its second name with another ' +
      'value (the first would be a second parameter)',
  ),
  scan: {
    how: "ClusterProperty: the id's two names hold different values in a ClusterSet; reported once, at the older name",
    messages: {
      contradicts:
        'the cluster has another id in {{other}}, and both exist while it is in a ClusterSet, got "{{value}}"; ' +
        'delete this one, or leave the ClusterSet (delete {{membership}}) and correct {{other}}',
    },
    check: (context) =>
      isId(context) && context.name !== claimDetails(context).idNames[0] ? contradicted(context) : [],
  },
  check(context) {
    if (!isId(context)) return [];
    if (context.operation === 'CREATE') return contradicted(context);
    return same(claimValue(context.object), claimValue(context.oldObject)) ? [] : changed(context);
  },
});

async function changed(context: Context): Promise<readonly RuleResult[]> {
  const [member, newer] = await Promise.all([inClusterSet(context), newerIdStays(context)]);
  if (!member.known) return [unknown(member.reason)];
  if (!member.value) return [];
  const staysNewer = newer.known && newer.value;
  return [staysNewer ? problem(context, 'older', claimDetails(context).idNames[0]) : problem(context, 'changed')];
}

async function contradicted(context: Context): Promise<readonly RuleResult[]> {
  const { dialect, view } = context;
  const other = claimDetails(context).idNames.find((name) => name !== context.name);
  if (other === undefined) return [];
  const [existing, member] = await Promise.all([view.get({ dialect, name: other }), inClusterSet(context)]);
  const agrees =
    existing.known && (existing.value === undefined || same(claimValue(existing.value), claimValue(context.object)));
  if (agrees || (member.known && !member.value)) return [];
  if (!existing.known) return [unknown(existing.reason)];
  return [member.known ? problem(context, 'contradicts', other) : unknown(member.reason)];
}

function unknown(reason: string): Unknown {
  return { path: VALUE, unknown: reason };
}

function problem(context: Context, messageId: 'changed' | 'older' | 'contradicts', other?: string): RuleResult {
  const membership = claimDetails(context).membershipName;
  const data = { value: claimValue(context.object), membership, other, name: context.name };
  return { path: VALUE, messageId, data };
}
