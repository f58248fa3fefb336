/** `muster registrar` against a stub that is both the hub and the member: exit codes, texts, and what is written. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import type { JsonObject } from '../../../../src/base/json.ts';
import { type RegistrarAction, type RegistrarFlags, registrarCommand } from '../../../../src/cli/registrar/run.ts';
import { HEAD } from '../../../support/configuration.ts';
import { newFolder } from '../../../support/folder.ts';
import {
  EAST,
  LEASES,
  OLD,
  OTHER,
  OWN,
  type RegistrarStub,
  startRegistrarStub,
  withoutLabels,
} from '../../../support/registrar-stub.ts';

const folder = newFolder();
const config = folder.put('muster.yaml', `${HEAD}registrar: { kubeconfig: kubeconfig, namespace: cluster-ids }\n`);
let stub: RegistrarStub;
let printed: { out: string; err: string };

beforeAll(async () => {
  stub = await startRegistrarStub(folder.path);
});
beforeEach(() => {
  stub.reset();
  printed = { out: '', err: '' };
  for (const [name, stream] of [['out', process.stdout] as const, ['err', process.stderr] as const]) {
    jest.spyOn(stream, 'write').mockImplementation((text) => {
      printed[name] += text;
      return true;
    });
  }
});
afterEach(() => void jest.restoreAllMocks());
afterAll(() => stub.close());

const member = () => ({ kubeconfig: stub.kubeconfig });
const ends = { clusterSet: 'fleet', holder: OTHER };
const muster = (action: RegistrarAction, id?: string, flags: RegistrarFlags = {}) =>
  registrarCommand(action, id, { config, ...(action === 'sync' || action === 'takeover' ? member() : {}), ...flags });

test('list shows who holds what, ordered, nothing of it raw, and a Lease without annotations by its name', async () => {
  stub.reserve({ ...EAST, id: 'west\u001b[2J\n' }, OTHER);
  const named = stub.reserve({ ...EAST, id: 'lost' }, OWN, ({ metadata, ...lease }) => {
    return { ...lease, metadata: { name: (metadata as { name: string }).name } };
  });
  stub.reserve(EAST, OWN);
  expect(await muster('list')).toBe(0);
  const lost = named.slice(LEASES.length + 1);
  const lines = printed.out.split('\n').map((line) => line.split(/ {2,}/).filter(Boolean));
  expect(lines).toEqual([
    ['CLUSTERSET', 'ID', 'API GROUP', 'HOLDER', 'SINCE', 'CONFIRMED'],
    ['-', lost, '-', OWN, '2026-01-02T03:04:05.000000Z', 'no'],
    ['fleet', 'east', 'about.k8s.io', OWN, '2026-01-02T03:04:05.000000Z', 'no'],
    ['fleet', 'west\\u001b[2J\\u000a', 'about.k8s.io', OTHER, '2026-01-02T03:04:05.000000Z', 'no'],
    [],
  ]);

  printed.out = '';
  expect(await muster('list', undefined, { output: ['json'] })).toBe(0);
  const [first, second] = JSON.parse(printed.out).items;
  expect(first).toEqual({ name: lost, holder: OWN, since: '2026-01-02T03:04:05.000000Z', confirmed: false });
  expect(second).toEqual({ ...EAST, holder: OWN, since: '2026-01-02T03:04:05.000000Z', confirmed: false });
});

test('list refuses a report in the place of what it reads', async () => {
  for (const file of [config, stub.kubeconfig])
    await expect(muster('list', undefined, { output: [`json=${file}`] })).rejects.toThrow(
      `the report would replace ${file}, which is read`,
    );
});

test('list of an empty hub says so', async () => {
  expect(await muster('list')).toBe(0);
  expect(printed.out).toBe(`no reservations at the hub (https://127.0.0.1:${stub.port}, namespace cluster-ids)\n`);
});

test('release deletes what the named holder has, as it was read', async () => {
  const path = stub.reserve(EAST, OTHER);
  const { metadata } = stub.objects.get(path) as { metadata: JsonObject };
  expect(await muster('release', 'east', ends)).toBe(0);
  expect(printed.out).toContain('released id "east" in ClusterSet "fleet" (about.k8s.io)');
  expect(stub.objects.has(path)).toBe(false);
  const { preconditions } = JSON.parse(stub.requests.at(-1)?.body ?? '');
  expect(preconditions).toEqual({ uid: metadata['uid'], resourceVersion: metadata['resourceVersion'] });
});

test('takeover makes this cluster the holder, not confirmed, with the time of now', async () => {
  const path = stub.reserve(EAST, OTHER);
  expect(await muster('takeover', 'east', ends)).toBe(0);
  expect(printed.out).toBe(
    `this cluster (${OWN}) holds id "east" in ClusterSet "fleet" (about.k8s.io) now: unless it is a member already, let it join within 120 s\n`,
  );
  const { spec, metadata } = stub.objects.get(path) as { spec: JsonObject; metadata: { annotations: JsonObject } };
  expect([spec['holderIdentity'], metadata.annotations['muster/confirmed']]).toEqual([OWN, undefined]);
  expect(Date.parse(String(spec['renewTime']))).toBeGreaterThan(OLD);
});

test.each([-10, 10])(
  'takeover and sync take the time of the API server on a machine that is %d minutes off',
  async (off) => {
    const real = Date.now.bind(Date);
    const now = real();
    const path = stub.reserve(EAST, OTHER);
    jest.spyOn(Date, 'now').mockImplementation(() => real() + off * 60_000);
    expect(await muster('takeover', 'east', ends)).toBe(0);
    const { spec } = stub.objects.get(path) as { spec: JsonObject };
    expect(Math.abs(Date.parse(String(spec['renewTime'])) - now)).toBeLessThan(20_000);
    expect(await muster('sync')).toBe(0);
    expect(printed.out).toContain('still holds id "east"');
  },
);

test.each(['release', 'takeover'] as const)('%s of what another holds, or nobody, is not done', async (action) => {
  const path = stub.reserve(EAST, 'somebody\u202e else');
  const before = stub.objects.get(path);
  expect(await muster(action, 'east', ends)).toBe(1);
  expect(printed.err).toBe(
    'not done: somebody\\u202e else holds id "east" in ClusterSet "fleet" since 2026-01-02T03:04:05.000000Z, ' +
      `not ${OTHER}: if that cluster is gone, name it with --holder\n`,
  );
  expect(stub.objects.get(path)).toBe(before);

  printed.err = '';
  expect(await muster(action, 'west', { ...ends, apiGroup: 'about.k8s.io' })).toBe(1);
  expect(printed.err).toBe(
    'not done: nobody holds id "west" in ClusterSet "fleet" (about.k8s.io): muster registrar list shows what is reserved\n',
  );
});

test('a Lease without a holder is named, to be deleted', async () => {
  const path = stub.reserve(EAST, '', (lease) => ({ ...lease, spec: {} }));
  expect(await muster('release', 'east', ends)).toBe(1);
  const name = path.split('/').at(-1);
  expect(printed.err).toBe(
    `not done: the Lease ${name} of id "east" in ClusterSet "fleet" names no holder: delete it on the hub\n`,
  );

  stub.join(EAST);
  printed.err = '';
  expect(await muster('sync')).toBe(1);
  expect(printed.err).toBe(
    `not done: the Lease ${name} of id "east" in ClusterSet "fleet" (about.k8s.io), with which this cluster is a ` +
      'member, names no holder: delete it on the hub\n',
  );
});

test.each(['release', 'takeover'] as const)('%s asks which API is meant where two have the id', async (action) => {
  const paths = [stub.reserve(EAST, OTHER), stub.reserve({ ...EAST, apiGroup: 'multicluster.x-k8s.io' }, OTHER)];
  await expect(muster(action, 'east', ends)).rejects.toThrow(
    'id "east" in ClusterSet "fleet" (multicluster.x-k8s.io) is reserved in 2 APIs: ' +
      'name one, --api-group multicluster.x-k8s.io or --api-group about.k8s.io',
  );
  expect(paths.map((path) => JSON.stringify(stub.objects.get(path)).includes(OTHER))).toEqual([true, true]);
  expect(await muster(action, 'east', { ...ends, apiGroup: 'about.k8s.io' })).toBe(0);
});

test('sync confirms what is stored, releases the rest, and says so', async () => {
  stub.join(EAST);
  stub.reserve(EAST, OWN);
  stub.reserve({ ...EAST, id: 'former' }, OWN);
  expect(await muster('sync')).toBe(0);
  expect(printed.out).toBe(
    'confirmed id "east" in ClusterSet "fleet" (about.k8s.io)\n' +
      'released id "former" in ClusterSet "fleet" (about.k8s.io)\n',
  );
  printed.out = '';
  expect(await muster('sync')).toBe(0);
  expect(printed.out).toBe('nothing to do: the reservations fit the membership\n');
  const renewTime = new Date().toISOString();
  stub.reserve({ ...EAST, id: 'left' }, OWN, (lease) => ({
    ...lease,
    spec: { ...(lease['spec'] as JsonObject), renewTime },
  }));
  printed.out = '';
  expect(await muster('sync')).toBe(0);
  expect(printed.out).toBe(
    'still holds id "left" in ClusterSet "fleet" (about.k8s.io), without a membership: it is released by the first ' +
      'round 120 s after the last join with it\n',
  );

  stub.reserve(EAST, OTHER);
  expect(await muster('sync')).toBe(1);
  expect(printed.err).toContain(
    `not done: ${OTHER} holds id "east" in ClusterSet "fleet" (about.k8s.io), with which this cluster is a member: ` +
      'give one of the two another id, or, if that cluster is gone: ' +
      `muster registrar takeover east --cluster-set fleet --api-group about.k8s.io --holder ${OTHER} ` +
      `--config ${config} --kubeconfig ${stub.kubeconfig}\n`,
  );
});

test('sync finds a reservation that lacks the label of its holder', async () => {
  stub.reserve(EAST, OWN, withoutLabels);
  expect(await muster('sync')).toBe(0);
  expect(printed.out).toBe('released id "east" in ClusterSet "fleet" (about.k8s.io)\n');
});

test.each<[string, RegistrarAction, string | undefined, RegistrarFlags, string]>([
  ['no configuration', 'list', undefined, { config: '' }, 'muster registrar needs --config FILE'],
  ['an id that is not wanted', 'sync', 'east', {}, 'muster registrar sync takes no id: leave "east" out'],
  ['no id', 'release', undefined, ends, 'needs the id: muster registrar release ID --cluster-set S --holder UID'],
  ['no ClusterSet', 'release', 'east', { holder: OTHER }, 'needs --cluster-set S, the ClusterSet of the id'],
  ['no holder', 'takeover', 'east', { clusterSet: 'fleet' }, 'needs --holder UID, who has to hold the id'],
])('%s is bad usage', async (_, action, id, flags, message) => {
  await expect(muster(action, id, flags)).rejects.toThrow(message);
});

test('a configuration without a registrar is named, with what to add', async () => {
  await expect(muster('list', undefined, { config: folder.put('bare.yaml', HEAD) })).rejects.toThrow(
    'bare.yaml names no hub: add registrar: { kubeconfig: hub.yaml, namespace: cluster-ids }, or name another --config',
  );
});

test('a hub that refuses is no connection, with the way out', async () => {
  stub.fail(403);
  const message = "the hub refuses muster's credentials: apply its Role in cluster-ids (muster manifests --registrar)";
  for (const [action, id] of [['list'], ['sync'], ['release', 'east'], ['takeover', 'east']] as const)
    await expect(muster(action, id, id === undefined ? {} : ends)).rejects.toThrow(message);
});
