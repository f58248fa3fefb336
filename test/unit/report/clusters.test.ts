/** What the outputs show of a run with several clusters. */
import { expect, test } from '@jest/globals';
import { REPORT_RENDERERS } from '../../../src/report/formats.ts';
import { type CheckResult, reportOf } from '../../../src/report/report.ts';

const place = { line: 6, column: 10 };
const result = (cluster: string, other: string): CheckResult => ({
  cluster,
  file: `clusters/${cluster}/claims.yaml`,
  ...{ line: 1, column: 1, apiVersion: 'about.k8s.io/v1', kind: 'ClusterProperty', namespace: '', name: 'id' },
  ...{ operation: 'CREATE', subresource: '', outcome: 'denied' },
  findings: [
    {
      ...{ ruleId: 'claim/id-syntax', level: 'MUST', action: 'deny', field: 'spec.value', message: 'taken', ...place },
      url: 'https://docs.example/rules/claim-id-syntax',
      related: [{ cluster: other, file: `clusters/${other}/claims.yaml`, ...place, message: 'the same id' }],
    },
  ],
});

const REPORT = reportOf({
  results: [result('east', 'west'), result('west', 'east')],
  errors: [{ cluster: 'north', file: 'x.yaml', line: 1, column: 1, message: 'bad' }],
  skipped: 0,
});

async function rendered(format: string): Promise<string> {
  const render = await REPORT_RENDERERS[format]?.();
  const context = { command: 'muster check', failOn: 'denied', exitCode: 2, root: process.cwd() } as const;
  const pieces = render?.(REPORT, context, (text) => text) ?? '';
  return typeof pieces === 'string' ? pieces : [...pieces].join('');
}

test.each([
  ['text', '(east: ClusterProperty id)'],
  ['text', '  see clusters/west/claims.yaml:6:10: west: the same id'],
  ['junit', 'classname="east.about.k8s.io/v1.ClusterProperty"'],
  ['junit', 'clusters/west/claims.yaml:6:10: west: the same id'],
  ['github', 'spec.value: taken (east: ClusterProperty id); see clusters/west/claims.yaml:6:10: west: the same id'],
  ['github', '::north: bad'],
])('%s: %s', async (format, text) => {
  expect(await rendered(format)).toContain(text);
});

test('SARIF relates both places, and tells the findings of two clusters apart', async () => {
  const [run] = JSON.parse(await rendered('sarif')).runs;
  expect(run.results[0].relatedLocations).toEqual([
    {
      id: 1,
      physicalLocation: {
        artifactLocation: { uri: 'clusters/west/claims.yaml', uriBaseId: '%SRCROOT%' },
        region: { startLine: 6, startColumn: 10 },
      },
      message: { text: 'west: the same id' },
    },
  ]);
  // GitHub shows a related location that the message links to.
  expect(run.results[0].message.text).toBe(
    'spec.value: taken (east: ClusterProperty id) [clusters/west/claims.yaml:6](1)',
  );
  const prints = run.results.map(({ partialFingerprints }: { partialFingerprints: object }) =>
    JSON.stringify(partialFingerprints),
  );
  expect(new Set(prints).size).toBe(2);
  const names = run.results.map(
    ({ locations }: { locations: { logicalLocations: { fullyQualifiedName: string }[] }[] }) =>
      locations[0]?.logicalLocations[0]?.fullyQualifiedName,
  );
  expect(names).toEqual(['east/about.k8s.io/ClusterProperty/id', 'west/about.k8s.io/ClusterProperty/id']);
});

test('JSON has the fields as they are', async () => {
  const { results, errors } = JSON.parse(await rendered('json'));
  expect(results[0]).toMatchObject({ cluster: 'east', findings: [{ related: [{ cluster: 'west', line: 6 }] }] });
  expect(errors[0]).toMatchObject({ cluster: 'north' });
});
