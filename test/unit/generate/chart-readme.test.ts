/** The README of the Helm chart: the table of its values, and what a template or a value may lack. */
import { expect, test } from '@jest/globals';
import { chartReadme } from '../../../src/generate/chart-readme.ts';

const chart = { name: 'c', version: '1.2.3', type: 'application', appVersion: '1.2.3', description: 'A chart.' };
const TABLE = '{{ template "chart.valuesSection" . }}';

test('a row for each value, sorted; a map with a comment of its own is one value', () => {
  const values = `
# -- Number of pods
replicas: 2
image:
  # -- Where it is
  repository: a/b
  # Not described, but its member is.
  more:
    # -- A member
    flag: true
# -- Of all pods
labels: { b: 1, a: 2 }
`;
  expect(chartReadme(TABLE, chart, values).split('\n').slice(4)).toEqual([
    '| image.more.flag | bool | `true` | A member |',
    '| image.repository | string | `"a/b"` | Where it is |',
    '| labels | object | `{"a":2,"b":1}` | Of all pods |',
    '| replicas | int | `2` | Number of pods |',
  ]);
});

test('a value without a description, and an unknown section, are errors', () => {
  expect(() => chartReadme(TABLE, chart, 'replicas: 2\n')).toThrow('replicas has no comment');
  expect(() => chartReadme('{{ template "chart.x" . }}', chart, '{}')).toThrow('no section "chart.x"');
});
