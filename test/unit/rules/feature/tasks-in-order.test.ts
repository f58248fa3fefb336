import { rule } from '../../../../src/rules/feature/tasks-in-order.ts';
import { feature } from '../../../support/bases.ts';
import { testRule } from '../../../support/rule-tester.ts';
import { at, DISABLED, ENABLED, finding, type Members, testWide, write } from './writes.ts';

const order = (first: string) =>
  `within a transition only the first task ("${first}") may be removed, once it is done, and nothing else may change; write the list as it is stored`;
const last = (first: string, state: string) =>
  `the last task ("${first}") may be removed only in the write that completes the transition; set the state to "${state}" in the same write`;
const GROWS =
  'all tasks are done, and none may be added before the transition completes; remove them (only a new status.version may bring its own list)';
const UPGRADE =
  'a list that comes with another status.version must end with WaitForUses (exactly once); end the list with WaitForUses';

const FULL = ['A', 'B', 'WaitForUses'];
const OTHER = { version: '1.41.0' };

type Row = readonly [name: string, stored: Members[string], written: Members[string], more?: Members];

const good: readonly Row[] = [
  ['an upgrade takes the first off a list that does not end so', ['A', 'B', 'C'], ['B', 'C'], OTHER],
  ['the version goes, and the list stays', FULL, FULL, { version: undefined }],
  ['a task that is no text is a matter of shape', FULL, ['B', 7]],
  ['an unreadable stored list can be fixed', 'A', ['A', 'WaitForUses']],
];
const bad: readonly (readonly [Row, message: string])[] = [
  [['done and added', FULL, ['B', 'C', 'WaitForUses']], order('A')],
  [['grows again from null', null, ['WaitForUses']], GROWS],
  [['a version that goes brings no list', FULL, ['C', 'WaitForUses'], { version: undefined }], order('A')],
  [['an upgrade with an empty list', FULL, [], OTHER], UPGRADE],
];

/** The last task, off before the transition completes. */
const lost: readonly Row[] = [
  ['the wait is done, null for none', ['WaitForUses'], null],
  ['the wait is done as the version goes', ['WaitForUses'], [], { version: undefined }],
  ['the wait is done when it is time', ['WaitForUses'], [], { useEvaluationTime: undefined }],
];

/** A version that appears is no upgrade, whatever stood for none before. */
const NO_VERSION: readonly (readonly [string, Members[string]])[] = [
  ['nothing', undefined],
  ['null', null],
  ['an empty text', ''],
  ['a number', 1.4],
  ['a list', ['1.40.0']],
];

const onTasks = finding('status.transitionTasks');
const turns = ['TurningOn', 'TurningOff'];
const step = (state: string, [name, stored, transitionTasks, more]: Row) =>
  [`${state}: ${name}`, { state, transitionTasks: stored }, { transitionTasks, ...more }] as const;

testWide(
  rule,
  turns.flatMap((state) => [
    ...good.map((row) => write(...step(state, row))),
    ...NO_VERSION.map(([name, version]) =>
      write(`${state}: a version for ${name}, the list stays`, { ...at(state, ...FULL), version }, OTHER),
    ),
  ]),
  turns.flatMap((state) => [
    ...bad.map(([row, message]) => onTasks(...step(state, row), message)),
    ...lost.map((row) => onTasks(...step(state, row), last('WaitForUses', state === 'TurningOn' ? 'On' : 'Off'))),
    // The second of two steps that together would skip tasks: first the version goes, then it comes back.
    ...NO_VERSION.flatMap(([name, version]) =>
      [['C', 'WaitForUses'], ['WaitForUses']].map((transitionTasks) =>
        onTasks(
          `${state}: a version for ${name}, with the list ${transitionTasks}`,
          { ...at(state, ...FULL), version },
          { ...OTHER, transitionTasks },
          order('A'),
        ),
      ),
    ),
  ]),
);

const turning = at('TurningOn', ...FULL);

testRule(rule, feature, {
  allow: [
    write('uses come meanwhile', turning, { uses: [DISABLED] }),
    write('a time is set meanwhile', turning, { useEvaluationTime: '2026-06-01T13:00:00Z' }),
    write('without a state any list', at(undefined, ...FULL), { transitionTasks: ['C'] }),
  ],
  deny: [
    onTasks(
      'an upgrade that also reports old uses: this first',
      { ...turning, uses: [ENABLED] },
      { ...OTHER, transitionTasks: [], uses: [DISABLED] },
      UPGRADE,
    ),
    onTasks(
      'an upgrade that also clears uses, without a list of its own: this first',
      { ...turning, uses: [DISABLED] },
      { ...OTHER, transitionTasks: ['C'], uses: [] },
      UPGRADE,
    ),
  ],
});
