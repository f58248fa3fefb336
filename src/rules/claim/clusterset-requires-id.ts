import { same, textAt } from '../../base/json.ts';
import { isTerminating } from '../../base/object.ts';
import type { MaybePromise } from '../../base/promise.ts';
import { notInCel } from '../cel/expressions.ts';
import { type Context, defineRule, NAME, type RuleResult } from '../rule.ts';
import { claimDetails, claimValue, isMembership, readIds } from './claim-fields.ts';

export const rule = defineRule({
  id: 'claim/clusterset-requires-id',
  on: ['CREATE'],
  locks: true,
  meta: {
    summary: 'A cluster has one id, which is not being deleted, before it joins a ClusterSet.',
    fix:
      "Create the claim with the cluster's id before the membership. If the id is being deleted, wait until it is " +
      'gone and create it again. If its two names hold different values, correct one of them.',
    // Denying would deadlock tools that apply in alphabetical order, and the KEP leaves late ids unresolved.
    level: 'MUST†',
    source: 'KEP-2149 #lifespan',
    quote:
      'The identifier **must** exist and be immutable for the duration of a cluster’s membership in a ' +
      'ClusterSet, and as long as a `clusterset.k8s.io` claim referring to that cluster in that ClusterSet ' +
      'exists.',
    needs: ['object', 'cluster'],
    why: 'Whether the id exists depends on another object, which CEL in a CRD cannot see.',
    messages: {
      missing: 'the cluster joins a ClusterSet without an id; create the {{kind}} {{id}} first, or right after',
      going:
        'the cluster joins a ClusterSet while its id {{id}} is being deleted; wait until it is gone, create the ' +
        '{{kind}} {{id}} again, then join',
      differ:
        'the cluster joins a ClusterSet with two ids: {{id}} and {{older}} hold different values; correct one of ' +
        'them, or delete {{older}}, then join',
    },
    messageLevels: { going: 'MUST', differ: 'MUST' },
  },
  // Kustomize writes clusterset.k8s.io before id.k8s.io.
  laterWriteMayFix: true,
  cel: notInCel.absence,
  // A dry run of a whole folder does not see an id that the same run would create before the membership.
  capAction: ({ dryRun }, messageId = 'missing') => (dryRun && messageId === 'missing' ? 'warn' : 'deny'),
  scan: {
    how: 'a member without an id is a MUST: nothing is applied after it that could still bring the id',
    level: 'MUST',
    messages: {
      missing: 'the cluster is in a ClusterSet without an id; create the {{kind}} {{id}}',
      going: 'the cluster is in a ClusterSet while its id {{id}} is being deleted; create the {{kind}} {{id}} again',
    },
    // claim/id-immutable-in-clusterset reports two ids that differ.
    check: async (context) => (await check(context)).filter((one) => !isDifference(one)),
  },
  check,
});

function check(context: Context): MaybePromise<readonly RuleResult[]> {
  return isMembership(context) ? withoutId(context) : [];
}

function isDifference(one: RuleResult): boolean {
  return 'messageId' in one && one.messageId === 'differ';
}

async function withoutId(context: Context): Promise<readonly RuleResult[]> {
  const { kind } = context.dialect;
  const ids = await readIds(context.dialect, context.view);
  if (!ids.known) return [{ path: NAME, unknown: ids.reason }];
  const [id, older] = claimDetails(context).idNames;
  const [first, second] = ids.value;
  if (second !== undefined && !same(claimValue(first), claimValue(second)))
    return [{ path: NAME, messageId: 'differ', data: { id, older } }];
  // An id that is being deleted under one name may still exist under the other.
  if (ids.value.some((claim) => !isTerminating(claim))) return [];
  if (first === undefined) return [{ path: NAME, messageId: 'missing', data: { kind, id } }];
  return [{ path: NAME, messageId: 'going', data: { kind, id: textAt(first, NAME) } }];
}
