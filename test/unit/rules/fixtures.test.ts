/** Every example of every rule, evaluated by the engine with all rules: what the docs show is what muster does. */
import { readdirSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { dialectOfObject } from '../../../src/cluster/files/index.ts';
import { policyOf } from '../../../src/config/policy.ts';
import { createComparison, createEngine, freeze, type Policy, type Verdict } from '../../../src/engine/index.ts';
import { ruleIds, rules } from '../../../src/rules/index.ts';
import type { Rule } from '../../../src/rules/rule.ts';
import {
  type ClustersExample,
  clustersExamples,
  type Example,
  examples,
  NOW,
  subjectOf,
} from '../../support/examples.ts';
import { viewOf } from '../../support/rule-tester.ts';
import { scanAll } from '../cli/scan/fixtures.ts';

const ROOT = 'test/fixtures';

async function evaluate(example: Example): Promise<Verdict> {
  const now = Date.parse(example.now ?? NOW);
  const policy = policyFor(example, now);
  const engine = createEngine({ ...(policy && { policy }), point: 'webhook', clock: () => now });
  return engine.evaluate(freeze(subjectOf(example)), viewOf(example.state ?? []));
}

function policyFor({ config }: Pick<Example, 'config'>, now: number): Policy | undefined {
  const configuration = { apiVersion: 'muster/v1alpha1', kind: 'MusterConfiguration', ...config };
  const { policy, problems } = policyOf(configuration, ruleIds, now);
  expect(problems).toEqual([]);
  return policy;
}

/** `CLUSTER: RULE ACTION` of every finding. */
async function compare(example: ClustersExample): Promise<string[]> {
  const policy = policyFor(example, Date.parse(NOW));
  const comparison = createComparison<string>({
    policy,
    point: example.point ?? 'check',
    isAcross: true,
    clock: () => Date.parse(NOW),
  });
  for (const [cluster, objects] of Object.entries(example.clusters)) {
    const part = comparison.begin(cluster);
    for (const object of objects) {
      const dialect = dialectOfObject(object);
      if (dialect) part.add(dialect, freeze(object), cluster);
    }
    part.commit();
  }
  const rule: Rule | undefined = rules.find(({ id }) => id === example.ruleId);
  if (rule?.scan !== undefined && rule.comparison === undefined) {
    const { entries } = await scanAll(Object.values(example.clusters).flat(), policy && { policy });
    return entries.flatMap(({ result }) =>
      result.findings
        .filter(({ ruleId }) => ruleId === rule.id)
        .map(({ ruleId, action }) => `east: ${ruleId} ${action}`),
    );
  }
  const compared = await comparison.finish();
  return compared.flatMap(({ handle, verdict }) =>
    verdict.findings.map(({ ruleId, action }) => `${handle}: ${ruleId} ${action}`),
  );
}

/** Returns the action of a rule by which its example is not allowed, or only with a warning. */
function actionOf({ expect: expected }: Pick<Example, 'expect'>): string {
  return expected === 'denied' ? 'deny' : 'warn';
}

test.each(clustersExamples.map((example) => [example.file, example] as const))('%s', async (_, example) => {
  const found = await compare(example);
  if (example.folder === 'allow') expect(found).toEqual([]);
  for (const one of found) expect(one).toContain(`: ${example.ruleId} ${actionOf(example)}`);
  expect(found.length > 0).toBe(example.folder === 'deny');
});

test.each(examples.map((example) => [example.file, example] as const))('%s', async (_, example) => {
  const { outcome, findings } = await evaluate(example);
  const actions = findings.filter(({ ruleId }) => ruleId === example.ruleId).map(({ action }) => action);
  if (example.folder === 'allow') expect([outcome, ...actions]).toEqual(['allowed']);
  else expect(actions).toContain(actionOf(example));
  expect(outcome).toBe(findings.some(({ action }) => action === 'deny') ? 'denied' : 'allowed');
});

test('every folder of fixtures is that of a rule', () => {
  const found = readdirSync(ROOT).flatMap((concept) =>
    readdirSync(`${ROOT}/${concept}`).map((name) => `${concept}/${name}`),
  );
  expect(found.sort()).toEqual(rules.map(({ id }) => id as string).sort());
});
