import { forFeatures } from '../cel/feature.ts';
import { defineRule, STATUS_WRITES } from '../rule.ts';
import { violationsOf } from './feature-context.ts';

export const rule = defineRule({
  id: 'feature/completion',
  ...STATUS_WRITES,
  ratchets: false,
  meta: {
    summary: 'A feature becomes On or Off only when its tasks are done, and then has no tasks.',
    fix: 'Remove the tasks one by one while they are done. Set the state and remove the last task in the same write.',
    level: 'MUST',
    source: 'KEP-3920 #server-flow',
    quote: 'If that was the last task, then we also change the feature state to the final state, On or Off.',
    needs: ['object', 'oldObject'],
    why: 'It compares the written list of tasks with the stored one.',
    messages: {
      tasks:
        'a feature that is {{state}} has no tasks, got a list that begins with "{{first}}"; empty the list in ' +
        'the same write',
      left:
        'cannot be {{state}} with {{left}} tasks left; do them in order, beginning with "{{first}}", and remove ' +
        'the last one in the write that completes the transition',
    },
  },
  scan: 'object',
  cel: forFeatures([
    {
      expression: '!variables.leftover',
      field: 'status.transitionTasks',
      messageId: 'tasks',
      dataExpressions: { state: 'variables.state', first: 'variables.tasks[0]' },
    },
    {
      expression: 'variables.leftover || !variables.unfinished',
      field: 'status.state',
      messageId: 'left',
      dataExpressions: {
        state: 'variables.state',
        left: 'string(size(variables.oldTasks))',
        first: 'variables.oldTasks[0]',
      },
    },
  ]),
  check: (context) => violationsOf(context, 'feature/completion'),
});
