/** The examples that no suite can hold, evaluated by the engine with all rules: what the docs show is what muster does. */
import { expect, test } from '@jest/globals';
import { createEngine, freeze, type Verdict } from '../../../src/engine/index.ts';
import { compareFixture } from '../../../tools/generate/rule-examples.ts';
import { policyFrom } from '../../support/configuration.ts';
import { clustersExamples, type Example, examples, NOW, subjectOf } from '../../support/examples.ts';
import { viewOf, withHub } from '../../support/rule-tester.ts';

async function evaluate(example: Example): Promise<Verdict> {
  const now = Date.parse(example.now ?? NOW);
  const engine = createEngine({ policy: policyFrom(example.config, now), point: 'webhook', clock: () => now });
  return engine.evaluate(freeze(subjectOf(example)), withHub(viewOf(example.state ?? []), example.hub ?? []));
}

/** Returns the action of a rule by which its example is not allowed, or only with a warning. */
function actionOf({ expect: expected }: Pick<Example, 'expect'>): string {
  return expected === 'denied' ? 'deny' : 'warn';
}

test.each(clustersExamples.map((example) => [example.file, example] as const))('%s', async (_, example) => {
  const now = Date.parse(NOW);
  const findings = await compareFixture(example, example.ruleId, policyFrom(example.config, now), () => now);
  const actions = findings.map(({ action }) => action);
  expect(new Set(actions)).toEqual(new Set(example.folder === 'allow' ? [] : [actionOf(example)]));
});

/** Those without a hub are the suites of test/unit/cli/suites/fixtures.test.ts. */
const withHubs = examples.filter(({ hub }) => hub !== undefined);

test.each(withHubs.map((example) => [example.file, example] as const))('%s', async (_, example) => {
  const { outcome, findings } = await evaluate(example);
  const actions = findings.filter(({ ruleId }) => ruleId === example.ruleId).map(({ action }) => action);
  if (example.folder === 'allow') expect([outcome, ...actions]).toEqual(['allowed']);
  else expect(actions).toContain(actionOf(example));
  expect(outcome).toBe(findings.some(({ action }) => action === 'deny') ? 'denied' : 'allowed');
});
