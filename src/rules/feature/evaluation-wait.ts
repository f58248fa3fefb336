/** KEP-3920, Server flow: "we clear the uses, wait a specified amount of time, and see". */
import { forFeatures } from '../cel/machine.ts';
import { defineRule, type Yielded } from '../rule.ts';
import { lifeOf } from './life.ts';
import { stepOf } from './machine.ts';
import { broken } from './reading.ts';

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
  *check(context): Iterable<Yielded> {
    const before = lifeOf(context.oldObject);
    if (stepOf(before, lifeOf(context.object)) !== 'completes' || before.time !== undefined) return;
    // One bad write gives one finding: what breaks a must says enough.
    if (broken(context) === undefined) yield { path: ['status', 'useEvaluationTime'], messageId: 'never' };
  },
});
