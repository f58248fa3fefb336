import { rule } from '../../../../src/rules/feature/uses-agree.ts';
import { feature } from '../../../support/bases.ts';
import { type DenyCase, type RuleCase, testRule } from '../../../support/rule-tester.ts';
import { at, finding, type Members, testWide, use, write } from './writes.ts';

const reported = (old: string, version = '"1.39.0"') =>
  `WaitForUses is not done: version ${version} still reports ${old}; clear the uses, set useEvaluationTime and wait for the clients to report`;
const stored = (old: string, version = '"1.39.0"') =>
  `WaitForUses is not done: the stored uses still contain ${old} from version ${version}; first clear the uses in a separate write that sets useEvaluationTime to a time in the future, wait until then, and complete the transition if no client has reported ${old} again`;

/** Each turn: the state that waits, the one it ends in, the value of old and the new one. */
const turns = [
  ['TurningOn', 'On', 'Disabled', 'Enabled'],
  ['TurningOff', 'Off', 'Enabled', 'Disabled'],
] as const;

/** The writes that claim that no client reports the old value any more. */
const claims = (from: string, to: string): readonly (readonly [string, Members, Members])[] => [
  ['completes with the wait', at(from, 'WaitForUses'), at(to)],
  ['completes after the wait', at(from), { state: to }],
  ['completes an older list', at(from, 'A'), { state: to, transitionTasks: null }],
  ['completes in an upgrade', at(from, 'WaitForUses'), { state: to, transitionTasks: null, version: '2' }],
  [
    'takes off a misplaced wait in an upgrade',
    at(from, 'WaitForUses', 'A', 'B'),
    { ...at(from, 'A', 'B'), version: '2' },
  ],
  ['takes off a misplaced wait', at(from, 'WaitForUses', 'A'), { transitionTasks: ['A'] }],
];

/** The two plain ones stand for all in the wide tables. */
const plainClaims = (from: string, to: string) => claims(from, to).filter((_, index) => index === 0 || index === 5);

const allowed: RuleCase[] = turns.flatMap(([from, to, old, now]) => [
  ...claims(from, to).map(([name, before, after]) => write(`${from} ${name}: no uses`, before, after)),
  ...plainClaims(from, to).flatMap(([name, before, after]) => [
    write(`${from} ${name}: uses absent`, { ...before, uses: undefined }, after),
    write(`${from} ${name}: another spelling is a matter of shape`, before, {
      ...after,
      uses: [use('1.39.0', old.toLowerCase()), { version: '1.39.0', enabled: true }, 'Enabled', null],
    }),
    write(`${from} ${name}: uses that are no list`, before, { ...after, uses: { enabled: old } }),
  ]),
  write(
    `${from}: the old value stays while it waits`,
    { ...at(from, 'WaitForUses'), uses: [use('1.39.0', old)] },
    { stability: 'GA' },
  ),
  write(`${to}: reports are free`, { state: to }, { uses: [use('1.39.0', old), use('1.39.0', now)] }),
]);
const refused = finding('status.uses');
const denied: DenyCase[] = turns.flatMap(([from, to, old, now]) => [
  ...claims(from, to).flatMap(([name, before, after]) => [
    refused(
      `${from} ${name}: this write clears it`,
      { ...before, uses: [use('1.39.0', old)] },
      { ...after, uses: [] },
      stored(old),
    ),
  ]),
  ...plainClaims(from, to).flatMap(([name, before, after]) => [
    refused(
      `${from} ${name}: the whole list goes`,
      { ...before, uses: [use('1.38.0', now), use('1.39.0', old)] },
      { ...after, uses: undefined },
      stored(old),
    ),
    refused(
      `${from} ${name}: by a version that is no text`,
      before,
      { ...after, uses: [{ version: 7, enabled: old }] },
      reported(old, 'nothing'),
    ),
  ]),
]);

testWide(rule, allowed, denied);

const late = { uses: [use('1.39.0', 'Disabled')], useEvaluationTime: '2026-07-01T00:00:00Z' };

testRule(rule, feature, {
  allow: [
    write(
      'a reversal may lose a misplaced wait of an older list',
      { ...at('TurningOn', 'WaitForUses', 'A', 'WaitForUses'), uses: [use('1', 'Disabled')] },
      { ...at('TurningOff', 'A', 'WaitForUses'), uses: [use('1', 'Enabled')] },
    ),
  ],
  deny: [refused('before the time', { ...at('TurningOn', 'WaitForUses'), ...late }, at('On'), reported('Disabled'))],
});
