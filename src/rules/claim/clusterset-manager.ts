/** KEP-2149 leaves it to "whatever manages memberships"; `claims.membershipManagers` says who that is. */
import { same } from '../json.ts';
import { caller, isAmong, whoAsks } from '../principal.ts';
import { defineRule, type Yielded } from '../rule.ts';
import { claimValue, isMembership, NAME, VALUE } from './reading.ts';

export const rule = defineRule({
  id: 'claim/clusterset-manager',
  concept: 'claim',
  on: ['CREATE', 'UPDATE', 'DELETE'],
  meta: {
    level: 'MUST',
    basis: 'kep',
    source: 'KEP-2149 #-clusterclaim',
    quote:
      'whatever manages memberships would likely need to deny the incoming cluster, and potentially assign (or prompt the cluster to assign itself) a new ID.',
    needs: ['object', 'oldObject', 'identity'],
    why: 'CEL in a CRD does not see who asks; RBAC cannot tell one claim from another on create.',
    code: 403,
    inertUntil: 'claims.membershipManagers',
    messages: {
      stranger:
        'only the configured membership managers may create, delete or re-value it, not "{{user}}"; ask one of them, or add the user to claims.membershipManagers',
    },
  },
  awake: (settings) => settings.claims.membershipManagers !== undefined,
  *check(context): Iterable<Yielded> {
    if (!isMembership(context)) return;
    const writes = context.operation === 'UPDATE';
    if (writes && same(claimValue(context.object), claimValue(context.oldObject))) return;
    const unasked = whoAsks(context);
    if (unasked) yield unasked;
    else if (context.identity && !isAmong(context.identity, context.settings.claims.membershipManagers ?? []))
      yield { path: writes ? VALUE : NAME, messageId: 'stranger', data: { user: caller(context) } };
  },
});
