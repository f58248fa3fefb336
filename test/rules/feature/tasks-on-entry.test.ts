import { rule } from '../../../src/rules/feature/tasks-on-entry.ts';
import { feature } from '../bases.ts';
import { type DenyCase, type RuleCase, testRule } from '../rule-tester.ts';
import { DISABLED, ENABLED, type Members, testWide, write } from './writes.ts';

const WAIT = ['WaitForUses'];

/** The ways into a transition, and what is stored before. */
const entries: readonly (readonly [string, string, Members])[] = [
  ['Off enters TurningOn', 'TurningOn', { state: 'Off' }],
  ['On enters TurningOff', 'TurningOff', { state: 'On' }],
  ['nothing enters TurningOn', 'TurningOn', { state: undefined, transitionTasks: undefined }],
  ['nothing enters TurningOff', 'TurningOff', { state: null, transitionTasks: null }],
  ['TurningOn reverses', 'TurningOff', { state: 'TurningOn', transitionTasks: ['A', 'WaitForUses'] }],
  ['TurningOff reverses', 'TurningOn', { state: 'TurningOff', transitionTasks: ['A', 'WaitForUses'] }],
];
const message = (state: string) =>
  `entering ${state} brings a list of its tasks, the last of them WaitForUses, which stands nowhere else; end the list with WaitForUses`;

const good: readonly (readonly string[])[] = [
  WAIT,
  ['A', 'WaitForUses'],
  ['A', 'A', 'WaitForUses'],
  ['A', 'B', 'C', 'D', 'WaitForUses'],
  ['', 'WaitForUses'],
  ['waitforuses', 'WaitForUses'],
];
const bad: readonly (readonly string[] | null | undefined)[] = [
  [],
  null,
  undefined,
  ['A'],
  ['WaitForUses', 'A'],
  ['WaitForUses', 'WaitForUses'],
  ['A', 'WaitForUses', 'B', 'WaitForUses'],
  ['waitForUses'],
  ['WaitForUses '],
  ['A', ''],
];

const allowed: RuleCase[] = entries.flatMap(([name, state, stored]) =>
  good.map((transitionTasks) =>
    write(`${name} with ${JSON.stringify(transitionTasks)}`, stored, { state, transitionTasks }),
  ),
);
const denied: DenyCase[] = entries.flatMap(([name, state, stored]) =>
  bad.map((transitionTasks) => ({
    ...write(`${name} with ${JSON.stringify(transitionTasks)}`, stored, { state, transitionTasks }),
    findings: [['deny', 'status.transitionTasks', message(state)] as const],
  })),
);

testWide(rule, allowed, denied);

testRule(rule, feature, {
  allow: [
    write(
      'a reversal asks for no uses',
      { state: 'TurningOn', transitionTasks: WAIT, uses: [DISABLED, ENABLED] },
      {
        state: 'TurningOff',
      },
    ),
    write(
      'staying without a list is not entering',
      { state: 'TurningOff', transitionTasks: null },
      { stability: 'GA' },
    ),
    write('without a state any list', { state: undefined }, { transitionTasks: ['A'] }),
  ],
  deny: [
    {
      ...write(
        'an upgrade does not free the entry',
        {},
        { state: 'TurningOn', version: '1.41.0', transitionTasks: ['A'] },
      ),
      findings: [['deny', 'status.transitionTasks', message('TurningOn')]],
    },
    {
      ...write(
        'said before a past time',
        {},
        {
          state: 'TurningOn',
          transitionTasks: [],
          useEvaluationTime: '2020-01-01T00:00:00Z',
        },
      ),
      findings: [['deny', 'status.transitionTasks', message('TurningOn')]],
    },
  ],
});
