import { rule } from '../../../../src/rules/claim/id-present-in-clusterset.ts';
import { alpha, custom, DYING, id, membership, ocm, property } from '../../../support/bases.ts';
import { finds, type RuleCase, testRule, tweaked } from '../../../support/rule-tester.ts';

const gone = (name: string, row: Omit<RuleCase, 'name'> = {}): RuleCase => ({ name, operation: 'DELETE', ...row });
const deleted = (name = 'id.k8s.io') =>
  finds(
    'metadata.name',
    `${name} cannot be deleted while clusterset.k8s.io exists; leave the ClusterSet first (delete clusterset.k8s.io)`,
  );
const NEWER = 'cluster.clusterset.k8s.io';
const COLLECTOR = 'system:serviceaccount:kube-system:generic-garbage-collector';

testRule(rule, id, {
  allow: [
    gone('another claim', { base: custom, state: [membership] }),
    gone('the membership', { base: membership, state: [id, membership] }),
    gone('a member of another dialect', { state: [ocm.membership, property.membership] }),
    gone('OCM, where ours is a member', { base: ocm.id, state: [membership] }),
    gone('the older name, where the newer exists', {
      base: property.olderId,
      state: [property.id, property.membership],
    }),
    gone('the older name, where the newer exists in the other version', {
      base: property.olderId,
      state: [alpha.id, property.membership],
    }),
    { name: 'an update', state: [membership], old: {}, set: { '/spec/value': 'x' } },
  ],
  deny: [
    { ...gone('while leaving', { state: [tweaked(membership, DYING)] }), ...deleted() },
    { ...gone('OCM', { base: ocm.id, state: [ocm.membership] }), ...deleted() },
    { ...gone('a property', { base: property.id, state: [property.membership] }), ...deleted(NEWER) },
    {
      ...gone('the newer name, where the older stays', {
        base: alpha.id,
        state: [property.olderId, property.membership],
      }),
      ...deleted(NEWER),
    },
    { ...gone('the older name alone', { base: property.olderId, state: [property.membership] }), ...deleted() },
    {
      ...gone('the older name, where only another dialect has the newer', {
        base: property.olderId,
        state: [tweaked(id, { '/metadata/name': NEWER }), property.membership],
      }),
      ...deleted(),
    },
    { ...gone('an id without a value', { old: { '/spec': undefined }, state: [membership] }), ...deleted() },
    { ...gone('nothing is known to the collector', { state: 'unknown', user: COLLECTOR }), unknown: 'indeterminate' },
  ],
});
