/**
 * What the claim rules report where one of the objects that they read is known and another is not; and which they read.
 */
import { describe, expect, test } from '@jest/globals';
import { clusterProperty } from '../../../../src/api/dialects.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import { createEngine, defaultPolicy } from '../../../../src/engine/index.ts';
import { rule as requiresId } from '../../../../src/rules/claim/clusterset-requires-id.ts';
import { rule as immutable } from '../../../../src/rules/claim/id-immutable-in-clusterset.ts';
import { rule as present } from '../../../../src/rules/claim/id-present.ts';
import { rule as presentInClusterSet } from '../../../../src/rules/claim/id-present-in-clusterset.ts';
import { rule as stable } from '../../../../src/rules/claim/id-stable.ts';
import { identitiesOf } from '../../../../src/rules/claim/identities.ts';
import type { ClusterView, Rule } from '../../../../src/rules/rule.ts';
import { custom, property } from '../../../support/bases.ts';
import { type RuleCase, subjectOf, tweaked } from '../../../support/rule-tester.ts';

const NEWER = 'cluster.clusterset.k8s.io';
const OLDER = 'id.k8s.io';
const SET = 'clusterset.k8s.io';
const dying = tweaked(property.id, { '/metadata/deletionTimestamp': '2026-06-01T11:59:00Z' });

type Known = Readonly<Record<string, JsonObject | undefined | 'unknown'>>;

/** A view of these objects by name, and a list of what is read from it. */
function viewOf(known: Known, reads: string[] = []): ClusterView {
  return {
    async get({ dialect, name, namespace }) {
      reads.push(`${dialect.name} ${namespace ?? '-'} ${name}`);
      const value = known[name];
      return value === 'unknown' ? { known: false, reason: `${name} is not known` } : { known: true, value };
    },
    async list(dialect) {
      reads.push(`all of ${dialect.name}`);
      return { known: false, reason: 'nothing is listed' };
    },
  };
}

/** The outcome of one rule, set to deny, and the names it cannot see. */
async function evaluate(rule: Rule, base: JsonObject, row: Omit<RuleCase, 'name'>, view: ClusterView) {
  const actions = new Map([[rule.id, { webhook: 'deny' }]] as const);
  const engine = createEngine({ policy: { ...defaultPolicy, actions }, point: 'webhook', catalogue: [rule] });
  const verdict = await engine.evaluate(subjectOf(base, { name: '', ...row }), view);
  return [
    verdict.outcome,
    ...verdict.findings.map(({ field }) => field),
    ...verdict.indeterminate.map(({ field, message }) => `${field}: ${message}`),
  ];
}

const allowed = ['allowed'];
const unsure = (field: string, name: string) => [
  'indeterminate',
  `${field}: cannot be decided now: ${name} is not known`,
];
const DELETED = { operation: 'DELETE' } as const;
const JOINED = property.membership;

type Row = readonly [name: string, known: Known, outcome: readonly string[]];

function testPartial(
  title: string,
  rule: Rule,
  base: JsonObject,
  row: Omit<RuleCase, 'name'>,
  table: readonly Row[],
): void {
  describe(title, () => {
    test.each(table)('%s', async (_, known, outcome) => {
      expect(await evaluate(rule, base, row, viewOf(known))).toEqual(outcome);
    });
  });
}

testPartial('a second name appears with the same id', immutable, property.id, {}, [
  ['other id hidden, member', { [OLDER]: 'unknown', [SET]: JOINED }, unsure('spec.value', OLDER)],
  ['other id hidden, no member', { [OLDER]: 'unknown' }, allowed],
  ['both hidden', { [OLDER]: 'unknown', [SET]: 'unknown' }, unsure('spec.value', OLDER)],
]);
testPartial('a second name appears with another id', immutable, property.olderId, { set: { '/spec/value': 'x' } }, [
  ['membership hidden', { [NEWER]: property.id, [SET]: 'unknown' }, unsure('spec.value', SET)],
]);
testPartial('an id changes', immutable, property.olderId, { old: {}, set: { '/spec/value': 'x' } }, [
  ['membership hidden', { [SET]: 'unknown' }, unsure('spec.value', SET)],
]);
testPartial('the older id of a member goes', presentInClusterSet, property.olderId, DELETED, [
  ['newer stays, membership hidden', { [NEWER]: property.id, [SET]: 'unknown' }, allowed],
  ['newer goes, membership hidden', { [NEWER]: dying, [SET]: 'unknown' }, unsure('metadata.name', SET)],
  ['newer hidden, member', { [NEWER]: 'unknown', [SET]: JOINED }, unsure('metadata.name', NEWER)],
  ['newer hidden, no member', { [NEWER]: 'unknown' }, allowed],
  ['both hidden', { [NEWER]: 'unknown', [SET]: 'unknown' }, unsure('metadata.name', SET)],
]);
testPartial('the older id goes outside of a ClusterSet', present, property.olderId, DELETED, [
  ['newer stays, membership hidden', { [NEWER]: property.id, [SET]: 'unknown' }, allowed],
  ['newer hidden, member', { [NEWER]: 'unknown', [SET]: JOINED }, allowed],
  ['newer hidden, no member', { [NEWER]: 'unknown' }, unsure('metadata.name', NEWER)],
  ['newer goes, membership hidden', { [NEWER]: dying, [SET]: 'unknown' }, unsure('metadata.name', SET)],
]);
testPartial('a cluster joins', requiresId, JOINED, {}, [
  ['older stays, newer hidden', { [NEWER]: 'unknown', [OLDER]: property.olderId }, unsure('metadata.name', NEWER)],
  ['newer goes, older stays', { [NEWER]: dying, [OLDER]: property.olderId }, allowed],
]);

test.each([SET, NEWER, OLDER])('which ids a member has is not known where %s is not', async (hidden) => {
  const known = { [SET]: JOINED, [NEWER]: property.id, [hidden]: 'unknown' } as const;
  const answer = { known: false, reason: `${hidden} is not known` };
  expect(await identitiesOf(clusterProperty, viewOf(known))).toEqual(answer);
});

describe('reads', () => {
  test.each<[string, Rule, JsonObject, Omit<RuleCase, 'name'>, string[]]>([
    ['an id changes', immutable, property.id, { old: {}, set: { '/spec/value': 'x' } }, [SET]],
    ['a custom claim goes', presentInClusterSet, property.custom, DELETED, []],
    ['a custom claim goes outside', present, property.custom, DELETED, []],
    ['an id stays', stable, property.id, { old: {}, set: { '/metadata/labels': {} } }, []],
    ['a cluster joins', requiresId, JOINED, {}, [NEWER, OLDER]],
  ])('%s', async (_, rule, base, row, names) => {
    const reads: string[] = [];
    await evaluate(rule, base, row, viewOf({}, reads));
    expect(reads).toEqual(names.map((name) => `cluster-property - ${name}`));
  });

  test('only of the claim’s own dialect', async () => {
    const reads: string[] = [];
    const id = tweaked(custom, { '/metadata/name': OLDER });
    await evaluate(immutable, id, {}, viewOf({}, reads));
    expect(reads).toEqual([]);
    await evaluate(presentInClusterSet, id, DELETED, viewOf({}, reads));
    expect(reads).toEqual([`cluster-claim - ${SET}`]);
  });
});
