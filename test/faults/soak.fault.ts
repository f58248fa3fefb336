/**
 * A long run under load, with all connections reset again and again, those from the API server and those to it: nothing
 * piles up in muster, and no write fails but those that were under way when their connection was cut.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  type ControlPlane,
  freePort,
  grantAccess,
  type Muster,
  register,
  startControlPlane,
  startMuster,
} from '../e2e/harness/index.ts';
import { byForm, record } from './figure.ts';
import { type Cuts, cutEvery, wasCut } from './soak/cuts.ts';
import { type Inspector, inspect, inspectable } from './soak/heap.ts';
import { startIdentityWriter } from './soak/identity.ts';
import { afterWarmUp, slope } from './soak/slope.ts';
import { startLoad, summarize, tellCauses } from './stage/load.ts';
import { descriptors, MiB, residentBytes } from './stage/process-sample.ts';
import { type ServiceProxy, startProxy } from './stage/proxy.ts';

const MINUTES = byForm({ short: 1, full: 30, scheduled: 120 });
const CUT_EVERY_MS = byForm({ short: 10_000, full: 30_000, scheduled: 30_000 });
const SAMPLE_EVERY_MS = byForm({ short: 2500, full: 15_000, scheduled: 60_000 });
/**
 * Bytes that a request may leave behind, at most. What a minute still shows of a start (code that is compiled, tables that
 * grow once) is a megabyte or two, 500 bytes for each of 4,000 requests: the short form finds only larger leaks.
 */
const BYTES_A_REQUEST = byForm({ short: 1000, full: 100, scheduled: 100 });
/** Of the printed Deployment. Node takes half of such a container for the heap; on a larger machine, gigabytes. */
const MEMORY_LIMIT_MIB = 512;

let controlPlane: ControlPlane;
let muster: Muster;
let inspector: Inspector;
/** Before muster, and before the API server. */
let proxies: [ServiceProxy, ServiceProxy];

beforeAll(async () => {
  controlPlane = await startControlPlane();
  await grantAccess(controlPlane);
  const apiServer = { port: Number(new URL(controlPlane.url).port), opsUrl: '' };
  const toApiServer = await startProxy({ endpoints: { ready: () => [apiServer] } });
  const port = await freePort();
  muster = await startMuster({
    env: { NODE_OPTIONS: `${inspectable(port)} --max-old-space-size=${MEMORY_LIMIT_MIB / 2}` },
    args: ['--kubeconfig', controlPlane.kubeconfig('muster', { namespace: 'muster-system', url: toApiServer.url })],
  });
  const toMuster = await startProxy({ endpoints: { ready: () => [muster] } });
  proxies = [toMuster, toApiServer];
  await register(controlPlane, muster, { url: toMuster.url });
  inspector = await inspect(muster.pid, port);
});
afterAll(async () => {
  inspector?.close();
  await muster?.stop();
  for (const proxy of proxies ?? []) await proxy.close();
  await controlPlane?.stop();
});

interface Sample {
  /** Seconds since the start. */
  readonly at: number;
  readonly heap: number;
  readonly resident: number;
  /** Descriptors that are no connection through a proxy: those come and go. */
  readonly descriptors: number;
  /** What is held against its limit, by name. */
  readonly held: ReadonlyMap<string, number>;
  readonly limits: ReadonlyMap<string, number>;
}

async function sample(at: number): Promise<Sample> {
  const heap = await inspector.heapAfterGc();
  const text = await muster.metrics();
  const connections = proxies.reduce((sum, proxy) => sum + proxy.open().length, 0);
  return {
    at,
    heap,
    resident: residentBytes(muster.pid),
    descriptors: descriptors(muster.pid) - connections,
    ...bounds(text),
  };
}

/** Each `muster_NAME` that has a `muster_NAME_limit` beside it, with its unit, if any, at the end of both. */
function bounds(text: string): Pick<Sample, 'held' | 'limits'> {
  const samples = new Map(
    [...text.matchAll(/^muster_(\w+) (\S+)$/gm)].map(([, name = '', value]) => [name, Number(value)]),
  );
  const limits = new Map<string, number>();
  for (const [name, value] of samples) if (/_limit(_bytes)?$/.test(name)) limits.set(name.replace('_limit', ''), value);
  return { limits, held: new Map([...limits.keys()].map((name) => [name, samples.get(name) ?? 0])) };
}

async function samplesUntil(end: number): Promise<Sample[]> {
  const began = performance.now();
  const samples: Sample[] = [];
  while (performance.now() < end) {
    samples.push(await sample((performance.now() - began) / 1000));
    await sleep(SAMPLE_EVERY_MS);
  }
  return samples;
}

test(
  `${MINUTES} minutes of load, all connections cut every ${CUT_EVERY_MS / 1000} s`,
  async () => {
    const api = controlPlane.api('jane');
    const load = startLoad(api, { writers: 6, pauseMs: 60 });
    const identity = startIdentityWriter(api, 250);
    const cuts: Cuts = cutEvery(CUT_EVERY_MS, proxies);
    const began = performance.now();
    const samples = await samplesUntil(began + MINUTES * 60_000);
    cuts.stop();
    await Promise.all([load.stop(), identity.stop()]);
    const perSecond = (load.writes.length + identity.writes.length) / ((performance.now() - began) / 1000);

    const steady = afterWarmUp(samples);
    const heap = slope(steady.map(({ at, heap: value }) => ({ at, value })));
    const open = slope(steady.map(({ at, descriptors: value }) => ({ at, value }))) * 3600;
    const resident = slope(steady.map(({ at, resident: value }) => ({ at, value }))) * 3600;
    const writes = [...load.writes, ...identity.writes];
    const uncut = summarize(writes.filter((write) => !wasCut(write, cuts.made)));
    const causes = tellCauses(uncut);
    const all = summarize(writes);
    const cut = cuts.made.reduce((sum, { connections }) => sum + connections, 0);
    const last = await sample((performance.now() - began) / 1000);
    const most = Math.max(...samples.map((each) => each.resident), last.resident) / MiB;

    record(
      'soak',
      '',
      [
        `${MINUTES} min, ${writes.length} writes, ${cuts.made.length} times all of ${cut} connections cut`,
        `heap ${signed((heap * 3600) / MiB)} MiB an hour (${signed(heap / perSecond)} bytes a request), ${(last.heap / MiB).toFixed(1)} MiB at the end`,
        `descriptors ${signed(open)} an hour, ${last.descriptors} at the end besides connections`,
        `memory ${signed(resident / MiB)} MiB an hour, at most ${most.toFixed(0)} MiB`,
        `failed ${all.failed}, of which ${all.failed - uncut.failed} were under way at a cut${causes === '' ? '' : ` (others: ${causes})`}; leaked ${all.leaked}`,
        `an identity was blocked ${identity.waits.length} times, for ${(Math.max(0, ...identity.waits) / 1000).toFixed(0)} s at most`,
      ].join('; '),
    );

    expect({ failed: uncut.failed, leaked: all.leaked, causes }).toEqual({
      failed: 0,
      leaked: 0,
      causes: '',
    });
    expect(all.failed).toBeLessThanOrEqual(cut);
    // It was a load, on connections that were cut.
    expect(perSecond).toBeGreaterThan(5);
    expect(cut).toBeGreaterThan(cuts.made.length);
    expect(heap / perSecond).toBeLessThan(BYTES_A_REQUEST);
    // Fewer than one for each time that everything was cut.
    expect(open).toBeLessThan(3_600_000 / CUT_EVERY_MS);
    expect(most).toBeLessThan(MEMORY_LIMIT_MIB);
    expect(beyond(samples)).toEqual([]);
    expect(await idle()).toEqual({});
  },
  (MINUTES * 60 + 240) * 1000,
);

/** What was ever held beyond its limit. */
function beyond(samples: readonly Sample[]): string[] {
  return samples.flatMap(({ held, limits }) =>
    [...held].filter(([what, count]) => count > (limits.get(what) ?? 0)).map(([what]) => what),
  );
}

/** Places, bytes and handshakes that are held though nobody calls; after a while, for those that come to their end by time. */
async function idle(): Promise<Record<string, number>> {
  const passing = ['judging_places', 'queued_requests', 'body_bytes', 'waiting_handshakes'];
  for (const end = Date.now() + 20_000; ; await sleep(500)) {
    const { held } = await sample(0);
    const left = [...held].filter(([what, count]) => passing.includes(what) && count > 0);
    if (left.length === 0 || Date.now() > end) return Object.fromEntries(left);
  }
}

function signed(value: number): string {
  return `${value >= 0 ? '+' : ''}${value.toFixed(Math.abs(value) < 10 ? 2 : 0)}`;
}
