/** A scan reports the duplicates that the rules themselves report on each object beside all others. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { JsonObject } from '../../../../src/base/json.ts';
import { createEngine, defaultPolicy, type Policy } from '../../../../src/engine/index.ts';
import { createRunView } from '../../../../src/input/view.ts';
import { rules } from '../../../../src/rules/index.ts';
import type { Rule } from '../../../../src/rules/rule.ts';
import { subjectOf } from '../../../support/examples.ts';
import { scanAll } from './fixtures.ts';

const few = (...texts: readonly string[]) => fc.constantFrom(...texts);
const entry = fc.record({
  name: few('id.k8s.io', 'cluster.clusterset.k8s.io', 'clusterset.k8s.io', 'clusterset.k8s.io', 'other'),
  value: few('', 'x', 'x', 'y', 'y', 'z'),
});
const anyObject: fc.Arbitrary<JsonObject> = fc
  .record({
    isProfile: fc.boolean(),
    name: few('a', 'b', 'c', 'd', 'e'),
    namespace: few('one', 'one', 'two'),
    manager: fc.option(few('m', 'm', 'm', 'n', ''), { nil: undefined }),
    memberId: fc.option(few('', 'p', 'q'), { nil: undefined }),
    properties: fc.array(entry, { maxLength: 6 }),
  })
  .map(({ isProfile, name, namespace, manager, memberId, properties }) => ({
    apiVersion: isProfile ? 'multicluster.x-k8s.io/v1alpha2' : 'multicluster.x-k8s.io/v1alpha1',
    kind: isProfile ? 'ClusterProfile' : 'InventoryCluster',
    metadata: {
      name,
      ...(isProfile ? { namespace } : {}),
      labels: memberId === undefined ? {} : { 'multicluster.x-k8s.io/inventory-member-id': memberId },
    },
    spec: manager === undefined ? {} : { clusterManager: { name: manager } },
    status: { properties },
  }));
const clusterState = fc.uniqueArray(anyObject, {
  maxLength: 8,
  selector: ({ kind, metadata }) => `${kind} ${JSON.stringify(metadata)}`.replace(/,"labels".*/, ''),
});

const comparingRules: readonly Rule[] = rules.filter(
  (rule: Rule) => rule.comparison?.acrossOnly === false && rule.on.length > 0,
);
const ids = new Set(comparingRules.map(({ id }) => id));
const actions = new Map([...ids].map((id) => [id, { scan: 'warn' as const }]));
const policy: Policy = { ...defaultPolicy, actions };

test('each duplicate is reported by the same rule at the same field', async () => {
  await fc.assert(
    fc.asyncProperty(clusterState, async (objects) => {
      const found = await scanAll(objects, { policy });
      const reported = found.entries.map(({ result }) =>
        result.findings
          .filter(({ ruleId }) => ids.has(ruleId))
          .map(({ ruleId, field, message }) => [ruleId, field, message]),
      );
      expect(reported).toEqual(await byTheRules(objects));
    }),
    { numRuns: 500 },
  );
});

/** Each object as a write into a cluster that holds all of them. */
async function byTheRules(objects: readonly JsonObject[]): Promise<string[][][]> {
  const view = createRunView({ state: objects });
  const engine = createEngine({ policy, point: 'scan', catalogue: comparingRules });
  const reported: string[][][] = [];
  for (const object of objects) {
    const subject = subjectOf({ operation: 'CREATE', object });
    const verdict = await engine.evaluate({ ...subject, identity: undefined }, view);
    reported.push(verdict.findings.map(({ ruleId, field, message }) => [ruleId, field, message]));
  }
  return reported;
}
