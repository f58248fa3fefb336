/** KEP-3920, Server flow: "we clear the uses, wait a specified amount of time, and see". */
import { forFeatures } from '../cel/machine.ts';
import { defineRule, NOTHING } from '../rule.ts';
import { course } from './reading.ts';

export const rule = defineRule({
  id: 'feature/evaluation-wait',
  concept: 'feature',
  on: ['UPDATE'],
  subresources: ['status'],
  meta: {
    level: 'SHOULD',
    basis: 'kep',
    source: 'KEP-3920 #server-flow',
    quote:
      'Specifically, we clear the uses, wait a specified amount of time, and see if any client checks in with the old value of the feature or not.',
    needs: ['object', 'oldObject'],
    why: 'A CRD knows no recommendation.',
    code: 403,
    messages: {
      never:
        'the transition completes without a wait; set useEvaluationTime in the future and let the clients report before it',
    },
  },
  cel: forFeatures(
    [
      {
        expression:
          "!variables.sound || variables.step != 'completes' || variables.oldTime != null || variables.time != null",
        field: 'status.useEvaluationTime',
        messageId: 'never',
      },
    ],
    'a write that completes and brings a first time along: without a clock it is not told from a bad one',
  ),
  check(context) {
    const { before, step, broken } = course(context);
    // One bad write gives one finding: what breaks a must says enough.
    if (step !== 'completes' || before.time !== undefined || broken !== undefined) return NOTHING;
    return [{ path: ['status', 'useEvaluationTime'], messageId: 'never' }];
  },
});
