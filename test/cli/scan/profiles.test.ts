/** The clusters of a fleet, out of the ClusterProfiles of a hub. */
import { expect, test } from '@jest/globals';
import { fleetOf } from '../../../src/cli/scan/fleet/profiles.ts';
import type { ApiClient } from '../../../src/cluster/live/client.ts';
import { ClusterError } from '../../../src/cluster/live/errors.ts';
import type { JsonObject } from '../../../src/rules/rule.ts';

const PROFILES = '/apis/multicluster.x-k8s.io/v1alpha1/clusterprofiles';

/** A hub that answers a list of profiles page by page. */
function hubOf(...pages: readonly (JsonObject | ClusterError)[]): ApiClient {
  const left = [...pages];
  const call: ApiClient['call'] = async ({ path, read }) => {
    const body: JsonObject | ClusterError | undefined = path.startsWith(PROFILES)
      ? left.shift()
      : { versions: [{ version: 'v1alpha1' }], resources: [{ name: 'clusterprofiles' }] };
    if (body === undefined || body instanceof ClusterError) throw body ?? new Error('no page left');
    return { status: 200, body: read?.(Buffer.from(JSON.stringify(body))) ?? body, date: undefined };
  };
  return { server: 'https://hub', namespace: '', call, close: () => undefined };
}

const profile = (name: string, status: JsonObject) => ({ metadata: { name, namespace: 'n' }, status });
const providers = [{ name: 'p', execConfig: { command: 'plugin' } }];
const find = (hub: ApiClient) => fleetOf({ hub, own: [], providers, timeoutMs: 10_000, signal: undefined });

test('a list that begins again has each profile once', async () => {
  const items = [
    profile('a', { accessProviders: [{ name: 'p', cluster: { server: 'https://a.example.com' } }] }),
    profile('b', {}),
  ];
  const forgotten = new ClusterError('unavailable', 'expired', { status: 410 });
  const hub = hubOf({ metadata: { continue: 'more' }, items }, forgotten, { metadata: {}, items });
  const { targets, errors, notes } = await find(hub);
  expect(targets.map(({ cluster, ways }) => [cluster, ways.length])).toEqual([['n/a', 1]]);
  expect(errors.map(({ cluster }) => cluster)).toEqual(['n/b']);
  expect(notes).toEqual([]);
});
