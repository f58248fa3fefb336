import { notInCel } from '../cel/expressions.ts';
import { guardedChange, OWNERS } from '../ownership.ts';
import { isAmong, reportCaller } from '../principal.ts';
import { defineRule, NAME, NO_CALLER_STORED } from '../rule.ts';
import { isMembership, VALUE } from './claim-fields.ts';

export const rule = defineRule({
  id: 'claim/clusterset-manager',
  on: ['CREATE', 'UPDATE', 'DELETE'],
  checksOwnerReferences: true,
  ratchets: false,
  scan: NO_CALLER_STORED,
  meta: {
    summary: 'Only the configured membership managers create, change or delete a ClusterSet membership.',
    fix: 'Have a membership manager make the change, or add the user to claims.membershipManagers.',
    level: 'MUST',
    source: 'KEP-2149 #overview',
    quote:
      "This claim must be present exactly as long as the cluster's membership in a ClusterSet lasts, and removed " +
      'when the cluster is no longer a member.',
    needs: ['object', 'oldObject', 'identity'],
    why: 'CEL in a CRD does not see the user; RBAC cannot tell one claim from another on create.',
    inertUntil: 'claims.membershipManagers',
    messages: {
      stranger:
        'only the configured membership managers may create or delete the membership or change its value, not ' +
        '"{{user}}"; ask one of them, or add the user to claims.membershipManagers',
      owner:
        'deleting an owner deletes the membership, which only the configured membership managers may do, not ' +
        '"{{user}}"; leave the ownerReferences unchanged or remove all of them, or add the user to ' +
        'claims.membershipManagers',
    },
  },
  cel: notInCel.identity,
  enabled: (settings) => settings.claims.membershipManagers !== undefined,
  check(context) {
    if (!isMembership(context)) return [];
    // Other metadata may be changed by anyone.
    const path = guardedChange(context, NAME, [[VALUE]]);
    if (path === undefined) return [];
    if (isAmong(context.identity, context.settings.claims.membershipManagers)) return [];
    return reportCaller(context, { path, messageId: path === OWNERS ? 'owner' : 'stranger' });
  },
});
