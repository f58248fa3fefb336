import { absent } from '../cel/text.ts';
import { type Context, defineRule, type RuleResult } from '../rule.ts';
import { inClusterSet, isId, NAME, newerIdStays } from './reading.ts';

export const rule = defineRule({
  id: 'claim/id-present',
  on: ['DELETE'],
  meta: {
    // Only the operator knows whether the cluster's life has ended.
    level: 'MUST†',
    source: 'KEP-2149 #lifespan',
    quote: 'The identifier **must** exist for the lifespan of a cluster.',
    needs: ['oldObject', 'cluster'],
    why: 'CEL in a CRD is not asked about deletions.',
    messages: { deleted: '{{name}} must exist as long as its cluster does; delete it only at the end of the cluster' },
  },
  cel: absent.absence,
  check: (context) => (isId(context) ? deleted(context) : []),
});

async function deleted(context: Context): Promise<readonly RuleResult[]> {
  const [member, newer] = await Promise.all([inClusterSet(context), newerIdStays(context)]);
  // Within a ClusterSet the stricter rule applies.
  if ((member.known && member.value) || (newer.known && newer.value)) return [];
  if (!member.known) return [{ path: NAME, unknown: member.reason }];
  if (!newer.known) return [{ path: NAME, unknown: newer.reason }];
  return [{ path: NAME, messageId: 'deleted', data: { name: context.name } }];
}
