import type { Json } from '../../../../src/base/json.ts';
import { rule } from '../../../../src/rules/claim/clusterset-immutable.ts';
import { custom, id, membership, ocm, property } from '../../../support/bases.ts';
import { finds, testRule } from '../../../support/rule-tester.ts';

const to = (value: Json | undefined) => ({ old: {}, set: { '/spec/value': value } });
const changed = (shown: string) =>
  finds(
    'spec.value',
    `the ClusterSet of a membership cannot change, got ${shown}; leave the ClusterSet (delete clusterset.k8s.io), then join the other one (create clusterset.k8s.io)`,
  );

testRule(rule, membership, {
  allow: [
    { name: 'metadata alone', old: {}, set: { '/metadata/labels': { a: 'b' }, '/metadata/finalizers': ['a/b'] } },
    { name: 'an id', base: id, ...to('x') },
    { name: 'a property id', base: property.id, ...to('x') },
    { name: 'a custom claim', base: custom, ...to('x') },
  ],
  deny: [
    { name: 'taken away', ...to(undefined), ...changed('nothing') },
    { name: 'no spec any more', old: {}, set: { '/spec': null }, ...changed('nothing') },
    { name: 'OCM', base: ocm.membership, ...to('x'), ...changed('"x"') },
    { name: 'a property', base: property.membership, ...to('x'), ...changed('"x"') },
  ],
});
