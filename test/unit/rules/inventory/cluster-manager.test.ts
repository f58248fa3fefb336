import type { Json } from '../../../../src/base/json.ts';
import { rule } from '../../../../src/rules/inventory/cluster-manager.ts';
import type { Action } from '../../../../src/rules/rule.ts';
import { custom, inventory, profile, profileAlpha } from '../../../support/bases.ts';
import { finds, testRule } from '../../../support/rule-tester.ts';

const NAME = '/spec/clusterManager/name';
const is = (name: Json | undefined) => ({ set: { [NAME]: name } });
const found = (message: string, action: Action = 'deny') => finds('spec.clusterManager.name', message, action);
const missing = found('is missing; set it to the name of the cluster manager that this object belongs to');
const type = (shown: string) => found(`must be a string that is a label value, got ${shown}`);
const unquoted = (shown: string) => type(`${shown}; put it in quotes`);
const invalid = (shown: string, action?: Action) =>
  found(
    `must be a label value, since a label repeats it (1 to 63 of A-Z, a-z, 0-9, "-", "_" and ".", beginning and ending with a letter or digit), got ${shown}`,
    action,
  );

testRule(rule, inventory, {
  allow: [
    { name: '63 characters', ...is('m'.repeat(63)) },
    { name: 'a ClusterProfile', base: profile },
    { name: 'an older missing one filled', old: { '/spec': undefined }, ...is('harbour') },
    { name: 'a claim', base: custom },
  ],
  deny: [
    { name: 'no spec', set: { '/spec': undefined }, ...missing },
    { name: 'a boolean', base: profileAlpha, ...is(true), ...unquoted('true') },
    { name: 'a list', ...is(['harbour']), ...type('a list of 1') },
    { name: '64 characters', ...is('m'.repeat(64)), ...invalid(`"${'m'.repeat(64)}"`) },
    { name: 'an empty name in a ClusterProfile', base: profile, ...is(''), ...missing },
  ],
});
