import type { Json } from '../../../../src/base/json.ts';
import { rule } from '../../../../src/rules/feature/evaluation-time.ts';
import { feature } from '../../../support/bases.ts';
import { type DenyCase, type RuleCase, testRule } from '../../../support/rule-tester.ts';
import { at, DISABLED, ENABLED, finding, type Members, testWide, use, write } from './writes.ts';

/** It is noon, and clocks may be 5 s apart. */
const PAST = '2026-06-01T11:00:00Z';
const SOON = '2026-06-01T13:00:00Z';
const LATER = '2026-06-01T14:00:00Z';
const SOON_EAST = '2026-06-02T03:00:00+14:00';
const SOON_WEST = '2026-06-01T02:00:00-11:00';

const early = (stored: string) => `clients have until ${stored} to report; complete the transition after that`;
const removed = (stored: string) => `clients have until ${stored} to report; remove the time after that`;
const earlier = (stored: string, value: string) =>
  `clients have until ${stored} to report, got the earlier time ${value}; keep the stored time, or set a later one`;
const past = (value: string) => `must be in the future, got ${value}; give the clients time to report`;

const cleared = (version: string, enabled: string, got: string) =>
  `must be a new time in the future, since the write removes a use (version ${version}, ${enabled}) during a transition, got ${got}; set it in the same write, later than the stored time`;

const turns = [
  ['TurningOn', 'On', 'TurningOff'],
  ['TurningOff', 'Off', 'TurningOn'],
] as const;

const waiting = (state: string, time?: string | null): Members => ({
  state,
  transitionTasks: ['WaitForUses'],
  useEvaluationTime: time,
});

/** A list of older days, in which the wait does not come last. */
const MISPLACED = { transitionTasks: ['WaitForUses', 'A'] };

const refused = finding('status.useEvaluationTime');

const allowed: RuleCase[] = turns.flatMap(([state, end, other]) => [
  write(`${end} when the time is over`, waiting(state, PAST), at(end)),
  write(
    `${state}: a misplaced wait comes off when the time is over`,
    { ...waiting(state, PAST), ...MISPLACED },
    { transitionTasks: ['A'] },
  ),
  write(`${state}: stays`, waiting(state, SOON), { uses: [ENABLED, DISABLED] }),
  write(`${state}: stays over`, waiting(state, PAST), { stability: 'GA' }),
  write(`${state}: the same moment in the west, with a fraction`, waiting(state, SOON_EAST), {
    useEvaluationTime: SOON_WEST.replace('-11:00', '.000-11:00'),
  }),
  write(`${other} reverses and drops the time`, waiting(state, SOON), { state: other, useEvaluationTime: undefined }),
  write(`${other} reverses and sets an earlier one`, waiting(state, LATER), { state: other, useEvaluationTime: SOON }),
]);

const denied: DenyCase[] = turns.flatMap(([state, end, other]) => [
  refused(`${end} before the time`, waiting(state, SOON), at(end), early(SOON)),
  refused(`${end} before a western time that reads as morning`, waiting(state, SOON_WEST), at(end), early(SOON_WEST)),
  refused(
    `${state}: a misplaced wait comes off before the time`,
    { ...waiting(state, SOON), ...MISPLACED },
    { transitionTasks: ['A'] },
    early(SOON),
  ),
  refused(`${state}: removed before it is over`, waiting(state, SOON), { useEvaluationTime: undefined }, removed(SOON)),
  refused(`${state}: moved earlier`, waiting(state, LATER), { useEvaluationTime: SOON }, earlier(LATER, SOON)),
  refused(`${other} reverses with a past time`, waiting(state), { state: other, useEvaluationTime: PAST }, past(PAST)),
]);

/** The exact edge of the skew: a stored time is due, a new one lies in the future, up to so many seconds apart. */
const edges = (seconds: number, settings: Partial<RuleCase> = {}) => {
  const noon = Date.parse('2026-06-01T12:00:00Z');
  const timeOf = (ms: number) => new Date(ms).toISOString();
  const due = timeOf(noon + seconds * 1000);
  const notDue = timeOf(noon + seconds * 1000 + 1);
  const over = timeOf(noon - seconds * 1000);
  const future = timeOf(noon - seconds * 1000 + 1);
  const waits = waiting('TurningOn');
  const used = { ...waits, uses: [ENABLED] };
  const clears = (useEvaluationTime: string) => ({ uses: [], useEvaluationTime });
  return {
    allow: [
      write(`clears the uses, just in the future with ${seconds} s`, used, clears(future), settings),
      write(`completes at the edge of ${seconds} s`, waiting('TurningOn', due), at('On'), settings),
      write(`just in the future with ${seconds} s`, waits, { useEvaluationTime: future }, settings),
    ],
    deny: [
      refused(
        `clears the uses, no more in the future with ${seconds} s`,
        used,
        clears(over),
        cleared('"1.40.0"', 'Enabled', `"${over}"`),
        settings,
      ),
      refused(`1 ms before the edge of ${seconds} s`, waiting('TurningOn', notDue), at('On'), early(notDue), settings),
      refused(`no more in the future with ${seconds} s`, waits, { useEvaluationTime: over }, past(over), settings),
    ],
  };
};
const skewed = (clockSkewSeconds: number) => edges(clockSkewSeconds, { settings: { features: { clockSkewSeconds } } });
const skews = [edges(5), skewed(0), skewed(120), skewed(0.5)];

/** Writes under which a transition goes on: what is stored beside uses and time, and what is written. */
const V1 = '1.39.0';
const V2 = '1.40.0';
const OLDER = use(V1, 'Enabled');
const NEWER = use(V2, 'Enabled');
const BOTH = [OLDER, NEWER];
const under = (state: string, other: string, before: string): readonly (readonly [string, Members, Members])[] => [
  [`${state} stays`, waiting(state), {}],
  [`${state} stays, with a task left`, { state, transitionTasks: ['A', 'WaitForUses'] }, {}],
  [`${state} loses a task`, { state, transitionTasks: ['A', 'WaitForUses'] }, { transitionTasks: ['WaitForUses'] }],
  [`${state} in an upgrade`, waiting(state), { version: '2', transitionTasks: ['B', 'WaitForUses'] }],
  [`${state} is entered`, { state: before }, waiting(state)],
  [`${state} is reversed to`, waiting(other), waiting(state)],
  [`${state} is the first state`, { state: undefined }, waiting(state)],
];
/** What of two uses a write leaves, with the first that it removes. */
const removals: readonly (readonly [string, Members[string], string, string])[] = [
  ['all', [], V1, 'Enabled'],
  ['all, null for none', null, V1, 'Enabled'],
  ['all, the list gone', undefined, V1, 'Enabled'],
  ['the first', [NEWER], V1, 'Enabled'],
  ['the second', [OLDER], V2, 'Enabled'],
  ['one that turns', [OLDER, use(V2, 'Disabled')], V2, 'Enabled'],
  ['one for a new one', [use('1.41.0', 'Enabled'), NEWER], V1, 'Enabled'],
  ['one for a twin of the other', [NEWER, NEWER], V1, 'Enabled'],
];
/** What is not removed. */
const kept: readonly (readonly [string, Members[string]])[] = [
  ['a use comes in front', [DISABLED, ...BOTH]],
  ['a use is refreshed', [use(V1, 'Enabled', '2026-06-01T11:59:00Z'), NEWER]],
  ['a use has a note', [{ ...OLDER, note: 'x' }, NEWER]],
];
const transitions = [...under('TurningOn', 'TurningOff', 'Off'), ...under('TurningOff', 'TurningOn', 'On')];
const clearing: RuleCase[] = transitions.flatMap(([name, before, after]) => [
  ...removals.map(([what, uses]) =>
    write(
      `${name} and removes ${what}, with a new time`,
      { ...before, uses: BOTH },
      { ...after, uses, useEvaluationTime: SOON },
    ),
  ),
  write(
    `${name} and removes all, with a later time`,
    { ...before, uses: BOTH, useEvaluationTime: SOON },
    { ...after, uses: [], useEvaluationTime: LATER },
  ),
  write(
    `${name} and removes all, with a time after one that is past`,
    { ...before, uses: BOTH, useEvaluationTime: PAST },
    { ...after, uses: [], useEvaluationTime: SOON },
  ),
  write(
    `${name} and removes all, with a later time that reads earlier`,
    { ...before, uses: BOTH, useEvaluationTime: SOON_EAST },
    { ...after, uses: [], useEvaluationTime: '2026-06-01T13:00:01Z' },
  ),
  ...kept.map(([what, uses]) =>
    write(`${name}, ${what}`, { ...before, uses: BOTH }, { ...after, useEvaluationTime: undefined, uses }),
  ),
  write(`${name}, and one of two twins goes`, { ...before, uses: [OLDER, OLDER] }, { ...after, uses: [OLDER] }),
  write(`${name}, none where none were, null and absent`, { ...before, uses: null }, { ...after, uses: undefined }),
  // feature/shape alone reports these.
  ...[
    { version: V1, enabled: 'Enabled' },
    'none',
    7,
    [OLDER, null],
    [OLDER, 'x'],
    [OLDER, { ...NEWER, version: 1.4 }],
    [OLDER, { ...NEWER, version: undefined }],
    [OLDER, { ...NEWER, enabled: 'enabled' }],
    [OLDER, { ...NEWER, enabled: true }],
  ].map((uses) =>
    write(
      `${name}, and uses that cannot be read: ${JSON.stringify(uses)}`,
      { ...before, uses: BOTH },
      { ...after, uses: uses as Json },
    ),
  ),
  ...['soon', 1780318800, '2026-06-01', '2026-06-01T13:00:00'].map((time) =>
    write(
      `${name} and removes all, with a time that cannot be read: ${time}`,
      { ...before, uses: BOTH },
      { ...after, uses: [], useEvaluationTime: time },
    ),
  ),
]);
const unpromised: DenyCase[] = transitions.flatMap(([name, before, after]) => [
  ...removals.map(([what, uses, version, enabled]) =>
    refused(
      `${name} and removes ${what}`,
      { ...before, uses: BOTH },
      { ...after, uses },
      cleared(`"${version}"`, enabled, 'nothing'),
    ),
  ),
  ...(
    [
      ['with a past time', undefined, PAST],
      ['with the same moment in another zone', SOON, SOON_WEST],
      ['with an earlier time', LATER, SOON],
      ['with an earlier time that reads later', SOON, '2026-06-02T02:59:59+14:00'],
    ] as const
  ).map(([what, stored, time]) =>
    refused(
      `${name} and removes all, ${what}`,
      { ...before, uses: BOTH, useEvaluationTime: stored },
      { ...after, uses: [], useEvaluationTime: time },
      cleared(`"${V1}"`, 'Enabled', `"${time}"`),
    ),
  ),
  refused(
    `${name} and removes all, and the time goes`,
    { ...before, uses: BOTH, useEvaluationTime: SOON },
    { ...after, uses: [], useEvaluationTime: null },
    cleared(`"${V1}"`, 'Enabled', 'nothing'),
  ),
  refused(
    `${name} and removes one, and another that cannot be read stays`,
    { ...before, uses: [{ version: 7, enabled: 'Enabled' }, NEWER] },
    { ...after, uses: [{ version: 7, enabled: 'Enabled' }] },
    cleared(`"${V2}"`, 'Enabled', 'nothing'),
  ),
]);

testWide(rule, [...allowed, ...clearing], [...denied, ...unpromised]);

const REMOVES = { uses: [] };
const PROMISED = { state: undefined, useEvaluationTime: SOON };

testRule(rule, feature, {
  allow: [
    ...skews.flatMap(({ allow }) => allow),
    write('an entry with a time ahead', {}, waiting('TurningOn', SOON)),
    ...['Off', 'On'].map((state) =>
      write(`a backup with a past time: ${state}`, { state: undefined }, { state, useEvaluationTime: PAST }),
    ),
    ...['TurningOn', 'TurningOff'].map((state) =>
      write(`a backup with a past time: ${state}`, { state: null }, waiting(state, PAST)),
    ),
    write(
      'a backup of the status',
      {},
      { ...waiting('TurningOff', PAST), uses: [ENABLED] },
      { old: { '/status': null } },
    ),
    ...turns.flatMap(([from, state]) => [
      write(`${state} clears as it appears`, { state: undefined, uses: BOTH }, { state, ...REMOVES }),
      write(
        `${state} clears as it completes`,
        { ...waiting(from, PAST), uses: [use(V1, state === 'On' ? 'Enabled' : 'Disabled')] },
        { ...at(state), ...REMOVES },
      ),
    ]),
    write(
      'an entry of another kind that is no longer there was no use',
      { ...waiting('TurningOn'), uses: [OLDER, 'x', null, { version: V1 }] },
      { uses: [OLDER] },
    ),
  ],
  deny: [
    refused(
      'clears before the time, as a misplaced wait comes off: the stored time first',
      { ...waiting('TurningOn', SOON), ...MISPLACED, uses: BOTH },
      { transitionTasks: ['A'], ...REMOVES },
      early(SOON),
    ),
    refused(
      'removes a use of a version that is no text',
      { ...waiting('TurningOn'), uses: [{ version: 7, enabled: 'Enabled' }] },
      REMOVES,
      cleared('nothing', 'Enabled', 'nothing'),
    ),
    ...skews.flatMap(({ deny }) => deny),
    refused('an entry with a past time', {}, waiting('TurningOn', PAST), past(PAST)),
    refused('a backup over a promised time', PROMISED, waiting('TurningOn', PAST), earlier(SOON, PAST)),
    refused('Off drops a time ahead', { useEvaluationTime: SOON }, { useEvaluationTime: null }, removed(SOON)),
    refused('the whole status goes, and a time ahead with it', PROMISED, {}, removed(SOON), {
      set: { '/status': null },
    }),
    refused('at a later noon', waiting('TurningOn'), { useEvaluationTime: LATER }, past(LATER), {
      now: '2026-06-02T12:00:00Z',
    }),
  ],
});
