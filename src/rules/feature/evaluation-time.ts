import { member } from '../cel/expressions.ts';
import { forFeatures, IS_NOT_EARLIER } from '../cel/feature.ts';
import { defineRule, STATUS_WRITES } from '../rule.ts';
import { violationsOf } from './feature-context.ts';

export const rule = defineRule({
  id: 'feature/evaluation-time',
  ...STATUS_WRITES,
  ratchets: false,
  meta: {
    summary: 'Clients keep the time that useEvaluationTime gives them to report their use.',
    fix:
      'Wait until status.useEvaluationTime has passed before completing or removing it. Set a later time in the ' +
      'future in each write that removes a use.',
    level: 'MUST',
    source: 'KEP-3920 #api-type (commit cc13a7dde)',
    quote: 'clients have until then to record their use.',
    needs: ['object', 'oldObject', 'clock'],
    why: 'It needs a clock, which CEL does not have.',
    messages: {
      early: 'clients have until {{stored}} to report; complete the transition after that',
      removed: 'clients have until {{stored}} to report; remove the time after that',
      earlier:
        'clients have until {{stored}} to report, got the earlier time {{value}}; keep the stored time, or set a ' +
        'later one',
      cleared:
        'must be a new time in the future, since the write removes a use (version "{{version}}", {{enabled}}) ' +
        'during a transition, got "{{value}}"; set it in the same write, later than the stored time',
      past: 'must be in the future, got {{value}}; give the clients time to report',
    },
  },
  scan: { skip: 'it is about a change; a time that was in the future then has passed' },
  cel: forFeatures(
    [
      {
        expression: '!variables.cleared',
        field: 'status.useEvaluationTime',
        messageId: 'cleared',
        dataExpressions: {
          version: member('variables.removed[0]', 'version'),
          enabled: member('variables.removed[0]', 'enabled'),
          value: 'variables.statusUseEvaluationTime',
        },
      },
      {
        expression: `!variables.sound || variables.cleared || variables.transition == 'reverses' || ${IS_NOT_EARLIER}`,
        field: 'status.useEvaluationTime',
        messageId: 'earlier',
        dataExpressions: { stored: 'variables.oldTime', value: 'variables.time' },
      },
    ],
    'all that needs a clock; the policy still refuses an earlier time, and a write that removes a use without a ' +
      'later time (in lists of at most 64 entries)',
  ),
  check: (context) => violationsOf(context, 'feature/evaluation-time'),
});
