/** Every example of every rule, judged by the engine with all rules: what the docs show is what muster does. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { dialectOf } from '../../src/api/dialects.ts';
import { policyOf } from '../../src/config/policy.ts';
import { readDocuments } from '../../src/documents/index.ts';
import { createEngine, freeze, type Subject, type Verdict } from '../../src/engine/index.ts';
import { ruleIds, rules } from '../../src/rules/index.ts';
import type { Example } from './example.ts';
import { viewOf } from './rule-tester.ts';

const ROOT = 'test/fixtures';

function read(file: string): Example {
  const { documents, errors } = readDocuments(readFileSync(file, 'utf8'), file);
  expect(errors).toEqual([]);
  expect(documents).toHaveLength(1);
  return documents[0]?.value as unknown as Example;
}

function subjectOf(example: Example): Subject {
  const object = (example.operation === 'DELETE' ? example.old : example.object) ?? {};
  const [group = '', version = ''] = String(object['apiVersion']).split('/');
  const dialect = dialectOf(group, String(object['kind']));
  if (!dialect) throw new Error(`no dialect of ${object['apiVersion']} ${object['kind']}`);
  const { name = '', namespace } = object['metadata'] as { name?: string; namespace?: string };
  const { username = 'jane', groups = [] } = example.user ?? {};
  return freeze({
    dialect,
    version,
    operation: example.operation,
    subresource: example.subresource ?? '',
    object,
    oldObject: example.old,
    name,
    namespace,
    identity: { username, groups },
    dryRun: example.dryRun ?? false,
  });
}

async function judge(file: string): Promise<{ example: Example; verdict: Verdict }> {
  const example = read(file);
  const now = Date.parse(example.now ?? '2026-06-01T00:00:00Z');
  const configuration = { apiVersion: 'muster/v1alpha1', kind: 'MusterConfiguration', ...example.config };
  const { policy, problems } = policyOf(configuration, ruleIds, now);
  expect(problems).toEqual([]);
  const engine = createEngine({ ...(policy && { policy }), point: 'webhook', clock: () => now });
  return { example, verdict: await engine.evaluate(subjectOf(example), viewOf(example.state ?? [])) };
}

const filesOf = (id: string, folder: 'allow' | 'deny') => {
  const path = `${ROOT}/${id}/${folder}`;
  return readdirSync(path).map((name) => `${path}/${name}`);
};

describe.each(rules.map(({ id }) => id))('%s', (id) => {
  test.each(filesOf(id, 'allow'))('%s', async (file) => {
    const { verdict } = await judge(file);
    expect(verdict.outcome).toBe('allowed');
    expect(verdict.findings.filter(({ ruleId }) => ruleId === id)).toEqual([]);
  });
  test.each(filesOf(id, 'deny'))('%s', async (file) => {
    const { example, verdict } = await judge(file);
    const actions = verdict.findings.filter(({ ruleId }) => ruleId === id).map(({ action }) => action);
    expect(actions).toContain(example.expect ?? 'deny');
    expect(verdict.outcome).toBe(verdict.findings.some(({ action }) => action === 'deny') ? 'denied' : 'allowed');
  });
});

test('every folder of fixtures is that of a rule', () => {
  const found = readdirSync(ROOT).flatMap((concept) =>
    readdirSync(`${ROOT}/${concept}`).map((name) => `${concept}/${name}`),
  );
  expect(found.sort()).toEqual(rules.map(({ id }) => id as string).sort());
});
