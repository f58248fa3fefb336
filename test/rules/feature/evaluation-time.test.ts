import { rule } from '../../../src/rules/feature/evaluation-time.ts';
import { feature } from '../bases.ts';
import { type DenyCase, type RuleCase, testRule } from '../rule-tester.ts';
import { DISABLED, ENABLED, type Members, testWide, write } from './writes.ts';

/** It is noon, and clocks may be 5 s apart. */
const PAST = '2026-06-01T11:00:00Z';
const SOON = '2026-06-01T13:00:00Z';
const LATER = '2026-06-01T14:00:00Z';
const SOON_EAST = '2026-06-02T03:00:00+14:00';
const SOON_WEST = '2026-06-01T02:00:00-11:00';

const early = (stored: string) => `clients have until ${stored} to report; complete the transition after that`;
const removed = (stored: string) => `clients have until ${stored} to report; take the time away after that`;
const earlier = (stored: string, value: string) =>
  `clients were promised until ${stored}, got ${value}; keep the time or move it later`;
const past = (value: string) => `a new time lies in the future, got ${value}; give the clients time to report`;

const TIME = 'status.useEvaluationTime';
const turns = [
  ['TurningOn', 'On', 'TurningOff'],
  ['TurningOff', 'Off', 'TurningOn'],
] as const;

const waiting = (state: string, time?: string | null): Members => ({
  state,
  transitionTasks: ['WaitForUses'],
  useEvaluationTime: time,
});

const refused = (name: string, stored: Members, written: Members, message: string, more = {}): DenyCase => ({
  ...write(name, stored, written, more),
  findings: [['deny', TIME, message]],
});

const allowed: RuleCase[] = turns.flatMap(([state, end, other]) => [
  write(`${end} without a time`, waiting(state), { state: end, transitionTasks: [] }),
  write(`${end} when the time is over`, waiting(state, PAST), { state: end, transitionTasks: [] }),
  write(`${end} when it is over, and the time goes`, waiting(state, PAST), {
    state: end,
    transitionTasks: [],
    useEvaluationTime: undefined,
  }),
  write(`${end} when it is over, and another comes`, waiting(state, PAST), {
    state: end,
    transitionTasks: [],
    useEvaluationTime: SOON,
  }),
  write(`${end} sets a time only now`, waiting(state), { state: end, transitionTasks: [], useEvaluationTime: SOON }),
  write(`${state}: the wait comes off when the time is over`, waiting(state, PAST), { transitionTasks: [] }),
  write(
    `${state}: another task comes off before the time`,
    { ...waiting(state, SOON), transitionTasks: ['A', 'WaitForUses'] },
    {
      transitionTasks: ['WaitForUses'],
    },
  ),
  write(`${state}: a time is set`, waiting(state), { useEvaluationTime: SOON }),
  write(`${state}: a time is set after null`, waiting(state, null), { useEvaluationTime: SOON }),
  write(`${state}: moved later`, waiting(state, SOON), { useEvaluationTime: LATER }),
  write(`${state}: a new round after the first`, waiting(state, PAST), { useEvaluationTime: SOON }),
  write(`${state}: stays`, waiting(state, SOON), { uses: [ENABLED, DISABLED] }),
  write(`${state}: stays over`, waiting(state, PAST), { stability: 'GA' }),
  write(`${state}: removed when over`, waiting(state, PAST), { useEvaluationTime: undefined }),
  write(`${state}: null when over`, waiting(state, PAST), { useEvaluationTime: null }),
  write(`${state}: the same moment in the east`, waiting(state, SOON), { useEvaluationTime: SOON_EAST }),
  write(`${state}: the same moment in the west, with a fraction`, waiting(state, SOON_EAST), {
    useEvaluationTime: SOON_WEST.replace('-11:00', '.000-11:00'),
  }),
  write(`${state}: the same past moment in another zone`, waiting(state, PAST), {
    useEvaluationTime: '2026-06-01T12:00:00+01:00',
  }),
  write(`${state}: later in an eastern zone that reads earlier`, waiting(state, SOON_EAST), {
    useEvaluationTime: '2026-06-01T13:00:01Z',
  }),
  write(`${other} reverses and keeps the time`, waiting(state, SOON), { state: other }),
  write(`${other} reverses and keeps a time that is over`, waiting(state, PAST), { state: other }),
  write(`${other} reverses and drops the time`, waiting(state, SOON), { state: other, useEvaluationTime: undefined }),
  write(`${other} reverses and sets an earlier one`, waiting(state, LATER), { state: other, useEvaluationTime: SOON }),
  write(`${other} reverses and sets a later one`, waiting(state, SOON), { state: other, useEvaluationTime: LATER }),
  write(`${other} reverses and sets one`, waiting(state), { state: other, useEvaluationTime: SOON }),
  write(`${state}: a time that cannot be read is a matter of shape`, waiting(state, SOON), {
    useEvaluationTime: 'soon',
  }),
  write(`${state}: a number is a matter of shape`, waiting(state, SOON), { useEvaluationTime: 1780318800 }),
  write(`${state}: an unreadable stored time binds nobody`, waiting(state, 'soon'), { useEvaluationTime: undefined }),
  write(`${end} after an unreadable stored time`, waiting(state, 'soon'), { state: end, transitionTasks: [] }),
]);

const denied: DenyCase[] = turns.flatMap(([state, end, other]) => [
  refused(`${end} before the time`, waiting(state, SOON), { state: end, transitionTasks: [] }, early(SOON)),
  refused(
    `${end} before the time, none left`,
    { ...waiting(state, SOON), transitionTasks: [] },
    { state: end },
    early(SOON),
  ),
  refused(
    `${end} before the time, which goes`,
    waiting(state, SOON),
    { state: end, transitionTasks: [], useEvaluationTime: null },
    early(SOON),
  ),
  refused(
    `${end} before the time, which becomes a past one`,
    waiting(state, SOON),
    { state: end, transitionTasks: [], useEvaluationTime: PAST },
    early(SOON),
  ),
  refused(
    `${end} before the time, which moves later`,
    waiting(state, SOON),
    { state: end, transitionTasks: [], useEvaluationTime: LATER },
    early(SOON),
  ),
  refused(
    `${end} before a western time that reads as morning`,
    waiting(state, SOON_WEST),
    { state: end, transitionTasks: [] },
    early(SOON_WEST),
  ),
  refused(`${state}: the wait comes off before the time`, waiting(state, SOON), { transitionTasks: [] }, early(SOON)),
  refused(
    `${state}: the wait comes off with a time that cannot be read`,
    waiting(state, SOON),
    { transitionTasks: [], useEvaluationTime: 'soon' },
    early(SOON),
  ),
  refused(`${state}: removed before it is over`, waiting(state, SOON), { useEvaluationTime: undefined }, removed(SOON)),
  refused(`${state}: null before it is over`, waiting(state, SOON), { useEvaluationTime: null }, removed(SOON)),
  refused(
    `${state}: removed with another task`,
    { ...waiting(state, SOON), transitionTasks: ['A', 'WaitForUses'] },
    { transitionTasks: ['WaitForUses'], useEvaluationTime: undefined },
    removed(SOON),
  ),
  refused(`${state}: moved earlier`, waiting(state, LATER), { useEvaluationTime: SOON }, earlier(LATER, SOON)),
  refused(`${state}: moved into the past`, waiting(state, SOON), { useEvaluationTime: PAST }, earlier(SOON, PAST)),
  refused(
    `${state}: moved by a second, in an eastern zone that reads later`,
    waiting(state, SOON),
    { useEvaluationTime: '2026-06-02T02:59:59+14:00' },
    earlier(SOON, '2026-06-02T02:59:59+14:00'),
  ),
  refused(
    `${state}: one that is over moves earlier`,
    waiting(state, PAST),
    { useEvaluationTime: '2026-06-01T10:00:00Z' },
    earlier(PAST, '2026-06-01T10:00:00Z'),
  ),
  refused(
    `${state}: one that is over moves to a later past`,
    waiting(state, '2026-06-01T10:00:00Z'),
    { useEvaluationTime: PAST },
    past(PAST),
  ),
  refused(`${state}: a past time is set`, waiting(state), { useEvaluationTime: PAST }, past(PAST)),
  refused(
    `${state}: a past time in a zone that reads as evening`,
    waiting(state),
    { useEvaluationTime: '2026-06-01T20:00:00+09:00' },
    past('2026-06-01T20:00:00+09:00'),
  ),
  refused(`${other} reverses with a past time`, waiting(state), { state: other, useEvaluationTime: PAST }, past(PAST)),
  refused(
    `${other} reverses and sets an earlier past time`,
    waiting(state, SOON),
    { state: other, useEvaluationTime: PAST },
    past(PAST),
  ),
]);

/** The exact edge of the skew: a stored time is due, a new one lies in the future, up to so many seconds apart. */
const edges = (seconds: number, skew: number | undefined): { allow: RuleCase[]; deny: DenyCase[] } => {
  const settings = skew === undefined ? {} : { settings: { features: { clockSkewSeconds: skew } } };
  const noon = Date.parse('2026-06-01T12:00:00Z');
  const text = (ms: number) => new Date(ms).toISOString();
  const due = text(noon + seconds * 1000);
  const notDue = text(noon + seconds * 1000 + 1);
  const future = text(noon - seconds * 1000 + 1);
  const over = text(noon - seconds * 1000);
  const done = { state: 'On', transitionTasks: [] };
  return {
    allow: [
      write(`completes at the edge of ${seconds} s`, waiting('TurningOn', due), done, settings),
      write(`removed at the edge of ${seconds} s`, waiting('TurningOn', due), { useEvaluationTime: null }, settings),
      write(`just in the future with ${seconds} s`, waiting('TurningOn'), { useEvaluationTime: future }, settings),
    ],
    deny: [
      refused(
        `completes 1 ms before the edge of ${seconds} s`,
        waiting('TurningOn', notDue),
        done,
        early(notDue),
        settings,
      ),
      refused(
        `removed 1 ms before the edge of ${seconds} s`,
        waiting('TurningOn', notDue),
        { useEvaluationTime: null },
        removed(notDue),
        settings,
      ),
      refused(
        `no more in the future with ${seconds} s`,
        waiting('TurningOn'),
        { useEvaluationTime: over },
        past(over),
        settings,
      ),
    ],
  };
};
const skews = [edges(5, undefined), edges(5, 5), edges(0, 0), edges(120, 120), edges(0.5, 0.5)];

testWide(rule, allowed, denied);

testRule(rule, feature, {
  allow: [
    ...skews.flatMap(({ allow }) => allow),
    write('an entry with a time ahead', {}, { ...waiting('TurningOn', SOON) }),
    write('an entry that keeps a time which is over', { useEvaluationTime: PAST }, { ...waiting('TurningOn', PAST) }),
    write('an entry that drops a time which is over', { useEvaluationTime: PAST }, { ...waiting('TurningOn') }),
    write('a time comes before any state', { state: undefined }, { useEvaluationTime: SOON }),
    write('a time comes while Off', {}, { useEvaluationTime: SOON }),
    write('a year far ahead', {}, { useEvaluationTime: '9999-12-31T23:59:59Z' }),
    write('a leaping write is said elsewhere', { useEvaluationTime: SOON }, { state: 'On', useEvaluationTime: PAST }),
    write(
      'uses that disagree are said first',
      { ...waiting('TurningOn', SOON), uses: [DISABLED] },
      {
        state: 'On',
        transitionTasks: [],
      },
    ),
    write('a leftover wait of an older On goes before the time', { ...waiting('On', SOON) }, { transitionTasks: [] }),
    { name: 'the main resource is not asked', old: {}, set: { '/status/useEvaluationTime': PAST } },
  ],
  deny: [
    ...skews.flatMap(({ deny }) => deny),
    refused('an entry with a past time', {}, waiting('TurningOn', PAST), past(PAST)),
    refused('an entry drops a time ahead', { useEvaluationTime: SOON }, waiting('TurningOn'), removed(SOON)),
    refused(
      'an entry moves it earlier',
      { useEvaluationTime: LATER },
      waiting('TurningOn', SOON),
      earlier(LATER, SOON),
    ),
    refused('a past time before any state', { state: undefined }, { useEvaluationTime: PAST }, past(PAST)),
    refused(
      'a first state with a past time',
      { state: undefined },
      { state: 'On', useEvaluationTime: PAST },
      past(PAST),
    ),
    refused('Off drops a time ahead', { useEvaluationTime: SOON }, { useEvaluationTime: null }, removed(SOON)),
    refused(
      'the status without a state goes, and a time ahead with it',
      { state: undefined, useEvaluationTime: SOON },
      {},
      removed(SOON),
      { set: { '/status': null } },
    ),
    refused(
      'leftover tasks of an older object hide nothing',
      { transitionTasks: ['A'], useEvaluationTime: SOON },
      { useEvaluationTime: null },
      removed(SOON),
    ),
    refused('on a dry run', waiting('TurningOn', SOON), { transitionTasks: [] }, early(SOON), { dryRun: true }),
    refused('at a later noon', waiting('TurningOn'), { useEvaluationTime: LATER }, past(LATER), {
      now: '2026-06-02T12:00:00Z',
    }),
    refused('just before the wait ends', waiting('TurningOn', SOON), { transitionTasks: [] }, early(SOON), {
      now: '2026-06-01T12:59:54.999Z',
    }),
  ],
});
