/**
 * A long run under load with all connections reset regularly: nothing accumulates in muster, and only writes in flight
 * at a reset fail.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { NODE_OPTIONS } from '../../support/chart.ts';
import { newFolder } from '../../support/folder.ts';
import {
  type ControlPlane,
  grantAccess,
  type Muster,
  register,
  type ServiceProxy,
  startControlPlane,
  startMuster,
  startProxy,
  until,
} from '../e2e/harness/index.ts';
import { byForm, form, limitMs, record } from './figures.ts';
import { send, startLoad, summarize, type Write } from './fleet/load.ts';
import { descriptors, MiB, residentBytes } from './fleet/process.ts';
import { steps } from './fleet/steps.ts';

const SCHEDULED = form() === 'scheduled';
const MINUTES = SCHEDULED ? 120 : byForm(1, 30);
const RESET_EVERY_MS = byForm(10_000, 30_000);
const SAMPLE_EVERY_MS = SCHEDULED ? 60_000 : byForm(2500, 15_000);
/**
 * Growth of the heap for each write beyond what does not grow with the writes: code that is compiled and caches that
 * fill, some 2 MiB in the first minutes. So the short form finds large leaks only.
 */
const BYTES_A_WRITE = 100;
const MOST_COMPILED = 4 * MiB;
/** Of the printed Deployment. */
const MEMORY_LIMIT_MIB = 512;
/** How much later than a reset the API server may still use a connection that it does not yet know to be gone. */
const UNAWARE_MS = limitMs(250);
const COLLECT = new URL('./soak/collect.mjs', import.meta.url).href;

let controlPlane: ControlPlane;
let muster: Muster;
/** Where muster writes what is left of its heap after a collection, at each SIGUSR2. */
const heapFile = join(newFolder().path, 'heap');
/** In front of muster, and in front of the API server. */
let proxies: ServiceProxy[] = [];

beforeAll(async () => {
  controlPlane = await startControlPlane();
  await grantAccess(controlPlane);
  const apiServer = { port: Number(new URL(controlPlane.url).port) };
  const toApiServer = await startProxy({ targets: () => [apiServer] });
  muster = await startMuster({
    env: { NODE_OPTIONS: `${NODE_OPTIONS} --import=${COLLECT}`, HEAP_FILE: heapFile },
    args: ['--kubeconfig', controlPlane.kubeconfig('muster', { namespace: 'muster-system', url: toApiServer.url })],
  });
  const toMuster = await startProxy({ targets: () => [muster] });
  proxies = [toMuster, toApiServer];
  await register(controlPlane, muster, { timeoutSeconds: 'printed', url: toMuster.url });
});
afterAll(async () => {
  await muster?.stop();
  for (const proxy of proxies) await proxy.close();
  await controlPlane?.stop();
});

interface Sample {
  /** Seconds since the start. */
  readonly at: number;
  readonly heap: number;
  readonly resident: number;
  /** Without connections through a proxy. */
  readonly descriptors: number;
}

async function heapAfterCollection(): Promise<number> {
  rmSync(heapFile, { force: true });
  process.kill(muster.pid, 'SIGUSR2');
  await until('a collection', async () => existsSync(heapFile));
  return Number(readFileSync(heapFile, 'utf8'));
}

async function sample(at: number): Promise<Sample> {
  const heap = await heapAfterCollection();
  const connections = proxies.reduce((sum, proxy) => sum + proxy.open().length, 0);
  return { at, heap, resident: residentBytes(muster.pid), descriptors: descriptors(muster.pid) - connections };
}

interface Reset {
  /** Of `performance.now()`. */
  readonly at: number;
  readonly connections: number;
}

function resetEvery(ms: number) {
  const resets: Reset[] = [];
  const timer = setInterval(() => {
    const open = proxies.flatMap((proxy) => proxy.open());
    resets.push({ at: performance.now(), connections: open.length });
    for (const connection of open) connection.cut();
  }, ms);
  return { resets, stop: () => clearInterval(timer) };
}

/** The writer of identities. After a failure it waits until its lock is free again. */
function startIdentityWriter() {
  const api = controlPlane.api('jane');
  const writes: Write[] = [];
  let stopped = false;
  const clear = async () => {
    const began = performance.now();
    const all = steps.identity('soak-again');
    const deletes = all.filter(({ method }) => method === 'DELETE');
    const isDone = ({ status }: Write) => [200, 201, 404].includes(status);
    // A DELETE of a missing object calls no webhook; only a create shows that the lock is free.
    for (const step of [...deletes, ...all.slice(0, 1), ...deletes])
      while (!isDone(await send(api, step)) && performance.now() - began < 90_000) await sleep(500);
  };
  const running = (async () => {
    for (let count = 0; !stopped; count += 1)
      for (const step of steps.identity(`soak-${count}`)) {
        const write = await send(api, step);
        writes.push(write);
        await (write.result === 'expected' ? sleep(250) : clear());
        if (write.result !== 'expected') break;
      }
  })();
  return {
    writes,
    stop() {
      stopped = true;
      return running;
    },
  };
}

test(
  `${MINUTES} minutes of load, all connections reset every ${RESET_EVERY_MS / 1000} s`,
  async () => {
    const load = startLoad(controlPlane.api('jane'), { writers: 6, pauseMs: 60 });
    const identity = startIdentityWriter();
    const { resets, stop } = resetEvery(RESET_EVERY_MS);
    const began = performance.now();
    const elapsed = () => (performance.now() - began) / 1000;
    const samples: Sample[] = [];
    for (; elapsed() < MINUTES * 60; await sleep(SAMPLE_EVERY_MS)) samples.push(await sample(elapsed()));
    stop();
    await Promise.all([load.stop(), identity.stop()]);
    const writes = [...load.writes, ...identity.writes];
    const perSecond = writes.length / elapsed();

    const steady = afterWarmUp(samples);
    const growth = (of: (one: Sample) => number) => slope(steady.map((one) => ({ at: one.at, value: of(one) }))) * 3600;
    const heap = growth((one) => one.heap);
    const open = growth((one) => one.descriptors);
    const wasReset = (write: Write) => resets.some(({ at }) => write.began <= at + UNAWARE_MS && write.ended >= at);
    const others = summarize(writes.filter((write) => !wasReset(write)));
    const all = summarize(writes);
    const connections = resets.reduce((sum, one) => sum + one.connections, 0);
    const last = await sample(elapsed());
    const most = Math.max(...samples.map((one) => one.resident), last.resident) / MiB;
    const figures = `heap ${signed(heap / MiB)} MiB an hour, descriptors ${signed(open)} an hour`;
    record(
      'soak',
      'the run',
      `${MINUTES} min, ${writes.length} writes, ${connections} connections reset in ${resets.length} rounds; ${figures}, memory ` +
        `at most ${most.toFixed(0)} MiB; failed ${all.failed}, of which ${all.failed - others.failed} in flight at a reset`,
      `${MINUTES} minutes: ${figures}`,
    );
    expect([others.failed, all.leaked, others.causes]).toEqual([0, 0, '']);
    expect(all.failed).toBeLessThanOrEqual(connections);
    expect(perSecond).toBeGreaterThan(byForm(1, 5));
    expect(connections).toBeGreaterThan(resets.length);
    const seconds = (steady.at(-1)?.at ?? 0) - (steady[0]?.at ?? 0);
    expect((heap / 3600) * seconds).toBeLessThan(MOST_COMPILED + BYTES_A_WRITE * perSecond * seconds);
    // Fewer than one for each reset of all.
    expect(open).toBeLessThan(3_600_000 / RESET_EVERY_MS);
    expect(most).toBeLessThan(MEMORY_LIMIT_MIB);
  },
  (MINUTES * 60 + 240) * 1000,
);

function signed(value: number): string {
  return `${value >= 0 ? '+' : ''}${value.toFixed(Math.abs(value) < 10 ? 2 : 0)}`;
}

interface Point {
  /** In seconds. */
  readonly at: number;
  readonly value: number;
}

/** Returns the growth a second: the slope of the line with the least squares. */
function slope(points: readonly Point[]): number {
  const mean = (of: (point: Point) => number) => points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const at = mean((point) => point.at);
  const value = mean((point) => point.value);
  return mean((point) => (point.at - at) * (point.value - value)) / mean((point) => (point.at - at) ** 2);
}

/** Drops the first fifth of the time: caches fill, and code is compiled when it first runs. */
function afterWarmUp(samples: readonly Sample[]): Sample[] {
  const first = samples[0]?.at ?? 0;
  const last = samples.at(-1)?.at ?? 0;
  return samples.filter(({ at }) => at >= first + (last - first) / 5);
}
