import type { Path } from '../../base/json.ts';
import { changesMetadataOnly } from '../../base/object.ts';
import { notInCel } from '../cel/expressions.ts';
import { guardedChange, OWNERS } from '../ownership.ts';
import { firstRefusing, reportCaller } from '../principal.ts';
import { type Context, defineRule, NO_CALLER_STORED } from '../rule.ts';
import { DECISIONS, LABELS, SCHEDULER_NAME, schedulerOf } from './placement-fields.ts';

export const rule = defineRule({
  id: 'placement/scheduler',
  on: ['CREATE', 'UPDATE', 'DELETE'],
  checksOwnerReferences: true,
  ratchets: false,
  scan: NO_CALLER_STORED,
  meta: {
    level: 'MUST',
    source: 'KEP-5313 #ownership',
    quote: 'It is solely responsible for all writes (`create`, `update`, `patch`, `delete`).',
    summary: 'Only the principals of a configured scheduler write its PlacementDecisions.',
    fix:
      'Leave the decision to its scheduler, or add the user to placements.schedulers. To hand a decision over, a ' +
      'user has to be a principal of both schedulers.',
    needs: ['object', 'oldObject', 'identity'],
    why: 'CEL in a CRD does not see the user; RBAC cannot tell the decisions of one scheduler from those of another.',
    inertUntil: 'placements.schedulers',
    messages: {
      stranger:
        'the decision belongs to the scheduler "{{scheduler}}", and "{{user}}" is not one of its principals; ' +
        'leave it to the scheduler, or add the user to placements.schedulers',
      owner:
        'deleting an owner deletes the decision of the scheduler "{{scheduler}}", and "{{user}}" is not one of ' +
        'its principals; leave the ownerReferences unchanged or remove all of them, or add the user to ' +
        'placements.schedulers',
      dropped:
        'must keep the name of the scheduler, "{{scheduler}}": without it every user may write the decision; ' +
        'restore it, or delete the decision',
    },
  },
  cel: notInCel.identity,
  enabled: (settings) => settings.placements.schedulers !== undefined,
  check(context) {
    const path = touched(context);
    if (path === undefined) return [];
    const { object, oldObject, settings } = context;
    const before = schedulerOf(oldObject);
    const after = schedulerOf(object);
    // To hand an object over, a user has to belong to both schedulers.
    const scheduler = firstRefusing(context, settings.placements.schedulers, [before, after]);
    const messageId = path === OWNERS ? 'owner' : 'stranger';
    if (scheduler !== undefined) return reportCaller(context, { path, messageId, data: { scheduler } });
    if (before === undefined || after !== undefined || !settings.placements.schedulers?.has(before)) return [];
    return [{ path: SCHEDULER_NAME, messageId: 'dropped', data: { scheduler: before } }];
  },
});

/** Returns the guarded part that the write changes. Annotations and finalizers are not guarded. */
function touched(context: Context): Path | undefined {
  const path = guardedChange(context, SCHEDULER_NAME, [[SCHEDULER_NAME], [LABELS, {}]]);
  return (path === undefined || path === OWNERS) && !changesMetadataOnly(context) ? DECISIONS : path;
}
