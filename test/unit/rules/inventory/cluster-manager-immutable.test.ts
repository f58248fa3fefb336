import type { Json } from '../../../../src/base/json.ts';
import { rule } from '../../../../src/rules/inventory/cluster-manager-immutable.ts';
import { inventory, profile } from '../../../support/bases.ts';
import { finds, testRule } from '../../../support/rule-tester.ts';

const MANAGER = '/spec/clusterManager';
const from = (before: Json | undefined, after: Json | undefined) => ({
  old: { [MANAGER]: before },
  set: { [MANAGER]: after },
});
const to = (name: Json | undefined) => ({ old: {}, set: { [`${MANAGER}/name`]: name } });
const changed = (shown: string) =>
  finds(
    'spec.clusterManager',
    `the cluster manager of an object cannot change, got ${shown}; keep the stored one, or delete the object and let the other manager create its own`,
  );

testRule(rule, inventory, {
  allow: [
    { name: 'a manager gained from no spec', old: { '/spec': undefined }, set: { [MANAGER]: { name: 'harbour' } } },
    { name: 'a name gained', ...from({}, { name: 'harbour' }) },
    { name: 'a name gained beside what is kept', ...from({ region: 'x' }, { region: 'x', name: 'harbour' }) },
    { name: 'a name gained beside what is deep', ...from({ a: { b: [1] } }, { a: { b: [1] }, name: 'harbour' }) },
    { name: 'an empty name filled in a ClusterProfile', base: profile, ...from({ name: '' }, { name: 'x' }) },
    { name: 'a ClusterProfile', base: profile, old: {}, set: { '/spec/displayName': 'South' } },
  ],
  deny: [
    { name: 'an empty name whose manager is taken away', ...from({ name: '' }, undefined), ...changed('nothing') },
    { name: 'a name gained and a field lost', ...from({ region: 'x' }, { name: 'a' }), ...changed('"a"') },
    { name: 'a ClusterProfile', base: profile, ...to('other'), ...changed('"other"') },
  ],
});
