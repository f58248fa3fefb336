import { rule } from '../../../../src/rules/feature/tasks-on-entry.ts';
import { feature } from '../../../support/bases.ts';
import { testRule } from '../../../support/rule-tester.ts';
import { at, DISABLED, ENABLED, finding, type Members, testWide, write } from './writes.ts';

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
  `a write that enters ${state} must list its tasks and end with WaitForUses (exactly once); end the list with WaitForUses`;

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

const onTasks = finding('status.transitionTasks');

testWide(
  rule,
  entries.flatMap(([name, state, stored]) =>
    good.map((transitionTasks) =>
      write(`${name} with ${JSON.stringify(transitionTasks)}`, stored, { state, transitionTasks }),
    ),
  ),
  entries.flatMap(([name, state, stored]) =>
    bad.map((transitionTasks) =>
      onTasks(`${name} with ${JSON.stringify(transitionTasks)}`, stored, { state, transitionTasks }, message(state)),
    ),
  ),
);

const SCAN = { stored: true } as const;
const left = (state: string) =>
  `the tasks of a feature that is ${state} must end with WaitForUses (exactly once); such a list can come with a new status.version, or when the transition turns around`;
const PAST = { useEvaluationTime: '2020-01-01T00:00:00Z' };

testRule(rule, feature, {
  allow: [
    write(
      'a reversal asks for no uses',
      { ...at('TurningOn', 'WaitForUses'), uses: [DISABLED, ENABLED] },
      { state: 'TurningOff' },
    ),
    write(
      'staying without a list is not entering',
      { ...at('TurningOff'), transitionTasks: null },
      { stability: 'GA' },
    ),
    write('without a state any list', { state: undefined }, { transitionTasks: ['A'] }),
    write('stored with the tasks that are left', {}, at('TurningOn', 'B', 'WaitForUses'), SCAN),
    write('stored with the last task', {}, at('TurningOff', 'WaitForUses'), SCAN),
    write('stored without tasks, ready to complete', {}, at('TurningOn'), SCAN),
    write('stored, and settled', {}, at('On'), SCAN),
  ],
  deny: [
    onTasks('an upgrade does not free the entry', {}, { ...at('TurningOn', 'A'), version: '2' }, message('TurningOn')),
    onTasks('stored without the end', {}, at('TurningOn', 'A'), left('TurningOn'), SCAN),
    onTasks('stored with two ends', {}, at('TurningOff', 'WaitForUses', 'WaitForUses'), left('TurningOff'), SCAN),
    onTasks('found before a past time', {}, { ...at('TurningOn'), ...PAST }, message('TurningOn')),
  ],
});
