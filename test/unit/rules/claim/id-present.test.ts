import { describe, expect, test } from '@jest/globals';
import { clusterClaim } from '../../../../src/api/dialects.ts';
import { createComparison } from '../../../../src/engine/index.ts';
import { rule } from '../../../../src/rules/claim/id-present.ts';
import { alpha, custom, DYING, id, membership, ocm, property } from '../../../support/bases.ts';
import { type Clusters, conflictsIn, messagesOf } from '../../../support/compared.ts';
import { finds, type RuleCase, testRule, tweaked } from '../../../support/rule-tester.ts';

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

describe('in a scan', () => {
  const one = { isAcross: false };
  const FINDING = 'ClusterClaim region.example.org: warn claim/id-present metadata.name';
  test.each<[string, Clusters, readonly string[]]>([
    [
      'claims and no id are reported once',
      { '': [custom, tweaked(custom, { '/metadata/name': 'z' })] },
      [` ${FINDING}`],
    ],
    ['an id is there', { '': [custom, id] }, []],
    ['a member without an id is the matter of another rule', { '': [custom, membership] }, []],
    ['no claims', { '': [] }, []],
    ['the id of another API is none', { '': [custom, property.id] }, [` ${FINDING}`]],
    ['each cluster by itself', { east: [custom], west: [custom, id] }, [`east ${FINDING}`]],
  ])('%s', async (_, clusters, expected) => expect(await conflictsIn(clusters, one)).toEqual(expected));

  test('with the claim that is missing', async () => {
    expect(await messagesOf({ '': [custom] }, rule.id, one)).toEqual([
      'the cluster has claims and no id, which must exist for the lifespan of a cluster; create the ClusterClaim id.k8s.io',
    ]);
  });

  test('not at check, and not where claims are unread', async () => {
    expect(await conflictsIn({ '': [custom] }, { ...one, point: 'check' })).toEqual([]);
    const comparison = createComparison<string>({ ...one, point: 'scan' });
    const part = comparison.begin('');
    part.add(clusterClaim, custom, '');
    part.commit(new Map([[clusterClaim, 'not all could be read']]));
    expect(await comparison.finish()).toEqual([]);
  });
});
