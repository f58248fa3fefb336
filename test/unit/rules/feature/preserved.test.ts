import { rule } from '../../../../src/rules/feature/preserved.ts';
import { feature } from '../../../support/bases.ts';
import { type DenyCase, type Tweak, testRule } from '../../../support/rule-tester.ts';

const removal = (name: string, old: Tweak, more = {}) => ({ name, operation: 'DELETE' as const, old, ...more });
const lost = (state: string) =>
  [
    'warn',
    'status.state',
    `the feature is ${state}, and deleting it loses its state and tasks; delete it once it is Off`,
  ] as const;
const UNAVAILABLE =
  'the feature is unavailable in this version, and deleting it loses its state; keep it for a number of versions';

const live: DenyCase[] = ['On', 'TurningOn', 'TurningOff'].flatMap((state) => [
  { ...removal(state, { '/status/state': state }), findings: [lost(state)] },
  {
    ...removal(`${state}, with tasks`, { '/status/state': state, '/status/transitionTasks': ['A', 'WaitForUses'] }),
    findings: [lost(state)],
  },
]);

testRule(rule, feature, {
  allow: [
    ...['Alpha', 'Beta', 'GA', 'Deprecated', 'Universal'].map((stability) =>
      removal(`Off and ${stability}`, { '/status/stability': stability }),
    ),
    removal('no status', { '/status': undefined }),
  ],
  deny: [
    ...live,
    {
      ...removal('unavailable without a state', { '/status/stability': 'Unavailable', '/status/state': undefined }),
      findings: [['warn', 'status.stability', UNAVAILABLE]],
    },
    { ...removal('unknown who', { '/status/state': 'On' }, { user: null }), findings: [lost('On')] },
  ],
});
