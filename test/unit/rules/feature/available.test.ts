import { rule } from '../../../../src/rules/feature/available.ts';
import { feature } from '../../../support/bases.ts';
import { finds, type RuleCase, testRule } from '../../../support/rule-tester.ts';
import { at, type Members, testWide, write } from './writes.ts';

const message = (version: string) =>
  `should not be turned on: the stability is Unavailable, so version ${version} does not have the feature; leave it Off until a version has it`;
const warned = (row: RuleCase, version = '"1.40.0"') => ({
  ...row,
  ...finds('status.state', message(version), 'warn'),
});

const GONE = { stability: 'Unavailable' };
const turning = (state: string) => at(state, 'WaitForUses');
const ways: readonly (readonly [string, Members])[] = [
  ['from TurningOff, a reversal', turning('TurningOff')],
  ['from no state', { state: undefined }],
];

testWide(
  rule,
  ways.flatMap(([name, before]) => [
    ...['Alpha', 'Universal', undefined, null, 'unavailable', true, [GONE.stability]].map((stability) =>
      write(`${name}: ${JSON.stringify(stability)}`, before, { ...turning('TurningOn'), stability }),
    ),
    write(
      `${name}: available again, in the same write`,
      { ...before, ...GONE },
      { ...turning('TurningOn'), stability: 'Alpha' },
    ),
  ]),
  ways.flatMap(([name, before]) => [
    warned(write(name, { ...before, ...GONE }, turning('TurningOn'))),
    warned(write(`${name}: unavailable in the same write`, before, { ...turning('TurningOn'), ...GONE })),
    warned(
      write(`${name}: in an upgrade`, { ...before, ...GONE }, { ...turning('TurningOn'), version: '1.41.0' }),
      '"1.41.0"',
    ),
    warned(write(`${name}: of no version`, { ...before, ...GONE, version: null }, turning('TurningOn')), 'nothing'),
  ]),
);

testRule(rule, feature, {
  allow: [
    write('Off stays', GONE, { default: 'Enabled' }),
    write('TurningOn stays', { ...turning('TurningOn'), ...GONE }, { uses: [] }),
    write('TurningOn completes', { ...turning('TurningOn'), ...GONE }, at('On')),
    write('TurningOff appears', { state: undefined, ...GONE }, turning('TurningOff')),
  ],
  deny: [
    warned(write('beside a list that is missing, which feature/tasks-on-entry reports', GONE, { state: 'TurningOn' })),
    warned(write('unavailable in the first status', { state: undefined, ...GONE }, turning('TurningOn'))),
  ],
});
