/** Excerpts of a file show no line of an object that may hold a secret, whichever rules have findings. */
import { expect, test } from '@jest/globals';
import type { JsonObject } from '../../../src/base/json.ts';
import { runCheck } from '../../../src/cli/check/run.ts';
import { profile } from '../../support/bases.ts';
import { run } from '../../support/command-line.ts';
import { newFolder } from '../../support/folder.ts';

const folder = newFolder();
const put = (name: string, ...objects: readonly JsonObject[]) =>
  folder.put(name, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));

function withToken(version: string, name = 'a'): JsonObject {
  const extensions = [{ name: 'x', extension: { token: 'hunter2' } }];
  const accessProviders = [{ name: 'a', cluster: { server: 'https://a.example', extensions } }];
  const metadata = { ...(profile['metadata'] as JsonObject), name };
  return { ...profile, metadata, status: { accessProviders, version: { kubernetes: version } } };
}

/** The lines that a run shows, each with the name of its object. */
async function shown(...[more]: Parameters<typeof run>): Promise<readonly (readonly [string, string])[]> {
  const { report } = await runCheck(run(more));
  return report.results.flatMap(({ name, findings }) =>
    findings.map(({ line = 1, sourceLine }) => [name, sourceLine?.(line) ?? ''] as const),
  );
}

test('a secret that was there before, on the line of a new finding', async () => {
  const state = [put('state.json', withToken('v1.36.0'))];
  const lines = await shown({ paths: [put('new.json', withToken('x'))], state });
  expect(lines).toContainEqual(['a', '']);
  expect(JSON.stringify(lines)).not.toContain('hunter2');
});

test('where the status is not evaluated', async () => {
  const labels = { 'x-k8s.io/cluster-manager': 'other' };
  const wrong = { ...withToken('v1.36.0'), metadata: { name: 'a', namespace: 'd', labels } };
  const lines = await shown({ paths: [put('main.json', wrong)], subresource: 'none' });
  expect(lines).toContainEqual(['a', '']);
  expect(JSON.stringify(lines)).not.toContain('hunter2');
});

test.each([
  ['both objects', withToken('x')],
  ['the old object', { ...profile, status: { version: { kubernetes: 'x' } } }],
])('in %s of an AdmissionReview', async (_, object) => {
  const request = {
    uid: '1',
    kind: { group: 'multicluster.x-k8s.io', version: 'v1alpha2', kind: 'ClusterProfile' },
    operation: 'UPDATE',
    subResource: 'status',
    object,
    oldObject: withToken('v1.36.0'),
  };
  const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request };
  const lines = await shown({ paths: [folder.put('review.json', JSON.stringify(review))] });
  expect(lines.length).toBeGreaterThan(0);
  expect(JSON.stringify(lines)).not.toContain('hunter2');
});

test('another object on the same line is shown without it', async () => {
  const other = { ...profile, status: { version: { kubernetes: 'x' } } };
  const lines = await shown({ paths: [put('both.json', withToken('x'), other)] });
  expect(lines.some(([name, line]) => name === 'harbour-7k2' && line.includes('"kubernetes":"x"'))).toBe(true);
  expect(JSON.stringify(lines)).not.toContain('hunter2');
});

test('a provider that is only listed twice is shown', async () => {
  const twice = { ...profile, status: { accessProviders: [{ name: 'a' }, { name: 'a' }] } };
  const lines = await shown({ paths: [put('twice.json', twice)] });
  expect(lines.some(([, line]) => line.includes('"accessProviders"'))).toBe(true);
});
