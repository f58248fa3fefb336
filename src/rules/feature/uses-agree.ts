import { forFeatures } from '../cel/feature.ts';
import { defineRule, STATUS_WRITES } from '../rule.ts';
import { violationsOf } from './feature-context.ts';

export const rule = defineRule({
  id: 'feature/uses-agree',
  ...STATUS_WRITES,
  ratchets: false,
  meta: {
    summary: 'A transition does not complete while a client still reports the old value.',
    fix:
      'Clear status.uses and set status.useEvaluationTime to a time in the future. Wait until then, and complete ' +
      'the transition if no client has reported the old value again.',
    level: 'MUST',
    source: 'KEP-3920 #server-flow',
    quote: 'Once no client reports the old value, this task is complete.',
    needs: ['object', 'oldObject'],
    why: 'It reads the stored and the written uses; in CEL the cost would grow with the list.',
    messages: {
      reported:
        'WaitForUses is not done: version "{{version}}" still reports {{old}}; clear the uses, set ' +
        'useEvaluationTime and wait for the clients to report',
      stored:
        'WaitForUses is not done: the stored uses still contain {{old}} from version "{{version}}"; first clear ' +
        'the uses in a separate write that sets useEvaluationTime to a time in the future, wait until then, and ' +
        'complete the transition if no client has reported {{old}} again',
    },
  },
  scan: { skip: 'it is about a change; a client may report its use at any time, also after the transition' },
  cel: forFeatures([
    {
      expression: '!(variables.disagrees && variables.reported)',
      field: 'status.uses',
      messageId: 'reported',
      dataExpressions: { old: 'variables.oldValue', version: 'variables.reporter' },
    },
    {
      expression: '!(variables.disagrees && !variables.reported)',
      field: 'status.uses',
      messageId: 'stored',
      dataExpressions: { old: 'variables.oldValue', version: 'variables.reporter' },
    },
  ]),
  check: (context) => violationsOf(context, 'feature/uses-agree'),
});
