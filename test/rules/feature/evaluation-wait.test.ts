import { rule } from '../../../src/rules/feature/evaluation-wait.ts';
import { feature } from '../bases.ts';
import { type DenyCase, type RuleCase, testRule } from '../rule-tester.ts';
import { DISABLED, ENABLED, type Members, testWide, write } from './writes.ts';

const NEVER =
  'the transition completes without a wait; set useEvaluationTime in the future and let the clients report before it';
const PAST = '2026-06-01T11:00:00Z';
const SOON = '2026-06-01T13:00:00Z';

const past = (value: string) =>
  `is left over from an earlier transition and would count as a wait, got "${value}"; take it away, or set a time in the future`;
/** The edge of the skew of 5 s: past by any clock, and by some only. */
const OVER = '2026-06-01T11:59:55Z';
const ALMOST = '2026-06-01T11:59:55.001Z';
const PAST_EAST = '2026-06-01T20:00:00+09:00';
const SOON_WEST = '2026-06-01T02:00:00-11:00';

const turns = [
  ['TurningOn', 'On', 'TurningOff', DISABLED],
  ['TurningOff', 'Off', 'TurningOn', ENABLED],
] as const;
const turning = (state: string, more: Members = {}): Members => ({ state, transitionTasks: ['WaitForUses'], ...more });

const allowed: RuleCase[] = turns.flatMap(([state, end, other, old]) => [
  write(`${end} after a wait`, turning(state, { useEvaluationTime: PAST }), { state: end, transitionTasks: [] }),
  write(`${end} before the time is said by feature/evaluation-time`, turning(state, { useEvaluationTime: SOON }), {
    state: end,
    transitionTasks: [],
  }),
  write(`${end} with tasks is said by feature/completion`, turning(state), { state: end }),
  write(`${end} with an old use is said by feature/uses-agree`, turning(state, { uses: [old] }), {
    state: end,
    transitionTasks: [],
  }),
  write(`${state} reverses`, turning(state), { state: other }),
  write(`${state} stays`, turning(state), { stability: 'GA' }),
  write(`${end} stays`, { state: end }, { stability: 'GA' }),
  write(`${end} is the first state`, { state: undefined }, { state: end }),
]);
/** Each way into a transition, with the state before it. */
const entries: readonly (readonly [string, string | undefined, string])[] = [
  ['TurningOn is entered', 'Off', 'TurningOn'],
  ['TurningOff is entered', 'On', 'TurningOff'],
  ['TurningOn is reversed to', 'TurningOff', 'TurningOn'],
  ['TurningOff is reversed to', 'TurningOn', 'TurningOff'],
  ['TurningOn is the first state', undefined, 'TurningOn'],
  ['TurningOff is the first state, as in a backup that is restored', undefined, 'TurningOff'],
];
const entry = (name: string, from: string | undefined, to: string, before: Members[string], after: Members[string]) =>
  write(
    name,
    { state: from, transitionTasks: ['A', 'WaitForUses'], useEvaluationTime: before },
    { state: to, transitionTasks: ['WaitForUses'], useEvaluationTime: after },
  );
const entered: RuleCase[] = entries.flatMap(([name, from, to]) => [
  entry(`${name} without a time`, from, to, undefined, undefined),
  entry(`${name}, and the past time goes`, from, to, PAST, undefined),
  entry(`${name} with a new time`, from, to, PAST, SOON),
  entry(`${name} with a time to come that reads as past`, from, to, SOON_WEST, SOON_WEST),
  entry(`${name} with a time that is past by some clocks only`, from, to, ALMOST, ALMOST),
]);
const leftOver: DenyCase[] = entries.flatMap(([name, from, to]): DenyCase[] =>
  (
    [
      [`${name} with a past time`, PAST],
      [`${name} at the edge of the skew`, OVER],
      [`${name} with a past time that reads as evening`, PAST_EAST],
    ] as const
  ).map(([row, time]) => ({
    ...entry(row, from, to, time, time),
    findings: [['warn', 'status.useEvaluationTime', past(time)] as const],
  })),
);

const warned: DenyCase[] = turns.flatMap(([state, end]): DenyCase[] =>
  (
    [
      [`${end} without a time`, turning(state), { state: end, transitionTasks: [] }],
      [`${end} sets the time only now`, turning(state), { state: end, transitionTasks: [], useEvaluationTime: SOON }],
    ] as const
  ).map(([name, stored, written]) => ({
    ...write(name, stored, written),
    findings: [['warn', 'status.useEvaluationTime', NEVER] as const],
  })),
);

testWide(rule, [...allowed, ...entered], [...warned, ...leftOver]);

testRule(rule, feature, {
  allow: [
    write(
      'an entry that clears uses beside a past time is said by feature/evaluation-time',
      { useEvaluationTime: PAST, uses: [DISABLED] },
      { state: 'TurningOn', transitionTasks: ['WaitForUses'], uses: [] },
    ),
    write('a past time while a transition goes on', turning('TurningOn', { useEvaluationTime: PAST }), {
      stability: 'GA',
    }),
    write('Off appears with a past time', { state: undefined, useEvaluationTime: PAST }, { state: 'Off' }),
    {
      ...entry('a wider skew', 'Off', 'TurningOn', '2026-06-01T11:58:01Z', '2026-06-01T11:58:01Z'),
      settings: { features: { clockSkewSeconds: 120 } },
    },
  ],
  deny: [
    {
      ...entry('no skew at all', 'Off', 'TurningOn', '2026-06-01T12:00:00Z', '2026-06-01T12:00:00Z'),
      settings: { features: { clockSkewSeconds: 0 } },
      findings: [['warn', 'status.useEvaluationTime', past('2026-06-01T12:00:00Z')]],
    },
    {
      ...write(
        'a backup that is restored, with an older past time stored',
        { state: undefined },
        { state: 'TurningOff', transitionTasks: ['WaitForUses'], useEvaluationTime: PAST },
      ),
      findings: [['warn', 'status.useEvaluationTime', past(PAST)]],
    },
  ],
});
