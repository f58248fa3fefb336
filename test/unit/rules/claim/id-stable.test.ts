import type { Json } from '../../../../src/base/json.ts';
import { rule } from '../../../../src/rules/claim/id-stable.ts';
import { custom, DYING, id, membership, ocm, property } from '../../../support/bases.ts';
import { finds, testRule, tweaked } from '../../../support/rule-tester.ts';

const to = (value: Json | undefined) => ({ old: {}, set: { '/spec/value': value } });
const changed = (shown: string) =>
  finds(
    'spec.value',
    `an id should stay the same for the life of its cluster, got ${shown}; change it only if nothing uses the former id`,
    'warn',
  );

testRule(rule, id, {
  allow: [
    { name: 'a change while leaving, likewise', state: [tweaked(membership, DYING)], ...to('north-2') },
    { name: 'OCM within', base: ocm.id, state: [ocm.membership], ...to('north-2') },
    { name: 'metadata alone', old: {}, set: { '/metadata/labels': { a: 'b' }, '/metadata/finalizers': ['a/b'] } },
    { name: 'null for a value that was missing', old: { '/spec/value': undefined }, set: { '/spec/value': null } },
    { name: 'another claim', base: custom, ...to('south') },
  ],
  deny: [
    { name: 'a value at last', old: { '/spec/value': undefined }, set: { '/spec/value': 'x' }, ...changed('"x"') },
    {
      name: 'a member of another dialect',
      state: [ocm.membership, property.membership],
      ...to('x'),
      ...changed('"x"'),
    },
    { name: 'OCM', base: ocm.id, state: [membership], ...to('x'), ...changed('"x"') },
    { name: 'a property', base: property.id, ...to('x'), ...changed('"x"') },
    { name: 'its older name', base: property.olderId, ...to('x'), ...changed('"x"') },
    { name: 'nothing is known', state: 'unknown', ...to('x'), unknown: 'silent' },
  ],
});
