/** What the outputs show of a run with several clusters. */
import { expect, test } from '@jest/globals';
import { REPORT_RENDERERS } from '../../../src/report/formats.ts';
import type { CheckResult } from '../../../src/report/report.ts';
import { noColor } from '../../../src/report/terminal.ts';
import { finding, report, reporting, result } from './fixtures.ts';

const placeIn = (cluster: string) => ({ file: `clusters/${cluster}/claims.yaml`, line: 6, column: 10 });
const resultIn = (cluster: string, other: string): CheckResult => {
  const related = [{ cluster: other, ...placeIn(other), message: 'the same id' }];
  const findings = [finding({ message: 'taken', related })];
  const { file } = placeIn(cluster);
  return result({ cluster, file, apiVersion: 'about.k8s.io/v1', kind: 'ClusterProperty', name: 'id', findings });
};

const REPORT = report({
  results: [resultIn('east', 'west'), resultIn('west', 'east')],
  errors: [{ cluster: 'north', file: 'x.yaml', line: 1, column: 1, message: 'bad' }],
});

async function rendered(format: string): Promise<string> {
  const render = await REPORT_RENDERERS[format]?.();
  const pieces = render?.(REPORT, reporting({ exitCode: 2 }), noColor) ?? '';
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
