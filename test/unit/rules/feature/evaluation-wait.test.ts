import { rule } from '../../../../src/rules/feature/evaluation-wait.ts';
import { feature } from '../../../support/bases.ts';
import { finds, type RuleCase, testRule } from '../../../support/rule-tester.ts';
import { at, DISABLED, ENABLED, finding, type Members, testWide, write } from './writes.ts';

const TIME = 'status.useEvaluationTime';
const NEVER =
  'the transition completes without waiting for clients; set useEvaluationTime to a time in the future first, and complete the transition after it';
const PAST = '2026-06-01T11:00:00Z';
const SOON = '2026-06-01T13:00:00Z';

const past = (value: string) =>
  `is left over from an earlier transition and would count as a wait, got "${value}"; remove it, or set a time in the future`;
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
  write(
    `${end} before the time is reported by feature/evaluation-time`,
    turning(state, { useEvaluationTime: SOON }),
    at(end),
  ),
  write(`${end} with tasks is reported by feature/completion`, turning(state), { state: end }),
  write(`${end} with an old use is reported by feature/uses-agree`, turning(state, { uses: [old] }), at(end)),
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
const warned = finding('status.useEvaluationTime', 'warn');
const leftOver = entries.flatMap(([name, from, to]) =>
  (
    [
      [`${name} with a past time`, PAST],
      [`${name} at the edge of the skew`, OVER],
      [`${name} with a past time that reads as evening`, PAST_EAST],
    ] as const
  ).map(([row, time]) => ({ ...entry(row, from, to, time, time), ...finds(TIME, past(time), 'warn') })),
);
const unwaited = turns.flatMap(([state, end]) => [
  warned(`${end} without a time`, turning(state), at(end), NEVER),
  warned(`${end} sets the time only now`, turning(state), { ...at(end), useEvaluationTime: SOON }, NEVER),
]);

testWide(rule, [...allowed, ...entered], [...unwaited, ...leftOver]);

const skewed = (name: string, clockSkewSeconds: number, time: string) => ({
  ...entry(name, 'Off', 'TurningOn', time, time),
  settings: { features: { clockSkewSeconds } },
});
const NOON = '2026-06-01T12:00:00Z';

testRule(rule, feature, {
  allow: [
    write(
      'an entry that clears uses beside a past time is reported by feature/evaluation-time',
      { useEvaluationTime: PAST, uses: [DISABLED] },
      { ...turning('TurningOn'), uses: [] },
    ),
    write('a past time while it goes on', turning('TurningOn', { useEvaluationTime: PAST }), { stability: 'GA' }),
    write('Off appears with a past time', { state: undefined, useEvaluationTime: PAST }, { state: 'Off' }),
    skewed('a wider skew', 120, '2026-06-01T11:58:01Z'),
  ],
  deny: [
    { ...skewed('no skew at all', 0, NOON), ...finds(TIME, past(NOON), 'warn') },
    warned(
      'a backup that is restored, with an older past time stored',
      { state: undefined },
      turning('TurningOff', { useEvaluationTime: PAST }),
      past(PAST),
    ),
  ],
});
