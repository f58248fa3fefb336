import { rule } from '../../../../src/rules/feature/client-uses.ts';
import { feature } from '../../../support/bases.ts';
import { type RuleCase, testRule } from '../../../support/rule-tester.ts';
import { DISABLED, ENABLED, finding, type Members, use, write } from './writes.ts';

const settings = {
  features: { serverFlow: [{ namespace: 'kube-system', principals: [{ user: 'system:apiserver' }] }] },
};
const CLIENT = { settings, user: 'kubelet-1' };

const onUses = finding('status.uses');
const removed = (name: string, stored: Members, written: Members, version = '"1.40.0"', more: Partial<RuleCase> = {}) =>
  onUses(
    name,
    stored,
    written,
    `a client may add or refresh entries of uses but not remove one, and "${more.user ?? CLIENT.user}" removes that of version ${version}; write it back: only the server flow clears uses`,
    { ...CLIENT, ...more },
  );
const client = (name: string, stored: Members, written: Members, more: Partial<RuleCase> = {}) =>
  write(name, stored, written, { ...CLIENT, ...more });
const one = { uses: [ENABLED] };
const two = { uses: [ENABLED, use('1.39.0', 'Enabled')] };
const NONE = { uses: [] };

testRule(rule, feature, {
  allow: [
    write('anyone clears without the setting', two, NONE),
    client('an empty list names nobody', two, NONE, { settings: { features: { serverFlow: [] } } }),
    client('the server drops the list', two, { uses: undefined }, { user: 'system:apiserver' }),
    client('two more', two, { uses: [...two.uses, DISABLED, use('1.41.0', 'Enabled')] }),
    client('in another order', two, { uses: [...two.uses].reverse() }),
    client('unchanged', two, { stability: 'GA' }),
    client('no entries to lose', {}, {}, { set: { '/status': undefined } }),
  ],
  deny: [
    removed('one of two goes', two, one, '"1.39.0"'),
    removed('the first of two goes', two, { uses: [use('1.39.0', 'Enabled')] }),
    removed('all go', two, NONE),
    removed('the list becomes null', two, { uses: null }),
    removed('the list goes', two, { uses: undefined }),
    removed('the list becomes text', two, { uses: 'none' }),
    removed('the status goes', two, {}, undefined, { set: { '/status': null } }),
    removed('another value in its place', one, { uses: [DISABLED] }),
    removed('another version in its place', one, { uses: [use('1.41.0', 'Enabled')] }),
    removed('one goes, one comes', two, { uses: [ENABLED, DISABLED] }, '"1.39.0"'),
    removed('keys that run together', { uses: [use('1', 'Enabled')] }, { uses: [use('1Enabled', '')] }, '"1"'),
    removed('its value becomes unreadable', one, { uses: [{ ...ENABLED, enabled: true }] }),
    removed('an entry without a version goes', { uses: [{ enabled: 'Enabled' }] }, one, 'nothing'),
    removed('the last of two without a version goes', { uses: [ENABLED, {}] }, one, 'nothing'),
    { ...client('unknown who takes one', two, NONE, { user: null }), unknown: 'indeterminate' },
  ],
});
