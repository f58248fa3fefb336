import { rule } from '../../../src/rules/inventory/unique-name.ts';
import { inventory, profile, profileAlpha } from '../bases.ts';
import { finds, testRule, tweaked } from '../rule-tester.ts';

const elsewhere = tweaked(profile, { '/metadata/namespace': 'fleet-b' });
const taken = (namespace = 'fleet-b') =>
  finds(
    'metadata.name',
    `the name "harbour-7k2" is taken in the namespace ${namespace}; choose a name that no other cluster has`,
    'warn',
  );

testRule(rule, profile, {
  action: 'warn',
  allow: [
    { name: 'ignored at the check, too', point: 'check', state: [elsewhere], actions: {} },
    { name: 'a free name at the scan', point: 'scan', state: [profile] },
    { name: 'no name yet', state: [elsewhere], set: { '/metadata/name': undefined } },
    {
      name: 'an empty name beside another',
      state: [tweaked(elsewhere, { '/metadata/name': '' })],
      set: { '/metadata/name': '' },
    },
    {
      name: 'a cluster-scoped kind',
      base: inventory,
      state: [elsewhere, tweaked(inventory, { '/metadata/namespace': 'x' })],
    },
  ],
  deny: [
    { name: 'itself first, then another', state: [profile, elsewhere], ...taken() },
    { name: 'a terminating one', state: [tweaked(elsewhere, { '/metadata/deletionTimestamp': 'x' })], ...taken() },
    { name: 'one of the other version', base: profileAlpha, state: [elsewhere], ...taken() },
    {
      name: 'one without a namespace',
      state: [tweaked(profile, { '/metadata/namespace': undefined })],
      ...taken('nothing'),
    },
    { name: 'nothing is known at the scan', point: 'scan', state: 'unknown', actions: {}, unknown: 'indeterminate' },
    { name: 'nothing is known', state: 'unknown', unknown: 'silent' },
  ],
});
