/** SARIF, validated by the published schema of version 2.1.0. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { escapedJson, jsonPieces } from '../../../src/report/json.ts';
import type { CheckReport, ReportContext } from '../../../src/report/report.ts';
import { renderSarif } from '../../../src/report/sarif.ts';
import { ruleUrl, sourceUrl } from '../../../src/rules/documentation.ts';
import { rules as catalogue } from '../../../src/rules/index.ts';
import { anyReport, finding, live, report, reporting, result, unknown, warned } from './fixtures.ts';

// The schema is of draft 4, of which draft 7 reads all that it uses but the keyword of its own id.
const published = readFileSync('node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json', 'utf8');
const { $schema: _, id: __, ...schema } = JSON.parse(published);
const ajv = new Ajv({
  strict: false,
  allErrors: true,
  // One of its patterns is no expression in Unicode mode.
  unicodeRegExp: false,
  formats: {
    uri: (text: string) => URL.canParse(text),
    'uri-reference': (text: string) => /^[\w\-.~:/?#[\]@!$&'()*+,;=%]*$/.test(text) && !/%(?![0-9A-F]{2})/i.test(text),
    'date-time': (text: string) => !Number.isNaN(Date.parse(text)),
  },
});
const validate = ajv.compile(schema);

/** Returns the run of a rendered and parsed log; fails if the log is not valid. */
// biome-ignore lint/suspicious/noExplicitAny: the log is parsed text, checked by the schema above
function read(input: CheckReport, more: Partial<ReportContext> = {}): any {
  const log = JSON.parse([...renderSarif(input, reporting(more))].join(''));
  validate(log);
  expect(validate.errors).toBeNull();
  expect(log.runs).toHaveLength(1);
  return log.runs[0];
}

const ruleIds: readonly string[] = catalogue.map(({ id }) => id);

test('the schema refuses what is no SARIF', () => {
  expect(validate({ version: '2.1.0', runs: [{ tool: { driver: { name: 'x', rules: [{}] } } }] })).toBe(false);
  expect(validate({ version: '2.1.0', runs: [{ tool: { driver: { name: 'x', colour: 1 } } }] })).toBe(false);
});

describe('rules', () => {
  const { rules } = read(report({})).tool.driver;

  test('are the whole catalogue, in its order', () => {
    expect(rules.map(({ id }: { id: string }) => id)).toEqual([...ruleIds]);
  });

  test('have a title, help with examples, and a level', () => {
    for (const { id, shortDescription, help, helpUri, properties, defaultConfiguration } of rules) {
      const rule = catalogue.find((one) => one.id === id);
      expect(shortDescription.text).toBe(`${id}: ${rule?.meta.summary}`);
      const isInWebhook = (rule?.on.length ?? 0) > 0;
      expect(help.text).toContain(isInWebhook ? 'Why a webhook' : 'Why not in a CRD');
      for (const part of [`muster explain ${id}`, '```yaml\n', helpUri, properties.source])
        expect(help.markdown).toContain(part);
      expect(['error', 'warning', 'note', 'none']).toContain(defaultConfiguration.level);
      expect(helpUri).toBe(ruleUrl(id));
      expect(help.markdown).toContain(`Source: [${properties.source}](${sourceUrl(properties.source)})`);
      expect(properties.tags).toContain(rule?.concept);
    }
  });
});

describe('results', () => {
  test('rule, level, message and location', () => {
    const found = finding({ line: 14, column: 10, endLine: 14, endColumn: 15 });
    const [one] = read(report({ results: [result({ file: 'a b/ü#1.yaml', findings: [found] })] })).results;
    expect(one).toMatchObject({
      ruleId: 'claim/id-syntax',
      ruleIndex: ruleIds.indexOf('claim/id-syntax'),
      kind: 'fail',
      level: 'error',
      message: { text: 'spec.value: must be a DNS label, got "A_B" (ClusterClaim id.k8s.io)' },
      properties: { level: 'MUST', action: 'deny', operation: 'CREATE' },
    });
    const [{ physicalLocation, logicalLocations }] = one.locations;
    expect(physicalLocation).toEqual({
      artifactLocation: { uri: 'a%20b/%C3%BC%231.yaml', uriBaseId: '%SRCROOT%' },
      region: { startLine: 14, startColumn: 10, endLine: 14, endColumn: 15 },
    });
    const object = 'multicluster.x-k8s.io/ClusterClaim/id.k8s.io';
    expect(logicalLocations).toEqual([
      { name: 'id.k8s.io', fullyQualifiedName: object, kind: 'resource' },
      { name: 'spec.value', fullyQualifiedName: `${object}#spec.value`, kind: 'property' },
    ]);
  });

  test('the level is that of the action, not of the rule', () => {
    const silent = result({ outcome: 'allowed', findings: [finding({ action: 'audit' })] });
    const results = read(report({ results: [result(), warned(), silent, unknown()] })).results;
    const severities = results.map(({ kind, level }: { kind: string; level: string }) => `${kind} ${level}`);
    expect(severities).toEqual(['fail error', 'fail warning', 'fail note', 'open none']);
  });

  test('files: within the root, outside of it, standard input, a name that looks like a scheme', () => {
    const root = process.cwd();
    const uriOf = (file: string) =>
      read(report({ results: [result({ file })] }), { root }).results[0].locations[0].physicalLocation.artifactLocation;
    expect(uriOf('./a/../b.yaml')).toEqual({ uri: 'b.yaml', uriBaseId: '%SRCROOT%' });
    expect(uriOf(`${root}/c.yaml`)).toEqual({ uri: 'c.yaml', uriBaseId: '%SRCROOT%' });
    expect(uriOf('http:d.yaml')).toEqual({ uri: 'http%3Ad.yaml', uriBaseId: '%SRCROOT%' });
    expect(uriOf('/elsewhere/e f.yaml')).toEqual({ uri: 'file:///elsewhere/e%20f.yaml' });
    expect(uriOf('<stdin>')).toEqual({ uri: 'stdin', description: { text: 'standard input' } });
  });

  test('an object of a cluster has a logical location only, and so has a related one', () => {
    const [one] = read(report({ results: [live()] })).results;
    const object = 'prod/multicluster.x-k8s.io/ClusterClaim/id.k8s.io';
    expect(one.locations).toEqual([
      {
        logicalLocations: [
          { name: 'id.k8s.io', fullyQualifiedName: object, kind: 'resource' },
          { name: 'spec.value', fullyQualifiedName: `${object}#spec.value`, kind: 'property' },
        ],
      },
    ]);
    const related = [{ cluster: 'west', about: 'ClusterClaim id.k8s.io', message: 'the same id' }];
    const [other] = read(report({ results: [live({ findings: [finding({ related })] })] })).results;
    expect(other.message.text).toMatch(/ \[ClusterClaim id\.k8s\.io\]\(1\)$/);
    expect(other.relatedLocations).toEqual([
      {
        id: 1,
        logicalLocations: [{ fullyQualifiedName: 'west/ClusterClaim id.k8s.io', kind: 'resource' }],
        message: { text: 'west: ClusterClaim id.k8s.io: the same id' },
      },
    ]);
  });

  test('text is escaped that would be a placeholder or a link', () => {
    const [one] = read(report({ results: [result({ findings: [finding({ message: '{0} [a](b) {{x}}' })] })] })).results;
    expect(one.message.text).toBe('spec.value: {{0}} [a] (b) {{x}} (ClusterClaim id.k8s.io)');
  });
});

test('the run: exit code, errors as notifications, columns as counted', () => {
  const error = { file: 'broken.yaml', line: 3, column: 5, message: 'no closing ]' };
  const run = read(report({ errors: [error] }), { exitCode: 2 });
  expect(run.columnKind).toBe('utf16CodeUnits');
  const [{ toolExecutionNotifications, ...invocation }] = run.invocations;
  expect(invocation).toEqual({ executionSuccessful: false, exitCode: 2 });
  expect(toolExecutionNotifications).toMatchObject([{ level: 'error', message: { text: 'no closing ]' } }]);
  expect(toolExecutionNotifications[0].locations[0].physicalLocation).toEqual({
    artifactLocation: { uri: 'broken.yaml', uriBaseId: '%SRCROOT%' },
    region: { startLine: 3, startColumn: 5 },
  });
  const [denied] = read(report({ results: [result()] }), { exitCode: 1 }).invocations;
  expect(denied).toMatchObject({ executionSuccessful: true, exitCode: 1 });
});

test('the log is valid for any text, with a result for each finding', () => {
  // Five in one: most of a log is the catalogue, which is the same in each.
  const five = fc.tuple(...Array<typeof anyReport>(5).fill(anyReport));
  const together = five.map((reports) => {
    return report({
      results: reports.flatMap(({ results }) => results),
      errors: reports.flatMap(({ errors }) => errors),
    });
  });
  fc.assert(
    fc.property(together, (input) => {
      const run = read(input);
      expect(run.results).toHaveLength(input.results.flatMap(({ findings }) => findings).length);
      expect(run.invocations[0].toolExecutionNotifications).toHaveLength(input.errors.length);
    }),
    { numRuns: 20 },
  );
});

describe('fingerprints', () => {
  const prints = (...results: ReturnType<typeof result>[]): string[] =>
    read(report({ results })).results.map(
      ({ partialFingerprints }: { partialFingerprints: Record<string, string> }) => {
        const [ours, theirs] = Object.values(partialFingerprints);
        expect(ours).toBe(theirs);
        return ours;
      },
    );
  const base = prints(result())[0];
  const same = [
    result({ line: 40, findings: [finding({ line: 45, column: 3 })] }),
    result({ findings: [finding({ message: 'got "C_D"' })] }),
    result({ apiVersion: 'multicluster.x-k8s.io/v1beta1', operation: 'UPDATE' }),
    result({ file: './claims.yaml' }),
    result({ findings: [finding({ action: 'warn' })] }),
  ];
  const other = [
    result({ name: 'other.example' }),
    result({ namespace: 'a' }),
    result({ kind: 'ClusterProperty' }),
    result({ file: 'staging/claims.yaml' }),
    result({ findings: [finding({ field: 'spec' })] }),
    result({ findings: [finding({ ruleId: 'claim/value' })] }),
    result({ subresource: 'status' }),
  ];

  test('do not depend on line and value', () => {
    for (const one of same) expect(prints(one)).toEqual([base]);
  });

  test('differ by rule, file, object and field', () => {
    const all = other.map((one) => prints(one)[0]);
    expect(new Set([base, ...all]).size).toBe(other.length + 1);
    expect(prints(result({ namespace: 'a', name: 'b' }))).not.toEqual(prints(result({ namespace: '', name: 'ab' })));
  });

  test('of equal findings are numbered', () => {
    const [first, second] = prints(result(), result());
    expect([first, second]).toEqual([base, base?.replace(/:1$/, ':2')]);
    expect(prints(result({ name: 'new' }), result())[1]).toBe(base);
  });
});

const written = (data: unknown) => [...jsonPieces(data)].join('');

test('JSON in pieces is what JSON.stringify writes, and a line break', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 7, noUnicodeString: false, stringUnit: 'binary' }), (data) => {
      expect(written(data)).toBe(`${escapedJson(JSON.stringify(data, null, 2))}\n`);
    }),
    { numRuns: 500 },
  );
});

test('JSON holds no command of a CI system, and the same text', () => {
  const data = { '##[a]': ['x ##vso[task.complete]b', '## c'] };
  expect(written(data)).not.toMatch(/##\w*\[/);
  expect(JSON.parse(written(data))).toEqual(data);
});

test('JSON in pieces leaves out what JSON can not represent, as JSON.stringify does', () => {
  const data = { a: undefined, b: () => 1, c: [undefined, { d: undefined }], e: { f: () => 1 } };
  expect(written(data)).toBe(`${escapedJson(JSON.stringify(data, null, 2))}\n`);
});
