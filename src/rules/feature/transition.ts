import { forFeatures } from '../cel/feature.ts';
import { defineRule, STATUS_WRITES } from '../rule.ts';
import { violationsOf } from './feature-context.ts';

export const rule = defineRule({
  id: 'feature/transition',
  ...STATUS_WRITES,
  ratchets: false,
  meta: {
    summary: 'A feature moves between Off and On only through TurningOn or TurningOff.',
    fix: 'Set status.state to the next state that the message names. A feature that has a state keeps one.',
    level: 'MUST',
    source: 'KEP-3920 #server-flow',
    quote:
      "If the configured value for a feature (from the command line) doesn't match the current Feature state, it " +
      'will transition into the corresponding transitional state (TurningOn or TurningOff).',
    needs: ['object', 'oldObject'],
    why: 'The CRD has the table too; the rule also names the next step, and is for clusters whose CRD is less strict.',
    messages: {
      illegal: 'cannot change from {{from}} to {{to}}; from {{from}} it can change to {{next}}',
      vanishes: 'a feature that has a state ({{from}}) must keep one; write the state back',
    },
  },
  cel: forFeatures([
    {
      expression: "variables.transition != 'illegal'",
      field: 'status.state',
      messageId: 'illegal',
      dataExpressions: { from: 'variables.oldState', to: 'variables.state', next: 'variables.next' },
    },
    {
      expression: "variables.transition != 'vanishes'",
      field: 'status.state',
      messageId: 'vanishes',
      dataExpressions: { from: 'variables.oldState' },
    },
  ]),
  check: (context) => violationsOf(context, 'feature/transition'),
});
