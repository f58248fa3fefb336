import type { Path } from '../../base/json.ts';
import { isStatusWritten } from '../../base/object.ts';
import { notInCel } from '../cel/expressions.ts';
import { type GuardedPart, guardedChange, OWNERS } from '../ownership.ts';
import { firstRefusing, reportCaller } from '../principal.ts';
import { type Context, defineRule, NO_CALLER_STORED } from '../rule.ts';
import { MANAGER, MANAGER_LABEL_PATH, MANAGER_NAME, managerOf, neverFreezesStatus } from './inventory-fields.ts';

export const rule = defineRule({
  id: 'inventory/sole-manager',
  on: ['CREATE', 'UPDATE', 'DELETE'],
  checksOwnerReferences: true,
  subresources: ['', 'status'],
  ratchets: false,
  scan: NO_CALLER_STORED,
  meta: {
    summary: "Only an object's own cluster manager creates it, deletes it or writes its status.",
    fix: "Have the cluster manager make the change, or add the user to the manager's principals in inventory.managers.",
    level: 'SHOULD',
    source: 'KEP-4322 #terminology',
    quote: 'Each cluster inventory resource SHOULD be managed by only one cluster manager.',
    needs: ['object', 'oldObject', 'identity'],
    why: 'CEL in a CRD does not see the user; RBAC cannot tell the objects of one manager from those of another.',
    inertUntil: 'inventory.managers',
    messages: {
      stranger:
        'belongs to the cluster manager "{{manager}}", and "{{user}}" is not one of its principals; have one of ' +
        'them do it, or add the user to inventory.managers',
      owner:
        'deleting an owner deletes the object of the cluster manager "{{manager}}", and "{{user}}" is not one of ' +
        'its principals; leave the ownerReferences unchanged or remove all of them, or add the user to ' +
        'inventory.managers',
    },
  },
  cel: notInCel.identity,
  enabled: (settings) => settings.inventory.managers !== undefined,
  capAction: neverFreezesStatus,
  check(context) {
    const { object, oldObject, settings } = context;
    // inventory/known-manager reports a manager that is not configured.
    const manager = firstRefusing(context, settings.inventory.managers, [oldObject, object].map(managerOf));
    const path = manager === undefined ? undefined : touched(context);
    if (path === undefined) return [];
    return reportCaller(context, { path, messageId: path === OWNERS ? 'owner' : 'stranger', data: { manager } });
  },
});

/**
 * Returns the guarded part that the request changes. Other labels, annotations and `spec.displayName` are not guarded.
 */
function touched(context: Context): Path | undefined {
  const isOfStatus = context.subresource === 'status';
  if (isOfStatus && ![context.object, context.oldObject].some(isStatusWritten)) return undefined;
  const parts: readonly GuardedPart[] = isOfStatus ? [[['status']]] : [[MANAGER], [MANAGER_LABEL_PATH]];
  return guardedChange(context, MANAGER_NAME, parts);
}
