import { rule } from '../../../src/rules/feature/completion.ts';
import { feature } from '../bases.ts';
import { type DenyCase, type RuleCase, testRule } from '../rule-tester.ts';
import { DISABLED, type Members, testWide, write } from './writes.ts';

const tasks = (state: string, first: string) =>
  `a feature that is ${state} has no tasks, got a list that begins with "${first}"; empty the list in the same write`;
const left = (state: string, count: number, first: string) =>
  `cannot be ${state} with ${count} tasks left; do them in order, beginning with "${first}", and take off the last in the write that completes`;

const completions = [
  ['TurningOn', 'On'],
  ['TurningOff', 'Off'],
] as const;

const allowed: RuleCase[] = completions.flatMap(([from, to]) => [
  write(
    `${to} in an upgrade`,
    { state: from, transitionTasks: ['WaitForUses'] },
    {
      state: to,
      transitionTasks: [],
      version: '1.41.0',
    },
  ),
  write(`${to} from an unreadable list`, { state: from, transitionTasks: 'A' }, { state: to, transitionTasks: [] }),
  write(
    `${to} keeps the tasks it has from before the webhook`,
    { state: to, transitionTasks: ['A', 'B'] },
    {
      stability: 'GA',
    },
  ),
  write(
    `${to} as the first state`,
    { state: undefined, transitionTasks: ['A', 'B'] },
    { state: to, transitionTasks: [] },
  ),
]);
const denied: DenyCase[] = completions.flatMap(([from, to]): DenyCase[] => [
  {
    ...write(
      `${to} with two left in an upgrade`,
      { state: from, transitionTasks: ['A', 'WaitForUses'] },
      {
        state: to,
        transitionTasks: [],
        version: '1.41.0',
      },
    ),
    findings: [['deny', 'status.state', left(to, 2, 'A')]],
  },
  {
    ...write(`${to} keeps the last task`, { state: from, transitionTasks: ['WaitForUses'] }, { state: to }),
    findings: [['deny', 'status.transitionTasks', tasks(to, 'WaitForUses')]],
  },
  {
    ...write(
      `${to} gets a task in place of what cannot be read`,
      { state: to, transitionTasks: 'A' },
      {
        transitionTasks: ['A'],
      },
    ),
    findings: [['deny', 'status.transitionTasks', tasks(to, 'A')]],
  },
  {
    ...write(`${to} appears with the task stored`, { state: undefined, transitionTasks: ['A'] }, { state: to }),
    findings: [['deny', 'status.transitionTasks', tasks(to, 'A')]],
  },
]);

const turning: Members = { state: 'TurningOn', transitionTasks: ['A', 'WaitForUses'] };

testWide(rule, allowed, denied);

testRule(rule, feature, {
  allow: [write('a leap is said by feature/transition', turning, { state: 'Off', transitionTasks: [] })],
  deny: [
    {
      ...write(
        'said before uses and time',
        { ...turning, uses: [DISABLED], useEvaluationTime: '2026-07-01T00:00:00Z' },
        {
          state: 'On',
          transitionTasks: [],
          useEvaluationTime: undefined,
        },
      ),
      findings: [['deny', 'status.state', left('On', 2, 'A')]],
    },
  ],
});
