import { same } from '../../base/json.ts';
import { notInCel } from '../cel/expressions.ts';
import { type Context, defineRule, type RuleResult } from '../rule.ts';
import { claimValue, inClusterSet, isId, VALUE } from './claim-fields.ts';

export const rule = defineRule({
  id: 'claim/id-stable',
  on: ['UPDATE'],
  ratchets: false,
  locks: true,
  meta: {
    summary: "Outside of a ClusterSet, too, a cluster's id stays the same.",
    fix:
      'Keep the id. If nothing uses the former id any more, the change may go ahead: this rule only warns by ' +
      'default.',
    level: 'SHOULD',
    source: 'KEP-2149 #lifespan',
    quote: 'The identifier **should** be immutable for the lifespan of a cluster.',
    needs: ['object', 'oldObject', 'cluster'],
    why: 'A CRD can only refuse, not warn; within a ClusterSet the stricter rule applies instead.',
    messages: {
      changed:
        'an id should stay the same for the life of its cluster, got "{{value}}"; change it only if nothing uses ' +
        'the former id',
    },
  },
  cel: notInCel.absence,
  check(context) {
    if (!isId(context) || same(claimValue(context.object), claimValue(context.oldObject))) return [];
    return changed(context);
  },
});

async function changed(context: Context): Promise<readonly RuleResult[]> {
  const member = await inClusterSet(context);
  if (!member.known) return [{ path: VALUE, unknown: member.reason }];
  return member.value ? [] : [{ path: VALUE, messageId: 'changed', data: { value: claimValue(context.object) } }];
}
