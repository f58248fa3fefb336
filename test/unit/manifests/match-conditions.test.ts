/**
 * The writes that `matchConditions` exclude, evaluated anyway: with every rule enabled and set to deny, none finds
 * anything. test/system/e2e/match-conditions.e2e.ts shows on a real API server that the expressions exclude these and
 * no others.
 */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Dialect, dialectOf, dialects, placementDecision } from '../../../src/api/dialects.ts';
import { at, isObject, type Json, type JsonObject, listAt, textAt } from '../../../src/base/json.ts';
import { createEngine } from '../../../src/engine/index.ts';
import { subjectOf } from '../../../src/engine/review.ts';
import { VALIDATING_WEBHOOKS } from '../../../src/manifests/webhooks.ts';
import { ruleIds, rules } from '../../../src/rules/index.ts';
import { managerOf } from '../../../src/rules/inventory/inventory-fields.ts';
import type { Operation, Subject, Subresource } from '../../../src/rules/rule.ts';
import { policyFrom } from '../../support/configuration.ts';
import { examples } from '../../support/examples.ts';
import { viewOf } from '../../support/rule-tester.ts';

const nobody = [{ user: 'nobody' }];
const stored = examples.flatMap(({ old, object }) => [old, object]).filter((object) => object !== undefined);
const managers = stored.flatMap((object) => managerOf(object) ?? []);
const namespaces = stored.flatMap((object) => textAt(object, ['metadata', 'namespace']) ?? []);
const severe = policyFrom({
  rules: Object.fromEntries([...ruleIds].map((id) => [id, 'deny'])),
  claims: { membershipManagers: nobody },
  inventory: { managers: Object.fromEntries(managers.map((name) => [name, nobody])) },
  features: {
    dynamic: [],
    serverFlow: [...new Set([...namespaces, 'b'])].map((namespace) => ({ namespace, principals: nobody })),
  },
  services: { closedNamespaces: ['b'], importManagers: nobody },
});
const engine = createEngine({ policy: severe, point: 'webhook' });
const known = viewOf(stored);
const COLLECTORS = ['generic-garbage-collector', 'namespace-controller'];
// What an excluded update changes: nothing that the conditions compare.
const elsewhere = { annotations: { note: 'new' }, finalizers: [], managedFields: [], resourceVersion: '2' };

test('the policy is one that nothing escapes', async () => {
  const bad = { apiVersion: 'features.x-k8s.io/v1alpha1', kind: 'Feature', metadata: { name: 'a', namespace: 'b' } };
  const { findings } = await engine.evaluate(
    written('UPDATE', bad, { ...bad, status: { state: 'on' } }, 'status'),
    known,
  );
  expect(findings.map(({ ruleId }) => ruleId)).toEqual(['feature/shape', 'feature/server-flow']);
  const { outcome } = await engine.evaluate(written('DELETE', bad, bad), known);
  expect(outcome).toBe('denied');
});

describe.each(dialects.map((dialect) => ({ kind: `${dialect.group} ${dialect.kind}`, dialect })))(
  '$kind',
  ({ dialect }) => {
    const examples = stored.filter((object) => of(object) === dialect);

    test('updates that leave alone what the rules read', async () => {
      expect(examples.length).toBeGreaterThan(2);
      for (const object of examples) await findsNothing(dialect, object);
    });

    test('the same of objects with anything at all in them', async () => {
      await fc.assert(
        fc.asyncProperty(anyObject(dialect), (object) => findsNothing(dialect, object)),
        { numRuns: 200 },
      );
    });
  },
);

test('updates of decisions that name no more profiles than before', async () => {
  const decisions = stored.filter((object) => of(object) === placementDecision);
  expect(decisions.length).toBeGreaterThan(2);
  for (const old of decisions) {
    const entries = listAt(old, ['decisions']).filter(isObject);
    const withReasons = entries.map((entry) => ({ ...entry, reason: 'another' }));
    const distinct = [
      ...new Map(withReasons.map((entry) => [JSON.stringify(at(entry, ['clusterProfileRef'])), entry])).values(),
    ];
    for (const fewer of [distinct, distinct.slice(1), distinct.toReversed(), []]) {
      const object = { ...old, decisions: fewer, schedulerName: 'another' };
      expect((await engine.evaluate(written('UPDATE', old, object), known)).findings).toEqual([]);
    }
  }
});

describe('claims that are neither id nor membership', () => {
  const guarded = new Set(dialects.flatMap(({ claim }) => (claim ? [...claim.idNames, claim.membershipName] : [])));
  const claims = stored.filter((object) => of(object).concept === 'claim' && !guarded.has(nameOf(object)));
  const finding = async (operation: Operation, old: JsonObject, object: JsonObject) =>
    (await engine.evaluate(written(operation, old, object), known)).findings;

  test('deletions', async () => {
    expect(claims.length).toBeGreaterThan(2);
    for (const claim of claims) expect(await finding('DELETE', claim, claim)).toEqual([]);
  });

  test('updates to a value that each API takes', async () => {
    const values = fc.oneof(fc.constant('x'.repeat(1024)), fc.constant('\u{1f6a2}'.repeat(1024)), fc.string());
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...claims), values, async (old, value) => {
        expect(await finding('UPDATE', old, { ...old, spec: { value, other: 'x' } })).toEqual([]);
      }),
    );
  });

  test('creations with a name under a domain that is not reserved, and such a value', async () => {
    const names = fc.constantFrom('a.example.com', 'a.k8s.io.example.com', 'a.x-k8s.io', 'k8s.io', 'kubernetes.io');
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...claims),
        names,
        fc.string({ maxLength: 1024 }),
        async (claim, name, value) => {
          const created = { ...claim, metadata: { name }, spec: { value } };
          expect((await engine.evaluate(written('CREATE', undefined, created), known)).findings).toEqual([]);
        },
      ),
    );
  });
});

/** A rule that could deny one of these has to count: then their webhook refuses them without muster. */
test('sound inventory objects: the rules that do not count for their creation find nothing', async () => {
  const serves = VALIDATING_WEBHOOKS.find(({ name }) => name === 'inventory-creations')?.serves;
  const uncounted = rules.filter((rule) => rule.concept === 'inventory' && !serves?.(rule));
  expect(uncounted.length).toBeGreaterThan(0);
  const actions = rules.map((rule) => [rule.id, uncounted.includes(rule) ? 'deny' : 'ignore']);
  const policy = policyFrom({ rules: Object.fromEntries(actions) });
  const few = createEngine({ policy, point: 'webhook' });
  for (const kind of ['InventoryCluster', 'ClusterProfile'])
    for (const memberId of [{}, { 'multicluster.x-k8s.io/inventory-member-id': 'a' }]) {
      const object = {
        apiVersion: 'multicluster.x-k8s.io/v1alpha1',
        kind,
        metadata: { name: 'a', namespace: 'b', labels: { 'x-k8s.io/cluster-manager': 'm', ...memberId } },
        spec: { clusterManager: { name: 'm' } },
      };
      expect((await few.evaluate(written('CREATE', undefined, object), known)).findings).toEqual([]);
    }
});

test.each(COLLECTORS)('deletions by the %s', async (name) => {
  const identity = { username: `system:serviceaccount:kube-system:${name}`, groups: [] };
  for (const object of stored.filter((one) => of(one).concept !== 'claim')) {
    const { outcome, findings } = await engine.evaluate({ ...written('DELETE', object, object), identity }, known);
    expect(outcome).toBe('allowed');
    expect(findings.filter(({ action }) => action !== 'audit')).toEqual([]);
  }
});

async function findsNothing(dialect: Dialect, old: JsonObject): Promise<void> {
  const metadata = at(old, ['metadata']);
  const object = { ...old, metadata: { ...(isObject(metadata) ? metadata : {}), ...changes(dialect) } };
  const subresources: readonly Subresource[] = dialect.concept === 'claim' ? [''] : ['', 'status'];
  for (const subresource of subresources) {
    const verdict = await engine.evaluate(written('UPDATE', old, object, subresource), known);
    expect({ old, findings: verdict.findings, crashes: verdict.crashes }).toEqual({ old, findings: [], crashes: [] });
  }
}

/** Labels are compared on inventory objects and imports alone, annotations on imports. */
function changes({ concept, name }: Dialect): JsonObject {
  const { annotations: _, ...withoutAnnotations } = elsewhere;
  if (name === 'service-import') return withoutAnnotations;
  return concept === 'inventory' ? elsewhere : { ...elsewhere, labels: OTHER_LABELS };
}

const OTHER_LABELS = { 'x-k8s.io/cluster-manager': 'other', any: 'label' };

function anyObject({ group, versions, kind, claim }: Dialect): fc.Arbitrary<JsonObject> {
  const names = claim ? [...claim.idNames, claim.membershipName, 'a.example.com'] : ['a'];
  const status = fc.oneof(
    fc.jsonValue(),
    fc.dictionary(fc.constantFrom('state', 'uses', 'conditions'), fc.jsonValue()),
  );
  return fc.record({
    apiVersion: fc.constant(`${group}/${versions[0]}`),
    kind: fc.constant(kind),
    metadata: fc.record({
      name: fc.constantFrom(...names),
      namespace: fc.constant('b'),
      labels: fc.dictionary(fc.constant('x-k8s.io/cluster-manager'), fc.string()),
    }),
    spec: fc.jsonValue(),
    status,
  }) as fc.Arbitrary<JsonObject>;
}

function written(
  operation: Operation,
  oldObject: JsonObject | undefined,
  object: JsonObject,
  subresource: Subresource = '',
): Subject {
  const identity = { username: 'jane', groups: [] };
  const reference = { dialect: of(object), name: nameOf(object), namespace: textAt(object, ['metadata', 'namespace']) };
  return subjectOf(reference, { version: 'v1alpha1', operation, subresource, object, oldObject, identity });
}

function of(object: Json): Dialect {
  const dialect = dialectOf(textAt(object, ['apiVersion'])?.split('/')[0] ?? '', textAt(object, ['kind']) ?? '');
  if (dialect === undefined) throw new Error(`a kind of none: ${JSON.stringify(object)}`);
  return dialect;
}

function nameOf(object: Json): string {
  return textAt(object, ['metadata', 'name']) ?? '';
}
