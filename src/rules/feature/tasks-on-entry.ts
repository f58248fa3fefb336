import { listAt } from '../../base/json.ts';
import { forFeatures } from '../cel/feature.ts';
import { defineRule, STATUS_WRITES } from '../rule.ts';
import { violationsOf } from './feature-context.ts';

export const rule = defineRule({
  id: 'feature/tasks-on-entry',
  ...STATUS_WRITES,
  ratchets: false,
  meta: {
    summary: 'Each transition starts with a list of tasks that ends with WaitForUses.',
    fix:
      'Set status.transitionTasks in the write that enters the transition: at least one task, the last of them ' +
      'WaitForUses, listed once.',
    level: 'MUST',
    source: 'KEP-3920 #api-type (commit cc13a7dde)',
    quote: 'The tasks will be done in order; the last task will be WaitForUses and implemented by the system.',
    needs: ['object', 'oldObject'],
    why: 'Whether the list is new depends on the stored state; in CEL the cost would grow with the list.',
    messages: {
      list:
        'a write that enters {{state}} must list its tasks and end with WaitForUses (exactly once); end the list ' +
        'with WaitForUses',
    },
  },
  cel: forFeatures([
    {
      expression: '!variables.badEntry',
      field: 'status.transitionTasks',
      messageId: 'list',
      dataExpressions: { state: 'variables.state' },
    },
  ]),
  scan: {
    how: 'the tasks that are left end with WaitForUses; without tasks the transition may complete',
    messages: {
      list:
        'the tasks of a feature that is {{state}} must end with WaitForUses (exactly once); such a list can come ' +
        'with a new status.version, or when the transition turns around',
    },
    check: (context) =>
      listAt(context.object, ['status', 'transitionTasks']).length === 0
        ? []
        : violationsOf(context, 'feature/tasks-on-entry'),
  },
  check: (context) => violationsOf(context, 'feature/tasks-on-entry'),
});
