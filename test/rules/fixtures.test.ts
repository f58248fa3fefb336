/** Every example of every rule, evaluated by the engine with all rules: what the docs show is what muster does. */
import { readdirSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { policyOf } from '../../src/config/policy.ts';
import { createEngine, freeze, type Verdict } from '../../src/engine/index.ts';
import { ruleIds, rules } from '../../src/rules/index.ts';
import { type Example, examples, NOW, subjectOf } from './examples.ts';
import { viewOf } from './rule-tester.ts';

const ROOT = 'test/fixtures';

async function evaluate(example: Example): Promise<Verdict> {
  const now = Date.parse(example.now ?? NOW);
  const configuration = { apiVersion: 'muster/v1alpha1', kind: 'MusterConfiguration', ...example.config };
  const { policy, problems } = policyOf(configuration, ruleIds, now);
  expect(problems).toEqual([]);
  const engine = createEngine({ ...(policy && { policy }), point: 'webhook', clock: () => now });
  return engine.evaluate(freeze(subjectOf(example)), viewOf(example.state ?? []));
}

test.each(examples.map((example) => [example.file, example] as const))('%s', async (_, example) => {
  const { outcome, findings } = await evaluate(example);
  const actions = findings.filter(({ ruleId }) => ruleId === example.ruleId).map(({ action }) => action);
  if (example.folder === 'allow') expect([outcome, ...actions]).toEqual(['allowed']);
  else expect(actions).toContain(example.expect ?? 'deny');
  expect(outcome).toBe(findings.some(({ action }) => action === 'deny') ? 'denied' : 'allowed');
});

test('every folder of fixtures is that of a rule', () => {
  const found = readdirSync(ROOT).flatMap((concept) =>
    readdirSync(`${ROOT}/${concept}`).map((name) => `${concept}/${name}`),
  );
  expect(found.sort()).toEqual(rules.map(({ id }) => id as string).sort());
});
