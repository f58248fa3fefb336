import { rule } from '../../../src/rules/feature/client-uses.ts';
import { feature } from '../bases.ts';
import { type DenyCase, type RuleCase, testRule } from '../rule-tester.ts';
import { DISABLED, ENABLED, type Members, use, write } from './writes.ts';

const settings = {
  features: { serverFlow: [{ namespace: 'kube-system', principals: [{ user: 'system:apiserver' }] }] },
};
const CLIENT = { settings, user: 'kubelet-1' };

const removed = (version: string, user = 'kubelet-1') =>
  [
    'deny',
    'status.uses',
    `a client adds or refreshes entries of uses and removes none, and "${user}" takes away version ${version}; only the server flow clears uses`,
  ] as const;
const client = (name: string, stored: Members, written: Members, more: Partial<RuleCase> = {}) =>
  write(name, stored, written, { ...CLIENT, ...more });
const two = { uses: [ENABLED, use('1.39.0', 'Enabled')] };
const denied = (row: RuleCase, version: string): DenyCase => ({ ...row, findings: [removed(version)] });

testRule(rule, feature, {
  allow: [
    write('an empty list names nobody', two, { uses: [] }, { settings: { features: { serverFlow: [] } } }),
    write('the server drops the list', two, { uses: undefined }, { ...CLIENT, user: 'system:apiserver' }),
    client('two more', two, { uses: [...two.uses, DISABLED, use('1.41.0', 'Enabled')] }),
    client('in another order', two, { uses: [...two.uses].reverse() }),
    client('unchanged', two, { stability: 'GA' }),
    client('no entries to lose', {}, {}, { set: { '/status': undefined } }),
  ],
  deny: [
    denied(client('one of two goes', two, { uses: [ENABLED] }), '"1.39.0"'),
    denied(client('the first of two goes', two, { uses: [use('1.39.0', 'Enabled')] }), '"1.40.0"'),
    denied(client('all go', two, { uses: [] }), '"1.40.0"'),
    denied(client('the list becomes null', two, { uses: null }), '"1.40.0"'),
    denied(client('the list goes', two, { uses: undefined }), '"1.40.0"'),
    denied(client('the list becomes text', two, { uses: 'none' }), '"1.40.0"'),
    denied(client('the status goes', two, {}, { set: { '/status': null } }), '"1.40.0"'),
    denied(client('another value in its place', { uses: [ENABLED] }, { uses: [DISABLED] }), '"1.40.0"'),
    denied(
      client('another version in its place', { uses: [ENABLED] }, { uses: [use('1.41.0', 'Enabled')] }),
      '"1.40.0"',
    ),
    denied(client('one goes, one comes', two, { uses: [ENABLED, DISABLED] }), '"1.39.0"'),
    denied(
      client('keys that run together the same', { uses: [use('1', 'Enabled')] }, { uses: [use('1Enabled', '')] }),
      '"1"',
    ),
    denied(
      client('its value becomes unreadable', { uses: [ENABLED] }, { uses: [{ ...ENABLED, enabled: true }] }),
      '"1.40.0"',
    ),
    denied(
      client('an entry without a version goes', { uses: [{ enabled: 'Enabled' }] }, { uses: [ENABLED] }),
      'nothing',
    ),
    denied(client('the last of two without a version goes', { uses: [ENABLED, {}] }, { uses: [ENABLED] }), 'nothing'),
    {
      ...write(
        'by an entry for every namespace',
        two,
        { uses: [] },
        {
          user: 'a',
          settings: { features: { serverFlow: [{ namespace: '*', principals: [{ user: 'b' }] }] } },
        },
      ),
      findings: [removed('"1.40.0"', 'a')],
    },
    { ...write('unknown who takes one', two, { uses: [] }, { settings, user: null }), unknown: 'indeterminate' },
  ],
});
