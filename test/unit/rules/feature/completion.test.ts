import { rule } from '../../../../src/rules/feature/completion.ts';
import { feature } from '../../../support/bases.ts';
import { testRule } from '../../../support/rule-tester.ts';
import { at, DISABLED, finding, testWide, write } from './writes.ts';

const tasks = (state: string, first: string) =>
  `a feature that is ${state} has no tasks, got a list that begins with "${first}"; empty the list in the same write`;
const left = (state: string, count: number, first: string) =>
  `cannot be ${state} with ${count} tasks left; do them in order, beginning with "${first}", and remove the last one in the write that completes the transition`;
const onState = finding('status.state');
const onTasks = finding('status.transitionTasks');

const completions = [
  ['TurningOn', 'On'],
  ['TurningOff', 'Off'],
] as const;
const UNREADABLE = { transitionTasks: 'A' };
const upgrade = { version: '1.41.0' };

testWide(
  rule,
  completions.flatMap(([from, to]) => [
    write(`${to} in an upgrade`, at(from, 'WaitForUses'), { ...at(to), ...upgrade }),
    write(`${to} from an unreadable list`, { state: from, ...UNREADABLE }, at(to)),
    write(`${to} keeps the tasks it has from before the webhook`, at(to, 'A', 'B'), { stability: 'GA' }),
    write(`${to} as the first state`, at(undefined, 'A', 'B'), at(to)),
  ]),
  completions.flatMap(([from, to]) => [
    onState(
      `${to} with two left in an upgrade`,
      at(from, 'A', 'WaitForUses'),
      { ...at(to), ...upgrade },
      left(to, 2, 'A'),
    ),
    onTasks(`${to} keeps the last task`, at(from, 'WaitForUses'), { state: to }, tasks(to, 'WaitForUses')),
    onTasks(
      `${to} gets a task in place of what cannot be read`,
      { state: to, ...UNREADABLE },
      at(to, 'A'),
      tasks(to, 'A'),
    ),
    onTasks(`${to} appears with the task stored`, at(undefined, 'A'), { state: to }, tasks(to, 'A')),
  ]),
);

const turning = at('TurningOn', 'A', 'WaitForUses');
const late = { uses: [DISABLED], useEvaluationTime: '2026-07-01T00:00:00Z' };

testRule(rule, feature, {
  allow: [write('a leap is reported by feature/transition', turning, at('Off'))],
  deny: [
    onState(
      'found before uses and time',
      { ...turning, ...late },
      { ...at('On'), useEvaluationTime: undefined },
      left('On', 2, 'A'),
    ),
  ],
});
