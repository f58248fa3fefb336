import { forFeatures } from '../cel/feature.ts';
import { defineRule, STATUS_WRITES } from '../rule.ts';
import { violationsOf } from './feature-context.ts';

export const rule = defineRule({
  id: 'feature/tasks-in-order',
  ...STATUS_WRITES,
  ratchets: false,
  meta: {
    summary: 'Tasks of a transition are removed one at a time, from the front of the list.',
    fix:
      'Remove only the first task of status.transitionTasks. Remove the last one in the write that sets the state ' +
      'to On or Off.',
    level: 'MUST',
    source: 'KEP-3920 #server-flow',
    quote:
      'When we evaluate a feature that is in a transitional state and has tasks remaining, we attempt to perform ' +
      'the first task. If it is successful, we remove it from the list.',
    needs: ['object', 'oldObject'],
    why: 'The list is compared with the stored one, element by element.',
    messages: {
      order:
        'within a transition only the first task ("{{first}}") may be removed, once it is done, and nothing else may ' +
        'change; write the list as it is stored',
      last:
        'the last task ("{{first}}") may be removed only in the write that completes the transition; set the state ' +
        'to "{{state}}" in the same write',
      grows:
        'all tasks are done, and none may be added before the transition completes; remove them (only a new ' +
        'status.version may bring its own list)',
      upgrade:
        'a list that comes with another status.version must end with WaitForUses (exactly once); end the list ' +
        'with WaitForUses',
    },
  },
  cel: forFeatures([
    {
      expression:
        '!variables.badOrder || variables.upgrades || variables.removesFirstTask || size(variables.oldTasks) == 0',
      field: 'status.transitionTasks',
      messageId: 'order',
      dataExpressions: { first: 'variables.oldTasks[0]' },
    },
    {
      expression: '!variables.badOrder || variables.upgrades || !variables.removesFirstTask',
      field: 'status.transitionTasks',
      messageId: 'last',
      dataExpressions: { first: 'variables.oldTasks[0]', state: 'variables.final' },
    },
    {
      expression: '!variables.badOrder || variables.upgrades || size(variables.oldTasks) > 0',
      field: 'status.transitionTasks',
      messageId: 'grows',
    },
    { expression: '!variables.badOrder || !variables.upgrades', field: 'status.transitionTasks', messageId: 'upgrade' },
  ]),
  check: (context) => violationsOf(context, 'feature/tasks-in-order'),
});
