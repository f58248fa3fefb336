import { rule } from '../../../src/rules/feature/tasks-in-order.ts';
import { feature } from '../bases.ts';
import { type DenyCase, type RuleCase, testRule } from '../rule-tester.ts';
import { DISABLED, ENABLED, type Members, testWide, write } from './writes.ts';

const order = (first: string) =>
  `within a transition the list stays, or loses its first task ("${first}"); take off that one and nothing else`;
const GROWS =
  'all tasks are done; nothing is added before the transition completes (only another status.version brings a list of its own)';
const UPGRADE =
  'a list that comes with another status.version ends in WaitForUses, which stands nowhere else; end it so';

const FULL = ['A', 'B', 'WaitForUses'];
const OTHER = { version: '1.41.0' };

type Row = readonly [name: string, stored: Members[string], written: Members[string], more?: Members];

const good: readonly Row[] = [
  ['the list stays', FULL, FULL],
  ['the first is done', FULL, ['B', 'WaitForUses']],
  ['the last but one is done', ['B', 'WaitForUses'], ['WaitForUses']],
  ['the wait is done', ['WaitForUses'], []],
  ['the wait is done, null for none', ['WaitForUses'], null],
  ['the wait is done, the list gone', ['WaitForUses'], undefined],
  ['none left, and none comes', [], null],
  ['one of two equal is done', ['A', 'A', 'WaitForUses'], ['A', 'WaitForUses']],
  ['an upgrade keeps the list', FULL, FULL, OTHER],
  ['an upgrade takes the first off', FULL, ['B', 'WaitForUses'], OTHER],
  ['an upgrade brings its own', FULL, ['C', 'D', 'WaitForUses'], OTHER],
  ['an upgrade brings a longer one', ['WaitForUses'], [...FULL], OTHER],
  ['an upgrade skips to the wait', FULL, ['WaitForUses'], OTHER],
  ['an upgrade after all was done', [], ['C', 'WaitForUses'], OTHER],
  ['an upgrade of an older list that does not end so', ['A', 'B'], ['A', 'B'], OTHER],
  ['an older list that does not end so goes on', ['A', 'B'], ['B']],
  ['a list that cannot be read is a matter of shape', FULL, 'B'],
  ['a task that is no text is a matter of shape', FULL, ['B', 7]],
  ['an unreadable stored list can be mended', 'A', ['A', 'WaitForUses']],
];
const bad: readonly (readonly [...Row, message: string])[] = [
  ['two are done at once', FULL, ['WaitForUses'], {}, order('A')],
  ['all are done at once', FULL, [], {}, order('A')],
  ['the list becomes null', FULL, null, {}, order('A')],
  ['the list goes', FULL, undefined, {}, order('A')],
  ['the last is dropped', FULL, ['A', 'B'], {}, order('A')],
  ['the wait is dropped with the first', FULL, ['B'], {}, order('A')],
  ['the middle is dropped', FULL, ['A', 'WaitForUses'], {}, order('A')],
  ['one is added in front', FULL, ['C', ...FULL], {}, order('A')],
  ['one is added at the end', FULL, [...FULL, 'C'], {}, order('A')],
  ['one is added within', FULL, ['A', 'C', 'B', 'WaitForUses'], {}, order('A')],
  ['the first is replaced', FULL, ['C', 'B', 'WaitForUses'], {}, order('A')],
  ['done and replaced', FULL, ['C', 'WaitForUses'], {}, order('A')],
  ['done and added', FULL, ['B', 'C', 'WaitForUses'], {}, order('A')],
  ['reordered', FULL, ['B', 'A', 'WaitForUses'], {}, order('A')],
  ['another case', FULL, ['a', 'B', 'WaitForUses'], {}, order('A')],
  ['both of two equal are done', ['A', 'A', 'WaitForUses'], ['WaitForUses'], {}, order('A')],
  ['the wait is replaced', ['WaitForUses'], ['A'], {}, order('WaitForUses')],
  ['grows again', [], ['WaitForUses'], {}, GROWS],
  ['grows again from null', null, ['WaitForUses'], {}, GROWS],
  ['the same version again brings no list', FULL, ['C', 'WaitForUses'], { version: '1.40.0' }, order('A')],
  ['a version that goes brings no list', FULL, ['C', 'WaitForUses'], { version: undefined }, order('A')],
  ['a version of null brings no list', FULL, ['C', 'WaitForUses'], { version: null }, order('A')],
  ['a version that is no text brings no list', FULL, ['C', 'WaitForUses'], { version: 2 }, order('A')],
  ['an upgrade with an empty list', FULL, [], OTHER, UPGRADE],
  ['an upgrade without the wait', FULL, ['A', 'B'], OTHER, UPGRADE],
  ['an upgrade with the wait first', FULL, ['WaitForUses', 'C'], OTHER, UPGRADE],
  ['an upgrade with two waits', FULL, ['WaitForUses', 'WaitForUses'], OTHER, UPGRADE],
  ['an upgrade that empties two', ['A', 'WaitForUses'], null, OTHER, UPGRADE],
];

const turns = ['TurningOn', 'TurningOff'];
const allowed: RuleCase[] = turns.flatMap((state) =>
  good.map(([name, stored, transitionTasks, more]) =>
    write(`${state}: ${name}`, { state, transitionTasks: stored }, { transitionTasks, ...more }),
  ),
);
const denied: DenyCase[] = turns.flatMap((state) =>
  bad.map(([name, stored, transitionTasks, more, message]) => ({
    ...write(`${state}: ${name}`, { state, transitionTasks: stored }, { transitionTasks, ...more }),
    findings: [['deny', 'status.transitionTasks', message] as const],
  })),
);

const turning: Members = { state: 'TurningOn', transitionTasks: FULL };

testWide(rule, allowed, denied);

testRule(rule, feature, {
  allow: [
    write('uses come meanwhile', turning, { uses: [DISABLED] }),
    write('a time is set meanwhile', turning, { useEvaluationTime: '2026-06-01T13:00:00Z' }),
    write('a reversal brings another list', turning, { state: 'TurningOff', transitionTasks: ['C', 'WaitForUses'] }),
    write('completion is said elsewhere', turning, { state: 'On', transitionTasks: [] }),
    write(
      'the version appears with a list of its own',
      { ...turning, version: undefined },
      {
        ...OTHER,
        transitionTasks: ['C', 'WaitForUses'],
      },
    ),
    write('without a state any list', { state: undefined, transitionTasks: FULL }, { transitionTasks: ['C'] }),
    write('Off with another list is said elsewhere', { transitionTasks: ['A'] }, { transitionTasks: ['B'] }),
    {
      name: 'the main resource is not asked',
      old: { '/status/state': 'TurningOn' },
      set: { '/status/transitionTasks': ['A'] },
    },
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
    {
      ...write('on a dry run', turning, { transitionTasks: [] }, { dryRun: true }),
      findings: [['deny', 'status.transitionTasks', order('A')]],
    },
    {
      ...write(
        'while it is being deleted',
        turning,
        { transitionTasks: [] },
        {
          old: { '/metadata/deletionTimestamp': '2026-05-01T00:00:00Z' },
        },
      ),
      findings: [['deny', 'status.transitionTasks', order('A')]],
    },
  ],
});
