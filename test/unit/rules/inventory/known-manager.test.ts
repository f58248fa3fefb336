import type { Json } from '../../../../src/base/json.ts';
import { rule } from '../../../../src/rules/inventory/known-manager.ts';
import { inventory, profile } from '../../../support/bases.ts';
import { finds, type RuleCase, testRule } from '../../../support/rule-tester.ts';

const NAME = '/spec/clusterManager/name';
const some: Pick<RuleCase, 'settings'> = {
  settings: {
    inventory: {
      managers: new Map([
        ['harbour', [{ user: 'pilot' }]],
        ['pier', []],
      ]),
    },
  },
};
const is = (name: Json | undefined) => ({ set: { [NAME]: name }, ...some });
const unknown = (name: string) => ({
  ...is(name),
  ...finds(
    'spec.clusterManager.name',
    `is not a configured cluster manager, got "${name}"; correct the name, or add it to inventory.managers`,
    'warn',
  ),
});

testRule(rule, inventory, {
  allow: [
    { name: 'disabled: any name', set: { [NAME]: 'quay' } },
    { name: 'no name, which another rule reports', ...is(undefined) },
    { name: 'a ClusterProfile', base: profile, ...some },
  ],
  deny: [
    { name: 'nobody is configured', ...unknown('harbour'), settings: { inventory: { managers: new Map() } } },
    { name: 'a ClusterProfile', base: profile, ...unknown('quay') },
  ],
});
