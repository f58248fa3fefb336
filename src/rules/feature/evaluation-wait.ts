import type { Path } from '../../base/json.ts';
import { forFeatures } from '../cel/feature.ts';
import { defineRule, STATUS_WRITES } from '../rule.ts';
import { clockOf, statusUpdateOf } from './feature-context.ts';
import { isPast, isStart } from './state-machine.ts';

const TIME: Path = ['status', 'useEvaluationTime'];

export const rule = defineRule({
  id: 'feature/evaluation-wait',
  ...STATUS_WRITES,
  ratchets: false,
  meta: {
    summary: 'A transition waits for the reports of clients before it completes.',
    fix:
      'Set status.useEvaluationTime to a time in the future during the transition, and complete it after that ' +
      'time. Remove a time that an earlier transition left.',
    level: 'SHOULD',
    source: 'KEP-3920 #server-flow',
    quote:
      'Specifically, we clear the uses, wait a specified amount of time, and see if any client checks in with ' +
      'the old value of the feature or not.',
    needs: ['object', 'oldObject', 'clock'],
    why: 'A CRD can only refuse, not warn.',
    messages: {
      never:
        'the transition completes without waiting for clients; set useEvaluationTime to a time in the future ' +
        'first, and complete the transition after it',
      past:
        'is left over from an earlier transition and would count as a wait, got "{{value}}"; remove it, or set a ' +
        'time in the future',
    },
  },
  cel: forFeatures(
    [
      {
        expression:
          "!variables.sound || variables.transition != 'completes' || variables.oldTime != null || " +
          'variables.time != null',
        field: 'status.useEvaluationTime',
        messageId: 'never',
      },
    ],
    'a write that completes the transition and sets its first time, and a time left over from an earlier ' +
      'transition: both need a clock',
  ),
  check(context) {
    const { before, after, transition, violation } = statusUpdateOf(context);
    // One bad write gives one finding: another rule reports this violation.
    if (violation !== undefined) return [];
    if (transition === 'completes') return before.time === undefined ? [{ path: TIME, messageId: 'never' }] : [];
    if (!isStart(transition) || after.time === undefined) return [];
    if (!isPast(after.time, clockOf(context))) return [];
    return [{ path: TIME, messageId: 'past', data: { value: after.timeText } }];
  },
});
