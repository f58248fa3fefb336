/** The registrar of a running server: rounds, what they log and count, and the hub of a new configuration. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { asObject } from '../../../../src/base/json.ts';
import { readHubFile } from '../../../../src/cli/hub.ts';
import type { ServerRegistrar } from '../../../../src/cli/serve/registrar.ts';
import { openCluster } from '../../../../src/cluster/live/client.ts';
import { defaultPolicy } from '../../../../src/engine/index.ts';
import type { Log } from '../../../../src/server/log/log.ts';
import { createMetrics, type Metrics } from '../../../../src/server/ops/metrics.ts';
import { newFolder } from '../../../support/folder.ts';
import {
  EAST,
  LEASES,
  OTHER,
  OWN,
  PROPERTIES,
  type RegistrarStub,
  startRegistrarStub,
  withoutLabels,
} from '../../../support/registrar-stub.ts';
import { until } from '../../../support/until.ts';

/**
 * Nobody waits for the round that confirms a join, and no test ends by the round of each half minute. When they come:
 * test/unit/cluster/registrar/loop.test.ts.
 */
jest.unstable_mockModule('node:timers/promises', () => ({
  setTimeout: (milliseconds: number, ...rest: [value?: undefined, options?: object]) =>
    sleep(milliseconds === AFTER_JOIN_MS ? 1 : milliseconds > ROUND_MS / 2 ? NEVER_MS : milliseconds, ...rest),
}));
const NEVER_MS = 3_600_000;
const { AFTER_JOIN_MS, ROUND_MS } = await import('../../../../src/cluster/registrar/loop.ts');
const { startRegistrar } = await import('../../../../src/cli/serve/registrar.ts');

const SETTINGS = { kubeconfig: 'kubeconfig', namespace: 'cluster-ids', whenUnreachable: 'deny' } as const;
const folder = newFolder();
let stub: RegistrarStub;
let metrics: Metrics;
let registrar: ServerRegistrar | undefined;
let lines: string[];

beforeAll(async () => {
  stub = await startRegistrarStub(folder.path);
});
beforeEach(() => {
  stub.reset();
  lines = [];
  metrics = createMetrics({
    version: '1',
    policy: () => defaultPolicy,
    process: false,
  });
});
afterEach(() => registrar?.close());
afterAll(() => stub.close());

const log = new Proxy({} as Log, {
  get: (_, level) => (message: string) => lines.push(`${String(level)}: ${message}`),
});
const hub = () => readHubFile(SETTINGS, stub.kubeconfig);
const unexpected = (error: unknown) => lines.push(`bug: ${error}`);
async function start(first = hub()): Promise<ServerRegistrar> {
  const client = await openCluster({ kubeconfig: stub.kubeconfig });
  registrar = startRegistrar(await first, { client, log, metrics, onError: unexpected });
  return registrar;
}
const counted = async (sample: string) => (await metrics.text()).text.includes(`muster_registrar_${sample}\n`);

test('it starts with a round, which confirms the reservation that fits', async () => {
  stub.join(EAST);
  stub.reserve(EAST, OWN);
  stub.reserve({ ...EAST, id: 'former' }, OWN);
  await start();
  await until(() => counted('reservations_total{outcome="released"} 1'));
  expect(await counted('reservations_total{outcome="confirmed"} 1')).toBe(true);
  expect(await counted('unconfirmed_reservations 0')).toBe(true);
  expect(lines).toEqual([]);
});

test('the first round reads all reservations, so it finds an own one without the label; the next reads the own', async () => {
  const before = stub.requests.length;
  const lists = () => stub.requests.slice(before).filter(({ url }) => url.startsWith(`${LEASES}?`));
  stub.reserve(EAST, OWN, withoutLabels);
  const { current } = await start();
  await until(() => counted('reservations_total{outcome="released"} 1'));
  current()?.joined();
  await until(() => lists().length === 2);
  expect(lists().map(({ url }) => url.includes('labelSelector'))).toEqual([false, true]);
});

test('a problem of each round does not make each of them read all, if none of the own lacks the label', async () => {
  const before = stub.requests.length;
  const lists = () => stub.requests.slice(before).filter(({ url }) => url.startsWith(`${LEASES}?`));
  stub.reserve(EAST, OWN);
  stub.objects.set(`${PROPERTIES}/clusterset.k8s.io`, {});
  const { current, problems } = await start();
  await until(() => problems().length > 0);
  current()?.joined();
  await until(() => lists().length === 2);
  expect(lists().map(({ url }) => url.includes('labelSelector'))).toEqual([false, true]);
});

test('where the clock of this machine is ahead, nothing is released too early: that of the API server counts', async () => {
  const renewTime = new Date().toISOString();
  const path = stub.reserve(EAST, OWN, (lease) => ({ ...lease, spec: { ...asObject(lease['spec']), renewTime } }));
  stub.reserve({ ...EAST, id: 'former' }, OWN);
  const real = Date.now.bind(Date);
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => real() + 300_000);
  await start();
  await until(async () => /reservations_total\{outcome="released"\} [1-9]/.test((await metrics.text()).text));
  clock.mockRestore();
  expect(stub.objects.has(path)).toBe(true);
});

test('another cluster that has got the address has no right to what the first one holds', async () => {
  stub.reserve(EAST, OWN, (lease) => ({ ...lease, spec: { ...asObject(lease['spec']), renewTime: '2999-01-01' } }));
  const { current } = await start();
  await until(() => counted('unconfirmed_reservations 1'));
  const path = '/api/v1/namespaces/kube-system';
  stub.objects.set(path, {
    ...stub.objects.get(path),
    metadata: { name: 'kube-system', uid: OTHER, resourceVersion: '2' },
  });
  const deadline = { at: Date.now() + 5000, signal: new AbortController().signal };
  expect(await current()?.reserve(EAST, deadline)).toMatchObject({ kind: 'held', holder: OWN });
});

test('a member whose id another holds: logged, counted, and an Event on its membership', async () => {
  stub.join(EAST);
  stub.reserve(EAST, OTHER);
  await start();
  const event = () => [...stub.objects].find(([path]) => path.startsWith('/api/v1/namespaces/default/events/'))?.[1];
  await until(() => event() !== undefined);
  const uid = 'uid-of-clusterset.k8s.io';
  const involvedObject = {
    apiVersion: 'about.k8s.io/v1beta1',
    kind: 'ClusterProperty',
    name: 'clusterset.k8s.io',
    uid,
  };
  expect(event()).toMatchObject({ reason: 'IdReserved', type: 'Warning', involvedObject });
  const text = `with the id "east", which the cluster ${OTHER} holds since 2026-01-02T03:04:05.000000Z: give one`;
  expect(event()?.['message']).toContain(text);
  expect(lines).toEqual([expect.stringMatching(`^error: the registrar: this cluster is a member .*${text}`)]);
  expect(await counted('conflicts_total 1')).toBe(true);
});

test('a member whose Lease at the hub names no holder: the message says to delete the Lease', async () => {
  stub.join(EAST);
  const name = stub
    .reserve(EAST, '', (lease) => ({ ...lease, spec: {} }))
    .split('/')
    .at(-1);
  await start();
  await until(() => lines.length > 0);
  const text = `with the id "east", whose Lease ${name} names no holder: delete it on the hub`;
  expect(lines).toEqual([expect.stringMatching(`${text}$`)]);
});

test('a hub that is away is a problem, and no joins are answered by it', async () => {
  stub.fail(403);
  const { problems, current } = await start();
  await until(() => problems().length > 0);
  const problem =
    "the registrar: the hub refuses muster's credentials: apply its Role in cluster-ids (muster manifests --registrar)";
  expect([problems(), lines]).toEqual([[problem], [`warn: ${problem}`]]);
  const deadline = { at: Date.now() + 5000, signal: new AbortController().signal };
  expect(await current()?.reserve(EAST, deadline)).toMatchObject({ kind: 'unreachable' });
  expect(await counted('reservations_total{outcome="unreachable"} 1')).toBe(true);
});

test('a problem that lasts is logged once, and so is its end', async () => {
  stub.fail(403);
  const before = stub.requests.length;
  const rounds = () => stub.requests.slice(before).filter(({ url }) => url.startsWith(`${LEASES}?`)).length;
  const { problems, current } = await start();
  await until(() => problems().length > 0);
  current()?.joined();
  await until(() => rounds() === 2);
  stub.reset();
  current()?.joined();
  await until(() => problems().length === 0);
  expect(lines).toEqual([
    expect.stringMatching(/^warn: the registrar: the hub refuses/),
    'info: the registrar is in order again',
  ]);
});

test('without a hub nothing is called; a new configuration starts the rounds, ends them, and starts them again', async () => {
  const { current, use } = await start(Promise.resolve(undefined) as never);
  const before = stub.requests.length;
  expect(current()).toBeUndefined();
  expect((await metrics.text()).text).not.toContain('registrar');
  use(await hub());
  expect(current()).toBe(current());
  await until(() => stub.requests.length > before);
  use(undefined);
  expect(current()).toBeUndefined();
  const between = stub.requests.length;
  use(await hub());
  await until(() => stub.requests.length > between);
});
