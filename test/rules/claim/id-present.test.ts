import { rule } from '../../../src/rules/claim/id-present.ts';
import { alpha, custom, DYING, id, membership, ocm, property } from '../bases.ts';
import { finds, type RuleCase, testRule, tweaked } from '../rule-tester.ts';

const gone = (name: string, row: Omit<RuleCase, 'name'> = {}): RuleCase => ({ name, operation: 'DELETE', ...row });
const deleted = (name = 'id.k8s.io') =>
  finds(
    'metadata.name',
    `${name} must exist as long as its cluster does; delete it only when the cluster is decommissioned`,
    'warn',
  );
const NEWER = 'cluster.clusterset.k8s.io';

testRule(rule, id, {
  allow: [
    gone('while leaving, likewise', { state: [tweaked(membership, DYING)] }),
    gone('OCM within', { base: ocm.id, state: [ocm.membership] }),
    gone('a property within', { base: property.id, state: [property.membership] }),
    gone('another claim', { base: custom }),
    gone('the membership', { base: membership, state: [id, membership] }),
    gone('the older name, where the newer exists', { base: property.olderId, state: [property.id] }),
    { name: 'an update', old: {}, set: { '/spec/value': 'x' } },
  ],
  deny: [
    { ...gone('OCM', { base: ocm.id, state: [membership] }), ...deleted() },
    { ...gone('ours, where OCM is a member', { state: [ocm.membership] }), ...deleted() },
    { ...gone('a property', { base: alpha.id }), ...deleted(NEWER) },
    {
      ...gone('the older name, where the newer goes too', {
        base: property.olderId,
        state: [tweaked(property.id, DYING)],
      }),
      ...deleted(),
    },
    { ...gone('nothing is known of a property', { base: property.olderId, state: 'unknown' }), unknown: 'silent' },
  ],
});
