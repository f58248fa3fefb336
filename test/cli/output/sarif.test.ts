/** Held against the published schema of SARIF 2.1.0. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { rules as catalogue } from '../../../src/rules/index.ts';
import { read, validate } from './sarif-reader.ts';
import { anyReport, finding, report, result, unknown, warned } from './world.ts';

const ruleIds: readonly string[] = catalogue.map(({ id }) => id);

test('the schema is one that refuses', () => {
  expect(validate({ version: '2.1.0', runs: [{ tool: { driver: { name: 'x', rules: [{}] } } }] })).toBe(false);
  expect(validate({ version: '2.1.0', runs: [{ tool: { driver: { name: 'x', colour: 1 } } }] })).toBe(false);
});

describe('rules', () => {
  const { rules } = read(report({})).tool.driver;

  test('the whole catalogue, in its order', () => {
    expect(rules.map(({ id }: { id: string }) => id)).toEqual([...ruleIds]);
    expect(new Set(rules.map(({ name }: { name: string }) => name)).size).toBe(ruleIds.length);
  });

  test.each(ruleIds)('%s has a title, help and a level', (id) => {
    const rule = rules[ruleIds.indexOf(id)];
    expect(rule.shortDescription.text).toMatch(/^\S+\/\S+: [^{}]{5,}$/);
    expect(rule.shortDescription.text.length).toBeLessThan(200);
    expect(rule.help.text).toContain('Why a webhook');
    expect(rule.help.markdown).toContain(`muster explain ${id}`);
    expect(rule.help.markdown).toContain('```yaml\n');
    expect(['error', 'warning', 'note', 'none']).toContain(rule.defaultConfiguration.level);
    expect(rule.helpUri).toEqual(
      /^KEP-/.test(rule.properties.source) ? expect.stringMatching(/^https:.*\d{4}$/) : undefined,
    );
    expect(rule.help.markdown).toContain(rule.helpUri ?? rule.properties.source);
    expect(rule.properties.tags).toContain(id.split('/')[0]);
  });
});

describe('results', () => {
  test('rule, level, message and place', () => {
    const given = finding({ line: 14, column: 10, endLine: 14, endColumn: 15 });
    const [one] = read(report({ results: [result({ file: 'a b/ü#1.yaml', findings: [given] })] })).results;
    expect(one).toMatchObject({
      ruleId: 'claim/id-syntax',
      ruleIndex: ruleIds.indexOf('claim/id-syntax'),
      kind: 'fail',
      level: 'error',
      message: { text: 'spec.value: must be a DNS label, got "A_B" (ClusterClaim id.k8s.io)' },
      properties: { level: 'MUST', action: 'deny', operation: 'CREATE' },
    });
    expect(one.locations).toEqual([
      {
        physicalLocation: {
          artifactLocation: { uri: 'a%20b/%C3%BC%231.yaml', uriBaseId: '%SRCROOT%' },
          region: { startLine: 14, startColumn: 10, endLine: 14, endColumn: 15 },
        },
        logicalLocations: [
          { name: 'id.k8s.io', fullyQualifiedName: 'multicluster.x-k8s.io/ClusterClaim/id.k8s.io', kind: 'resource' },
          {
            name: 'spec.value',
            fullyQualifiedName: 'multicluster.x-k8s.io/ClusterClaim/id.k8s.io#spec.value',
            kind: 'property',
          },
        ],
      },
    ]);
  });

  test('levels follow what happens, not what the rule is by default', () => {
    const silent = result({ outcome: 'allowed', findings: [finding({ action: 'audit' })] });
    const results = read(report({ results: [result(), warned(), silent, unknown()] })).results;
    const told = results.map(({ kind, level }: { kind: string; level: string }) => `${kind} ${level}`);
    expect(told).toEqual(['fail error', 'fail warning', 'fail note', 'open none']);
  });

  test('files: within the root, outside of it, standard input, a name that looks like a scheme', () => {
    const root = process.cwd();
    const uriOf = (file: string, from: string | undefined = root) =>
      read(report({ results: [result({ file })] }), { root: from }).results[0].locations[0].physicalLocation
        .artifactLocation;
    expect(uriOf('./a/../b.yaml')).toEqual({ uri: 'b.yaml', uriBaseId: '%SRCROOT%' });
    expect(uriOf(`${root}/c.yaml`)).toEqual({ uri: 'c.yaml', uriBaseId: '%SRCROOT%' });
    expect(uriOf('main:d.yaml')).toEqual({ uri: 'main%3Ad.yaml', uriBaseId: '%SRCROOT%' });
    expect(uriOf('/elsewhere/e f.yaml')).toEqual({ uri: 'file:///elsewhere/e%20f.yaml' });
    expect(uriOf('<stdin>')).toEqual({ uri: 'stdin', description: { text: 'standard input' } });
    expect(uriOf('<cluster>')).toEqual({ uri: 'cluster', description: { text: 'the cluster' } });
    const [live] = read(report({ results: [result({ file: 'clusterclaims.x/id' })] }), { root: undefined }).results;
    expect(live.locations[0].physicalLocation.artifactLocation).toEqual({ uri: 'clusterclaims.x/id' });
  });

  test('no path of the machine stands in a log of files within the root', () => {
    const text = JSON.stringify(read(report({ results: [result()] })));
    expect(text).not.toContain(process.cwd());
  });

  test('text that reads as placeholder or link is neither', () => {
    const [one] = read(report({ results: [result({ findings: [finding({ message: '{0} [a](b) {{x}}' })] })] })).results;
    expect(one.message.text).toBe('spec.value: {{0}} [a] (b) {{x}} (ClusterClaim id.k8s.io)');
  });
});

test('the run: exit code, errors as notifications, columns as counted', () => {
  const error = { file: 'broken.yaml', line: 3, column: 5, message: 'no closing ]' };
  const run = read(report({ errors: [error] }), { exitCode: 2 });
  expect(run.columnKind).toBe('utf16CodeUnits');
  expect(run.invocations).toEqual([
    {
      executionSuccessful: false,
      exitCode: 2,
      toolExecutionNotifications: [
        {
          level: 'error',
          message: { text: 'no closing ]' },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: 'broken.yaml', uriBaseId: '%SRCROOT%' },
                region: { startLine: 3, startColumn: 5 },
              },
            },
          ],
        },
      ],
    },
  ]);
  expect(read(report({ results: [result()] }), { exitCode: 1 }).invocations[0]).toMatchObject({
    executionSuccessful: true,
    exitCode: 1,
  });
});

test('whatever the text: valid, a result for each finding', () => {
  fc.assert(
    fc.property(anyReport, fc.constantFrom(process.cwd(), undefined), (given, root) => {
      const run = read(given, { root });
      expect(run.results).toHaveLength(given.results.flatMap(({ findings }) => findings).length);
      expect(run.invocations[0].toolExecutionNotifications).toHaveLength(given.errors.length);
    }),
    { numRuns: 100 },
  );
});
