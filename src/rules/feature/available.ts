import { statusOf } from '../../base/object.ts';
import { forFeatures } from '../cel/feature.ts';
import { defineRule, STATUS_WRITES } from '../rule.ts';
import { statusUpdateOf } from './feature-context.ts';
import { isStart } from './state-machine.ts';

export const rule = defineRule({
  id: 'feature/available',
  ...STATUS_WRITES,
  ratchets: false,
  meta: {
    summary: 'A feature that the running version does not have is not turned on.',
    fix: 'Leave the feature Off until a version that has it is running and its stability is no longer Unavailable.',
    level: 'SHOULD',
    source: 'KEP-3920 #api-type (commit cc13a7dde)',
    quote: "Indicates that the feature doesn't exist at the current version",
    needs: ['object', 'oldObject'],
    why: 'A CRD can only refuse, not warn; and the rule applies only where the state changes.',
    messages: {
      unavailable:
        'should not be turned on: the stability is Unavailable, so version "{{version}}" does not have the ' +
        'feature; leave it Off until a version has it',
    },
  },
  cel: forFeatures([
    {
      expression:
        "!(variables.transition in ['enters', 'reverses']) || variables.state != 'TurningOn' || " +
        "variables.statusStability != 'Unavailable'",
      field: 'status.state',
      messageId: 'unavailable',
      dataExpressions: { version: 'variables.version' },
    },
  ]),
  check(context) {
    const { after, transition } = statusUpdateOf(context);
    if (after.state !== 'TurningOn' || !isStart(transition)) return [];
    if (statusOf(context.object)?.['stability'] !== 'Unavailable') return [];
    return [{ path: ['status', 'state'], messageId: 'unavailable', data: { version: after.version } }];
  },
});
