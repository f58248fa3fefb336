/** Warnings about types that look misspelled, and how the formats of a report show them. */
import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../src/base/json.ts';
import { runCheck } from '../../../../src/cli/check/run.ts';
import { REPORT_RENDERERS } from '../../../../src/report/formats.ts';
import { exitCodeOf } from '../../../../src/report/report.ts';
import { noColor } from '../../../../src/report/terminal.ts';
import { claim, run, yaml } from '../../../support/command-line.ts';

const check = async (...types: JsonObject[]) => {
  const text = yaml(...types.map((type) => ({ ...claim('id.k8s.io', 'east'), ...type })));
  return (await runCheck(run({ paths: ['-'], stdin: async () => Buffer.from(text) }))).report;
};

const LOCAL = 'config.kubernetes.io/local-config';

describe('a type that looks misspelled', () => {
  test.each([
    [{ kind: 'ClusterClaims' }, 'multicluster.x-k8s.io has no kind "ClusterClaims"; did you mean "ClusterClaim"?'],
    [{ kind: 'clusterclaim' }, 'multicluster.x-k8s.io has no kind "clusterclaim"; did you mean "ClusterClaim"?'],
    [
      { apiVersion: 'about.k8s.io', kind: 'ClusterProperty' },
      'apiVersion must be a group and a version, such as about.k8s.io/v1',
    ],
    [
      { apiVersion: 'about.k8s.io/v1', kind: 'ClusterProperties' },
      'about.k8s.io has no kind "ClusterProperties"; did you mean "ClusterProperty"?',
    ],
    [
      { apiVersion: 'about.k8s.io/v1', kind: 'ClusterClaim' },
      'about.k8s.io has no kind "ClusterClaim"; did you mean "ClusterProperty"?',
    ],
    [
      { apiVersion: 'multicluster.x-k8s.io/v99' },
      'muster does not know ClusterClaim in multicluster.x-k8s.io/v99; did you mean "multicluster.x-k8s.io/v1alpha1"?',
    ],
    [
      { apiVersion: 'about.k8s.io/v1beta2', kind: 'ClusterProperty' },
      'muster does not know ClusterProperty in about.k8s.io/v1beta2; did you mean "about.k8s.io/v1beta1"?',
    ],
    // As in the examples of KEP-1645.
    [
      { apiVersion: 'multicluster.k8s.io/v1alpha1', kind: 'ServiceExport' },
      'there is no group multicluster.k8s.io; did you mean "multicluster.x-k8s.io"?',
    ],
  ])('%j warns', async (type, message) => {
    const { warnings, summary } = await check(type);
    expect(warnings).toEqual([{ file: '<stdin>', line: 2, column: 1, message }]);
    expect(summary.warnings).toBeGreaterThan(0);
  });

  test.each([
    {},
    { apiVersion: 'multicluster.x-k8s.io/v1alpha1', kind: 'ServiceExport' },
    { apiVersion: 'multicluster.x-k8s.io/v1alpha1', kind: 'PlacementDecision' },
    { apiVersion: 'multicluster.x-k8s.io/v1alpha2', kind: 'PlacementDecision' },
    { apiVersion: 'multicluster.k8s.io/v1alpha1', kind: 'Placement' },
    { apiVersion: 'multicluster.x-k8s.io/v1alpha1', kind: 'ClusterSet' },
    { apiVersion: 'cluster.open-cluster-management.io/v1', kind: 'ManagedCluster' },
    { apiVersion: 'cluster.open-cluster-management.io/v1beta2', kind: 'ManagedClusterSet' },
    { apiVersion: 'hive.openshift.io/v1', kind: 'ClusterClaim' },
    { apiVersion: 'config.projectsveltos.io/v1beta1', kind: 'ClusterProfile' },
    { apiVersion: 'lib.projectsveltos.io/v1beta1', kind: 'ClusterSet' },
  ])('%j does not', async (type) => {
    expect((await check(type)).warnings).toBeUndefined();
  });

  test.each<[string, JsonObject, string[]]>([
    ['texts and null', { labels: { a: 'on', b: null }, annotations: null }, []],
    ['a number', { labels: { a: 'x', b: 1 } }, ['metadata.labels[b] must be a string, got a number: quote it']],
    [
      'several',
      { labels: { a: true, b: 1, c: 2 }, annotations: { d: {} } },
      [
        'metadata.labels[a] must be a string, got a boolean: quote it (and 2 more)',
        'metadata.annotations[d] must be a string, got an object',
      ],
    ],
    ['a list', { annotations: { a: ['x'] } }, ['metadata.annotations[a] must be a string, got a list']],
    [
      'no map',
      { labels: [1], annotations: true },
      ['metadata.labels must be a map of texts', 'metadata.annotations must be a map of texts'],
    ],
  ])('labels and annotations that are no text warn: %s', async (_, metadata, messages) => {
    const { warnings = [] } = await check({ metadata: { name: 'a', ...metadata } });
    expect(warnings.map(({ message }) => message)).toEqual(messages);
  });

  test('an object that kustomize leaves out warns', async () => {
    const annotated = (value: string) => check({ metadata: { name: 'a', annotations: { [LOCAL]: value } } });
    const [warning] = (await annotated('true')).warnings ?? [];
    expect(warning?.message).toMatch(/^kubectl applies the object, and kustomize leaves it out/);
    expect((await annotated('false')).warnings).toBeUndefined();
  });

  // Nothing but the group says that it could be muster's.
  test.each(['ClusterClaims', 'clusterclaim'])('--fail-on warning fails on %s, the default does not', async (kind) => {
    const report = await check({ kind });
    expect(exitCodeOf(report, 'denied')).toBe(0);
    expect(exitCodeOf(report, 'warning')).toBe(1);
  });

  test('every format but text, which writes it to standard error, shows it', async () => {
    const report = await check({ kind: 'ClusterClaims' });
    for (const failOn of ['denied', 'warning'] as const) {
      for (const [format, load] of Object.entries(REPORT_RENDERERS)) {
        const rendered = (await load())(report, { command: 'muster check', failOn, exitCode: 0, root: '/' }, noColor);
        expect([format, [...rendered].join('').includes('did you mean')]).toEqual([format, format !== 'text']);
      }
    }
  });
});
