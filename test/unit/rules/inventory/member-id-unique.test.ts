import type { Json, JsonObject } from '../../../../src/base/json.ts';
import { rule } from '../../../../src/rules/inventory/member-id-unique.ts';
import { inventory, profile, profileAlpha } from '../../../support/bases.ts';
import { finds, type RuleCase, testRule, tweaked } from '../../../support/rule-tester.ts';

const LABEL = '/metadata/labels/multicluster.x-k8s.io~1inventory-member-id';
const is = (value: Json | undefined) => ({ set: { [LABEL]: value } });
const other = (tweak: RuleCase['set'] = {}, base = profile): JsonObject =>
  tweaked(base, { '/metadata/name': 'harbour-zz9', [LABEL]: 'm-1', ...tweak });
const taken = (by = 'harbour-zz9', value = 'm-1') =>
  finds(
    'metadata.labels[multicluster.x-k8s.io/inventory-member-id]',
    `the id "${value}" is already that of "${by}" in the same namespace; delete the duplicate profile, or correct the id`,
    'warn',
  );

testRule(rule, profile, {
  allow: [
    { name: 'no label beside another without', state: [other({ [LABEL]: undefined })] },
    { name: 'itself', state: [tweaked(profile, { [LABEL]: 'm-1' })], ...is('m-1') },
    { name: 'an id that stays, where nothing is known', state: 'unknown', old: { [LABEL]: 'm-1' } },
    { name: 'one with another id', state: [other({ [LABEL]: 'm-2' })], ...is('m-1') },
    { name: 'one of another namespace', state: [other({ '/metadata/namespace': 'fleet-b' })], ...is('m-1') },
    { name: 'an InventoryCluster', base: inventory, state: [other({}, inventory)], ...is('m-1') },
  ],
  deny: [
    {
      name: 'itself first, then another',
      state: [tweaked(profile, { [LABEL]: 'm-1' }), other()],
      ...is('m-1'),
      ...taken(),
    },
    { name: 'an id that becomes taken', state: [other()], old: { [LABEL]: 'm-0' }, ...is('m-1'), ...taken() },
    { name: 'one of the other version', base: profileAlpha, state: [other()], ...is('m-1'), ...taken() },
    { name: 'nothing is known', state: 'unknown', ...is('m-1'), unknown: 'silent' },
  ],
});
