import { rule } from '../../../src/rules/feature/evaluation-wait.ts';
import { feature } from '../bases.ts';
import { type DenyCase, type RuleCase, testRule } from '../rule-tester.ts';
import { DISABLED, ENABLED, type Members, testWide, write } from './writes.ts';

const NEVER =
  'the transition completes without a wait; set useEvaluationTime in the future and let the clients report before it';
const PAST = '2026-06-01T11:00:00Z';
const SOON = '2026-06-01T13:00:00Z';

const turns = [
  ['TurningOn', 'On', 'TurningOff', DISABLED],
  ['TurningOff', 'Off', 'TurningOn', ENABLED],
] as const;
const turning = (state: string, more: Members = {}): Members => ({ state, transitionTasks: ['WaitForUses'], ...more });

const allowed: RuleCase[] = turns.flatMap(([state, end, other, old]) => [
  write(`${end} after a wait`, turning(state, { useEvaluationTime: PAST }), { state: end, transitionTasks: [] }),
  write(`${end} takes the time away`, turning(state, { useEvaluationTime: PAST }), {
    state: end,
    transitionTasks: [],
    useEvaluationTime: null,
  }),
  write(`${end} before the time is said by feature/evaluation-time`, turning(state, { useEvaluationTime: SOON }), {
    state: end,
    transitionTasks: [],
  }),
  write(`${end} with two left is said by feature/completion`, turning(state, { transitionTasks: ['A', 'B'] }), {
    state: end,
    transitionTasks: [],
  }),
  write(`${end} with tasks is said by feature/completion`, turning(state), { state: end }),
  write(`${end} with an old use is said by feature/uses-agree`, turning(state, { uses: [old] }), {
    state: end,
    transitionTasks: [],
  }),
  write(`${end} with a past time is said by feature/evaluation-time`, turning(state), {
    state: end,
    transitionTasks: [],
    useEvaluationTime: PAST,
  }),
  write(`${state} only loses its wait`, turning(state), { transitionTasks: [] }),
  write(`${state} reverses`, turning(state), { state: other }),
  write(`${state} stays`, turning(state), { stability: 'GA' }),
  write(`${end} stays`, { state: end }, { stability: 'GA' }),
  write(`${end} is the first state`, { state: undefined }, { state: end }),
]);
const warned: DenyCase[] = turns.flatMap(([state, end]): DenyCase[] =>
  (
    [
      [`${end} without a time`, turning(state), { state: end, transitionTasks: [] }],
      [`${end} after null`, turning(state, { useEvaluationTime: null }), { state: end, transitionTasks: [] }],
      [`${end} after the wait came off`, turning(state, { transitionTasks: null }), { state: end }],
      [`${end} sets the time only now`, turning(state), { state: end, transitionTasks: [], useEvaluationTime: SOON }],
      [
        `${end} with a stored time that cannot be read`,
        turning(state, { useEvaluationTime: 'soon' }),
        { state: end, transitionTasks: [] },
      ],
    ] as const
  ).map(([name, stored, written]) => ({
    ...write(name, stored, written),
    findings: [['warn', 'status.useEvaluationTime', NEVER] as const],
  })),
);

testWide(rule, allowed, warned);

testRule(rule, feature, {
  allow: [
    write('a leap', { state: 'TurningOn' }, { state: 'Off' }),
    { name: 'the main resource is not asked', old: { '/status/state': 'TurningOn' }, set: { '/status/state': 'On' } },
  ],
  deny: [
    {
      ...write(
        'on a dry run',
        turning('TurningOn'),
        { state: 'On', transitionTasks: [] },
        { dryRun: true, user: null },
      ),
      findings: [['warn', 'status.useEvaluationTime', NEVER]],
    },
    {
      ...write(
        'set to deny',
        turning('TurningOff'),
        { state: 'Off', transitionTasks: [] },
        {
          actions: { 'feature/evaluation-wait': 'deny' },
        },
      ),
      findings: [['deny', 'status.useEvaluationTime', NEVER]],
    },
  ],
});
