/** The fixtures of all rules as suites: they pass as they are, and notice when the configuration changes. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { suiteSchema } from '../../../src/cli/test/schema.ts';
import type { JsonObject } from '../../../src/rules/rule.ts';
import { type Folder, newFolder } from '../world.ts';
import { type Fixture, fixtures, runAt, suiteOf } from './world.ts';

let folder: Folder;
beforeAll(() => {
  folder = newFolder();
});
afterAll(() => folder.remove());

/** Puts a suite for each fixture into a folder of its own and runs it. */
async function run(name: string, given: readonly Fixture[], configuration: (fixture: Fixture) => JsonObject) {
  for (const [index, fixture] of given.entries()) {
    folder.put(`${name}/${index}.muster-test.json`, JSON.stringify(suiteOf(fixture, configuration(fixture)), null, 1));
  }
  const { report } = await runAt(`${folder.path}/${name}`);
  expect(report.errors).toEqual([]);
  expect(report.results).toHaveLength(given.length);
  return report;
}

test('every fixture passes', async () => {
  const { results } = await run('all', fixtures, () => ({}));
  expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
});

const denied = fixtures.filter(({ folder, expect: what = 'deny' }) => folder === 'deny' && what === 'deny');
const warned = fixtures.filter(({ folder, expect: what }) => folder === 'deny' && what === 'warn');

describe('a change of the configuration is noticed by every test that it concerns', () => {
  const rulesOf = (fixture: Fixture) => (fixture.config?.['rules'] ?? {}) as JsonObject;

  test('a rule that is switched off', async () => {
    const refused = [...denied, ...warned];
    expect(refused.length).toBeGreaterThan(50);
    const off = (fixture: Fixture) => ({ rules: { ...rulesOf(fixture), [fixture.ruleId]: 'ignore' } });
    const { summary, results } = await run('off', refused, off);
    expect(results.filter(({ outcome }) => outcome === 'passed').map(({ name }) => name)).toEqual([]);
    expect(summary.failed).toBe(refused.length);
  });

  test('a mode that lets all pass', async () => {
    const { summary } = await run('warn', denied, () => ({ mode: 'warn' }));
    expect([summary.passed, summary.failed]).toEqual([0, denied.length]);
  });

  test('an exemption', async () => {
    const { summary } = await run('exempt', denied, () => ({ exemptions: { groups: ['system:authenticated'] } }));
    expect([summary.passed, summary.failed]).toEqual([0, denied.length]);
  });
});

test('every one of these suites is valid against the JSON Schema', () => {
  const validate = new Ajv({ strict: true, strictRequired: false, allErrors: true }).compile(suiteSchema);
  for (const fixture of fixtures) {
    validate(suiteOf(fixture));
    expect([fixture.file, validate.errors]).toEqual([fixture.file, null]);
  }
});
