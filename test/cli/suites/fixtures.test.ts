/** The fixtures of all rules as suites: they pass, and notice a changed configuration. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { suiteSchema } from '../../../src/cli/test/schema.ts';
import { publishedSchema } from '../../../src/config/schema-reader.ts';
import type { JsonObject } from '../../../src/rules/rule.ts';
import { type Example, examples } from '../../rules/examples.ts';
import { type Folder, newFolder } from '../world.ts';
import { runAt, suiteOf } from './world.ts';

let folder: Folder;
beforeAll(() => {
  folder = newFolder();
});
afterAll(() => folder.remove());

/** Puts a suite for each fixture into a folder of its own and runs it. */
async function run(name: string, given: readonly Example[], configuration: (fixture: Example) => JsonObject) {
  for (const [index, fixture] of given.entries()) {
    folder.put(`${name}/${index}.muster-test.json`, JSON.stringify(suiteOf(fixture, configuration(fixture)), null, 1));
  }
  const { report } = await runAt(`${folder.path}/${name}`);
  expect(report.errors).toEqual([]);
  expect(report.results).toHaveLength(given.length);
  return report;
}

test('every fixture passes', async () => {
  const { results } = await run('all', examples, () => ({}));
  expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
});

const refused = examples.filter(({ folder: of }) => of === 'deny');

test('a disabled rule is noticed by every test that expects a finding', async () => {
  expect(refused.length).toBeGreaterThan(50);
  const off = ({ config, ruleId }: Example) => ({ rules: { ...(config?.['rules'] as object), [ruleId]: 'ignore' } });
  const { summary, results } = await run('off', refused, off);
  expect(results.filter(({ outcome }) => outcome === 'passed').map(({ name }) => name)).toEqual([]);
  expect(summary.failed).toBe(refused.length);
});

test('every fixture as a suite is valid by the JSON Schema', () => {
  const validate = new Ajv({ strict: true, strictRequired: false, allErrors: true }).compile(
    publishedSchema('MusterTest', suiteSchema),
  );
  for (const fixture of examples) {
    validate(suiteOf(fixture));
    expect([fixture.file, validate.errors]).toEqual([fixture.file, null]);
  }
});
