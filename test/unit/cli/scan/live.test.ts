/** A scan of a cluster whose answers vary: each kind is read by itself. */
import { describe, expect, test } from '@jest/globals';
import { clusterClaim, dialects } from '../../../../src/api/dialects.ts';
import type { Json, JsonObject } from '../../../../src/base/json.ts';
import { scanCluster } from '../../../../src/cli/scan/live.ts';
import type { ApiClient } from '../../../../src/cluster/live/client.ts';
import { ClusterError } from '../../../../src/cluster/live/errors.ts';
import { defaultPolicy } from '../../../../src/engine/index.ts';
import { createStoredEngine } from '../../../../src/engine/stored-objects.ts';
import { createRunComparison } from '../../../../src/evaluation/run-comparison.ts';
import { placeOf } from '../../../../src/report/report.ts';
import type { ReservationAnswer } from '../../../../src/rules/rule.ts';
import { claim, NOW } from '../../../support/command-line.ts';
import { answered, cluster } from './fixtures.ts';

const engine = createStoredEngine(undefined, () => NOW);
const comparison = createRunComparison({ point: 'scan' });
const scan = (client: ApiClient) => scanCluster({ client, comparison, engine, pageSize: 500, timeoutMs: 10_000 });
const member = claim('clusterset.k8s.io', 'fleet');
const DEEP: Json = JSON.parse(`${'['.repeat(1000)}1${']'.repeat(1000)}`);

test('kinds are in the order of the dialects, kinds that are not served are noted', async () => {
  const found = await scan(
    cluster({ feature: [{ metadata: { name: 'f', namespace: 'n' } }], 'cluster-claim': [member] }),
  );
  expect(found.entries.map(({ result }) => placeOf(result))).toEqual([
    { about: 'ClusterClaim clusterset.k8s.io' },
    { about: 'Feature n/f' },
  ]);
  expect(found.notes).toHaveLength(dialects.length - 2);
  expect(found.errors).toEqual([]);
});

describe('with a registrar', () => {
  const id = claim('id.k8s.io', 'east');
  const identity = { apiGroup: clusterClaim.group, clusterSet: 'fleet', id: 'east' };
  const registrar = { kubeconfig: 'hub', namespace: 'ids', whenUnreachable: 'deny' } as const;
  const policy = { ...defaultPolicy, settings: { ...defaultPolicy.settings, registrar } };
  const found = async (answer: ReservationAnswer) => {
    const asked: unknown[] = [];
    const reserve = async (one: unknown) => {
      asked.push(one);
      return answer;
    };
    const client = cluster({ 'cluster-claim': [id, member], feature: [] });
    const { entries } = await scanCluster({
      client,
      engine: createStoredEngine(policy, () => NOW),
      comparison,
      pageSize: 500,
      timeoutMs: 10_000,
      reserveFor: () => reserve,
    });
    expect(asked).toEqual([identity]);
    return entries.flatMap(({ result: { name, findings } }) =>
      findings.map(({ ruleId, outcome, message }) => [name, ruleId, outcome, message]),
    );
  };

  test('a member whose id another has reserved is a finding at its membership', async () => {
    const held = { kind: 'held', holder: 'two', since: 'yesterday', confirmed: true, lease: 'id-1' } as const;
    const message = expect.stringContaining('is reserved since yesterday by another cluster');
    expect(await found(held)).toEqual([['clusterset.k8s.io', 'claim/id-reserved', undefined, message]]);
  });

  test('nothing where it has its id, and indeterminate while the hub is away', async () => {
    expect(await found({ kind: 'ours' })).toEqual([]);
    const [[, ruleId, outcome] = []] = await found({ kind: 'unreachable', reason: 'the hub is away' });
    expect([ruleId, outcome]).toEqual(['claim/id-reserved', 'indeterminate']);
  });
});

test('an id that cannot be evaluated is not missing', async () => {
  const id = { ...claim('id.k8s.io', 'a'), spec: { value: DEEP } };
  const found = await scan(cluster({ 'cluster-claim': [id, member] }));
  expect(found.errors).toMatchObject([{ message: 'the object has more than 200 levels and is not evaluated' }]);
  expect(found.entries).toMatchObject([{ result: { name: 'clusterset.k8s.io', outcome: 'indeterminate' } }]);
});

test('a cluster that goes away is one error, whatever is read of it then', async () => {
  const away = new ClusterError('no-access', 'away');
  const exported = { metadata: { name: 'web', namespace: 'shop' } };
  const { errors } = await scan(cluster({ 'service-export': [exported], feature: away, service: away }));
  expect(errors.map(({ message }) => message)).toEqual(['away']);
});

test('each object that cannot be evaluated is an error, alike as they are', async () => {
  const deep = (name: string) => ({ ...claim(name, 'a'), spec: { value: DEEP } });
  const { errors } = await scan(cluster({ 'cluster-claim': [deep('a.example.com'), deep('b.example.com')] }));
  expect(errors.map(({ about }) => about)).toEqual(['ClusterClaim a.example.com', 'ClusterClaim b.example.com']);
});

/** A cluster that has lost the history of one list before its second page. */
function forgetful(whole: ApiClient, list: string, items: readonly Json[]): ApiClient {
  const pages = [{ metadata: { continue: 'more' }, items }, new ClusterError('unavailable', '', { status: 410 })];
  return {
    ...whole,
    call: async (request) => {
      const page = request.path.includes(`${list}?limit=`) ? pages.shift() : undefined;
      if (page instanceof ClusterError) throw page;
      return page === undefined ? whole.call(request) : answered(page);
    },
  };
}

test('objects of a list that starts again are dropped', async () => {
  const whole = cluster({ 'cluster-claim': [member] });
  const gone = [claim('gone.example.com', 'x'), { ...member, spec: { value: DEEP } }];
  const found = await scan(forgetful(whole, '/clusterclaims', gone));
  expect(found.errors).toEqual([]);
  expect(found.entries).toMatchObject([{ result: { name: 'clusterset.k8s.io', outcome: 'denied' } }]);
});

test('a kind that fails is an error with its name and fix; one cause is reported once', async () => {
  const forbidden = new ClusterError('forbidden', 'no', { status: 403 });
  const found = await scan(cluster({ 'cluster-claim': [member], feature: forbidden, 'cluster-profile': forbidden }));
  const about = 'clusterprofiles.multicluster.x-k8s.io';
  const message = `no: give the right to list ${about} (muster manifests --only scan)`;
  expect(found.errors).toMatchObject([{ about, message }, { about: 'features.features.x-k8s.io' }]);
  expect(found.entries).toHaveLength(1);
  const anonymous = new ClusterError('forbidden', 'a is forbidden: User "system:anonymous" cannot', { status: 403 });
  const nobody = await scan(cluster({ feature: anonymous }));
  expect(nobody.errors).toMatchObject([{ message: expect.stringMatching(/^the API server takes you for .* a token/) }]);
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
  expect(found.entries).toMatchObject([{ result: { name: 'f' } }]);
});

describe('Services', () => {
  const web = { metadata: { name: 'web', namespace: 'shop' } };
  const forbidden = new ClusterError('forbidden', 'no', { status: 403 });

  test('are not listed where nothing is exported, and a group that is not served costs one call, beside one for all', async () => {
    const calls: string[] = [];
    await scan(cluster({}, calls));
    const groups = [...new Set(dialects.map(({ group }) => `/apis/${group}`))];
    expect(calls.toSorted()).toEqual([...groups, '/version'].toSorted());
  });

  test('a gateway that knows no such path is an error, and no cluster without objects', async () => {
    const call: ApiClient['call'] = async () => {
      throw new ClusterError('not-found', 'no such path', { status: 404, absent: 'kind' });
    };
    const { errors, notes } = await scan({ ...cluster({}), call });
    const message = expect.stringContaining('no API server is at the address of the cluster');
    expect([errors, notes]).toEqual([[expect.objectContaining({ message })], []]);
  });

  test('are listed once where something is exported', async () => {
    const calls: string[] = [];
    const found = await scan(cluster({ 'service-export': [web], service: [web] }, calls));
    expect(calls.filter((path) => path === '/api/v1/services')).toHaveLength(1);
    expect(found).toMatchObject({ errors: [], entries: [{ result: { kind: 'ServiceExport', name: 'web' } }] });
  });

  test('that may not be listed are a note with the fix, and no failure', async () => {
    const found = await scan(cluster({ 'service-export': [web, web], service: forbidden }));
    const fix = 'give the right to list services (muster manifests --only scan-services)';
    expect(found.errors).toEqual([]);
    expect(found.notes.at(-1)).toBe(`the Services of 2 ServiceExports are unknown: no: ${fix}`);
    const { notes } = await scan(cluster({ 'service-export': [web], service: forbidden }));
    expect(notes.at(-1)).toBe(`the Service of 1 ServiceExport is unknown: no: ${fix}`);
  });

  test('that fail to be listed are an error', async () => {
    const refused = new ClusterError('invalid', 'HTTP 400', { status: 400 });
    const found = await scan(cluster({ 'service-export': [web], service: refused }));
    expect(found.errors).toEqual([{ about: 'services', message: 'HTTP 400' }]);
  });

  test('and exports: without the right, which is opted into, a note says so', async () => {
    const found = await scan(cluster({ 'service-export': forbidden, 'cluster-claim': [member] }));
    expect(found.errors).toEqual([]);
    const kind = 'serviceexports.multicluster.x-k8s.io';
    const fix = `give the right to list ${kind} (muster manifests --only scan-services)`;
    expect(found.notes).toContain(`nothing of ${kind} is scanned: no: ${fix}`);
  });
});

test('a bug is not taken for an answer of the cluster', async () => {
  const broken = { ...cluster({}), call: () => Promise.reject(new TypeError('ours')) };
  await expect(scan(broken)).rejects.toThrow('ours');
});

describe('a list without an end', () => {
  const servicesOf = (count: number) => {
    const service = Array(count).fill({ metadata: { name: 'other', namespace: 'shop' } });
    return {
      service,
      whole: cluster({ 'service-export': [{ metadata: { name: 'web', namespace: 'shop' } }], service }),
    };
  };

  test('is an error', async () => {
    const { errors } = await scan(servicesOf(500_000).whole);
    expect(errors).toMatchObject([{ message: expect.stringMatching(/^the cluster has more than 500000 objects/) }]);
  });

  test('is not one that starts again: its objects are counted once', async () => {
    const { service, whole } = servicesOf(300_000);
    expect((await scan(forgetful(whole, '/services', service))).errors).toEqual([]);
  });
});
