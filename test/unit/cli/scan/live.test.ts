/** A scan of a cluster whose answers vary: each kind is read by itself. */
import { expect, test } from '@jest/globals';
import { type Dialect, dialects } from '../../../../src/api/dialects.ts';
import type { Json, JsonObject } from '../../../../src/base/json.ts';
import { placeOf } from '../../../../src/cli/output/report.ts';
import type { Entry } from '../../../../src/cli/output/results.ts';
import { scanCluster } from '../../../../src/cli/scan/live.ts';
import type { ApiClient, ApiRequest, ApiResponse } from '../../../../src/cluster/live/client.ts';
import { ClusterError } from '../../../../src/cluster/live/errors.ts';
import { createComparison } from '../../../../src/engine/index.ts';
import { claim, NOW } from '../../../support/cli-world.ts';

/** Serves the kinds for which there is a list; a list that is an error fails. */
function cluster(lists: Partial<Record<Dialect['name'], readonly JsonObject[] | ClusterError>>): ApiClient {
  const served = dialects.filter(({ name }) => lists[name] !== undefined);
  const answer = (path: string): JsonObject => {
    const [, , group, version, plural] = (path.split('?')[0] ?? '').split('/');
    const kinds = served.filter((dialect) => dialect.group === group);
    if (kinds.length === 0) throw new ClusterError('not-found', 'no such kind', { status: 404, absent: 'kind' });
    if (version === undefined)
      return { versions: kinds.flatMap(({ versions }) => versions.map((one) => ({ version: one }))) };
    if (plural === undefined) return { resources: kinds.map(({ plural: name }) => ({ name })) };
    const items = lists[kinds.find((dialect) => dialect.plural === plural)?.name ?? 'feature'];
    if (items instanceof ClusterError) throw items;
    return { metadata: {}, items: items ?? [] };
  };
  const call: ApiClient['call'] = async (request) => answered(request, answer(request.path));
  return { server: '', namespace: '', call, close: () => undefined };
}
function answered({ read }: ApiRequest, body: JsonObject): ApiResponse {
  return { status: 200, body: read?.(Buffer.from(JSON.stringify(body))) ?? body, date: undefined };
}
const comparison = createComparison<Entry>({ point: 'scan', isAcross: false });
const scan = (client: ApiClient) => scanCluster({ client, comparison, pageSize: 500, clock: () => NOW });
const member = claim('clusterset.k8s.io', 'fleet');
const DEEP: Json = JSON.parse(`${'['.repeat(1000)}1${']'.repeat(1000)}`);

test('kinds are in the order of the dialects, kinds that are not served are noted', async () => {
  const found = await scan(
    cluster({ feature: [{ metadata: { name: 'f', namespace: 'n' } }], 'cluster-claim': [member] }),
  );
  expect(found.objects.map(({ result }) => placeOf(result))).toEqual([
    { about: 'ClusterClaim clusterset.k8s.io' },
    { about: 'Feature n/f' },
  ]);
  expect(found.notes).toHaveLength(5);
  expect(found.errors).toEqual([]);
});

test('an id that cannot be evaluated is not missing', async () => {
  const id = { ...claim('id.k8s.io', 'a'), spec: { value: DEEP } };
  const found = await scan(cluster({ 'cluster-claim': [id, member] }));
  expect(found.errors).toMatchObject([{ message: 'the object has more than 200 levels and is not evaluated' }]);
  expect(found.objects).toMatchObject([{ result: { name: 'clusterset.k8s.io', outcome: 'indeterminate' } }]);
});

test('objects of a list that starts again are dropped', async () => {
  const whole = cluster({ 'cluster-claim': [member] });
  const pages = [
    { metadata: { continue: 'more' }, items: [claim('gone.example.com', 'x'), { ...member, spec: { value: DEEP } }] },
    new ClusterError('unavailable', 'expired', { status: 410 }),
  ];
  const forgetful: ApiClient = {
    ...whole,
    call: async (request) => {
      const page = request.path.includes('limit=') ? pages.shift() : undefined;
      if (page instanceof ClusterError) throw page;
      return page === undefined ? whole.call(request) : answered(request, page);
    },
  };
  const found = await scan(forgetful);
  expect(found.errors).toEqual([]);
  expect(found.objects).toMatchObject([{ result: { name: 'clusterset.k8s.io', outcome: 'denied' } }]);
});

test('a kind that fails is an error with its name and fix; one cause is reported once', async () => {
  const forbidden = new ClusterError('forbidden', 'no', { status: 403 });
  const found = await scan(cluster({ 'cluster-claim': [member], feature: forbidden, 'cluster-profile': forbidden }));
  const about = 'clusterprofiles.multicluster.x-k8s.io';
  const message = `no: give the right to list ${about} (muster manifests --only scan)`;
  expect(found.errors).toMatchObject([{ about, message }, { about: 'features.features.x-k8s.io' }]);
  expect(found.objects).toHaveLength(1);
  const away = { ...cluster({}), call: () => Promise.reject(new ClusterError('no-access', 'away')) };
  expect((await scan(away)).errors).toHaveLength(1);
});

test.each<[string, JsonObject]>([
  ['no name', { metadata: {} }],
  ['a name that no API server stores', { metadata: { name: 'x'.repeat(254) } }],
])('a list of which an object has %s is not believed', async (_, object) => {
  const found = await scan(
    cluster({ 'cluster-claim': [object], feature: [{ metadata: { name: 'f', namespace: 'n' } }] }),
  );
  expect(found.errors).toMatchObject([{ message: expect.stringContaining('no valid name') }]);
  expect(found.objects).toMatchObject([{ result: { name: 'f' } }]);
});

test('a bug is not taken for an answer of the cluster', async () => {
  const broken = { ...cluster({}), call: () => Promise.reject(new TypeError('ours')) };
  await expect(scan(broken)).rejects.toThrow('ours');
});
