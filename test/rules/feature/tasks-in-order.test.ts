import { rule } from '../../../src/rules/feature/tasks-in-order.ts';
import { feature } from '../bases.ts';
import { type DenyCase, type RuleCase, testRule } from '../rule-tester.ts';
import { DISABLED, ENABLED, type Members, testWide, write } from './writes.ts';

const order = (first: string) =>
  `within a transition the list stays, or loses its first task ("${first}"); take off that one and nothing else`;
const last = (first: string, state: string) =>
  `the last task ("${first}") comes off only in the write that completes the transition; set the state to "${state}" in the same write`;
const GROWS =
  'all tasks are done; nothing is added before the transition completes (only another status.version brings a list of its own)';
const UPGRADE =
  'a list that comes with another status.version ends in WaitForUses, which stands nowhere else; end it so';

const FULL = ['A', 'B', 'WaitForUses'];
const OTHER = { version: '1.41.0' };

type Row = readonly [name: string, stored: Members[string], written: Members[string], more?: Members];

const good: readonly Row[] = [
  ['an upgrade takes the first off a list that does not end so', ['A', 'B', 'C'], ['B', 'C'], OTHER],
  ['the version goes, and the list stays', FULL, FULL, { version: undefined }],
  ['a task that is no text is a matter of shape', FULL, ['B', 7]],
  ['an unreadable stored list can be mended', 'A', ['A', 'WaitForUses']],
];
const bad: readonly (readonly [...Row, message: string])[] = [
  ['done and added', FULL, ['B', 'C', 'WaitForUses'], {}, order('A')],
  ['grows again from null', null, ['WaitForUses'], {}, GROWS],
  ['a version that goes brings no list', FULL, ['C', 'WaitForUses'], { version: undefined }, order('A')],
  ['an upgrade with an empty list', FULL, [], OTHER, UPGRADE],
];

/** The last task, off before the transition completes. */
const lost: readonly (readonly [...Row, first: string])[] = [
  ['the wait is done, null for none', ['WaitForUses'], null, {}, 'WaitForUses'],
  ['the wait is done as the version goes', ['WaitForUses'], [], { version: undefined }, 'WaitForUses'],
  ['the wait is done when it is time', ['WaitForUses'], [], { useEvaluationTime: undefined }, 'WaitForUses'],
];

/** A version that appears is no upgrade, whatever stood for none before. */
const NO_VERSION: readonly (readonly [string, Members[string]])[] = [
  ['nothing', undefined],
  ['null', null],
  ['an empty text', ''],
  ['a number', 1.4],
  ['a list', ['1.40.0']],
];

const turns = ['TurningOn', 'TurningOff'];
const allowed: RuleCase[] = turns.flatMap((state) => [
  ...good.map(([name, stored, transitionTasks, more]) =>
    write(`${state}: ${name}`, { state, transitionTasks: stored }, { transitionTasks, ...more }),
  ),
  ...NO_VERSION.flatMap(([name, version]) => [
    write(`${state}: a version for ${name}, the list stays`, { state, version, transitionTasks: FULL }, OTHER),
  ]),
]);
const refused = (row: RuleCase, message: string): DenyCase => ({
  ...row,
  findings: [['deny', 'status.transitionTasks', message]],
});
const denied: DenyCase[] = turns.flatMap((state) => [
  ...bad.map(([name, stored, transitionTasks, more, message]) =>
    refused(write(`${state}: ${name}`, { state, transitionTasks: stored }, { transitionTasks, ...more }), message),
  ),
  ...lost.map(([name, stored, transitionTasks, more, first]) =>
    refused(
      write(`${state}: ${name}`, { state, transitionTasks: stored }, { transitionTasks, ...more }),
      last(first, state === 'TurningOn' ? 'On' : 'Off'),
    ),
  ),
  ...NO_VERSION.flatMap(([name, version]) => [
    refused(
      write(
        `${state}: a version for ${name}, with a list of its own`,
        { state, version, transitionTasks: FULL },
        { ...OTHER, transitionTasks: ['C', 'WaitForUses'] },
      ),
      order('A'),
    ),
    // The second of two steps that together would skip tasks: first the version goes, then it comes back.
    refused(
      write(
        `${state}: a version for ${name}, and two tasks are skipped`,
        { state, version, transitionTasks: FULL },
        { ...OTHER, transitionTasks: ['WaitForUses'] },
      ),
      order('A'),
    ),
  ]),
]);

const turning: Members = { state: 'TurningOn', transitionTasks: FULL };

testWide(rule, allowed, denied);

testRule(rule, feature, {
  allow: [
    write('uses come meanwhile', turning, { uses: [DISABLED] }),
    write('a time is set meanwhile', turning, { useEvaluationTime: '2026-06-01T13:00:00Z' }),
    write('without a state any list', { state: undefined, transitionTasks: FULL }, { transitionTasks: ['C'] }),
  ],
  deny: [
    {
      ...write(
        'an upgrade that also reports old uses: this first',
        { ...turning, uses: [ENABLED] },
        {
          ...OTHER,
          transitionTasks: [],
          uses: [DISABLED],
        },
      ),
      findings: [['deny', 'status.transitionTasks', UPGRADE]],
    },
    refused(
      write(
        'an upgrade that also clears uses, without a list of its own: this first',
        { ...turning, uses: [DISABLED] },
        { ...OTHER, transitionTasks: ['C'], uses: [] },
      ),
      UPGRADE,
    ),
  ],
});
