/** One flood, or several at once, and what becomes of the API server's calls meanwhile. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { newFolder } from '../../../support/folder.ts';
import { startDaemon } from '../../e2e/harness/daemon.ts';
import type { ControlPlane, Muster } from '../../e2e/harness/index.ts';
import { type Summary, summarize } from '../fleet/load.ts';
import { cpuSeconds, descriptors } from '../fleet/process.ts';
import { startCalls } from './calls.ts';
import { ATTACKS, type AttackName } from './floods.ts';
import { type Counts, newCounts } from './sockets.ts';
import { boundOf, callTimes, since, type Times, type Watched, watch } from './watch.ts';

interface Setup {
  readonly controlPlane: ControlPlane;
  readonly muster: Muster;
}

export interface Phase {
  readonly floods: readonly AttackName[];
  /** Addresses of this machine that they come from. */
  readonly from: readonly string[];
  /** At least; of one flood alone, until it is at its height. */
  readonly seconds: number;
}

export interface Outcome extends Watched {
  /** Writes of users, by their verdicts. */
  readonly writes: Summary;
  /** The API server's calls of muster, as it counted them itself. */
  readonly calls: Times;
  /** Seconds that 99 % of them kept, as far as its histogram shows. */
  readonly p99: number;
  /** Of one core, muster's share. */
  readonly cpu: number;
  readonly counts: readonly Counts[];
  /** Writes once nothing of the flood is held, and the milliseconds until then. */
  readonly after: Summary;
  readonly recoveredMs: number;
}

const MAIN = fileURLToPath(new URL('floods.ts', import.meta.url));
/**
 * The priority of floods beside each other. Strangers have processors of their own; on two cores five of them would
 * leave the API server none.
 */
const NICE = 15;
/** Never longer than this to reach its height, however busy the machine. */
const HEIGHT_WITHIN_MS = 60_000;

export async function during({ controlPlane, muster }: Setup, { floods, from, seconds }: Phase): Promise<Outcome> {
  const admin = controlPlane.api('admin');
  const held = descriptors(muster.pid);
  const calls = await startCalls(controlPlane);
  const timesBefore = await callTimes(admin);
  const watching = watch(muster.pid);
  const cpu = cpuSeconds(muster.pid);
  const began = performance.now();
  const running = floods.map((name) => startFlood(name, muster.port, from, floods.length > 1 ? NICE : 0));
  try {
    await sleep(seconds * 1000);
    // Several at once slow each other down: their time is what they get.
    const [only, ...others] = running;
    const end = Date.now() + HEIGHT_WITHIN_MS;
    if (only !== undefined && others.length === 0)
      while (only.counts().tried < only.count && Date.now() < end) await sleep(100);
    const used = (cpuSeconds(muster.pid) - cpu) / ((performance.now() - began) / 1000);
    const counts = running.map((flood) => flood.counts());
    const writes = summarize(await calls.stop());
    const watched = watching.stop();
    const times = since(timesBefore, await callTimes(admin));
    const stopped = performance.now();
    await Promise.all(running.map((flood) => flood.stop()));
    const after = await quietAgain(controlPlane, muster, held);
    const recoveredMs = performance.now() - stopped;
    return { ...watched, writes, calls: times, p99: boundOf(times, 0.99), cpu: used, counts, after, recoveredMs };
  } finally {
    await Promise.all(running.map((flood) => flood.stop()));
  }
}

/** Floods a port of this machine from these addresses, in a process of its own, until stopped. */
function startFlood(name: AttackName, port: number, from: readonly string[], nice: number) {
  const folder = newFolder().path;
  const command = ['-n', String(nice), process.execPath, MAIN, name, String(port), ...from];
  const daemon = startDaemon('nice', command, { logFile: join(folder, 'log') });
  return {
    count: ATTACKS[name].count,
    /** @throws Error with what it wrote, if it ended by itself */
    counts(): Counts {
      if (!daemon.running()) throw new Error(`the flood ended by itself:\n${daemon.log().slice(-2000)}`);
      const lines = daemon.log().split('\n');
      const line = lines.findLast((each) => each.startsWith('{') && each.endsWith('}'));
      return line === undefined ? newCounts() : JSON.parse(line);
    },
    async stop(): Promise<void> {
      await daemon.stop('SIGKILL');
    },
  };
}

/** Waits until nothing of the flood is held, and writes once more. */
async function quietAgain(controlPlane: ControlPlane, muster: Muster, held: number): Promise<Summary> {
  const end = Date.now() + 30_000;
  // The API server's own idle connections come and go: some dozens.
  while (descriptors(muster.pid) > held + 200 && Date.now() < end) await sleep(50);
  const calls = await startCalls(controlPlane);
  await sleep(100);
  return summarize(await calls.stop());
}

/** Returns an outcome as the text of a figure. */
export function textOf({ writes, calls, p99, memory, cpu, counts, recoveredMs, ...rest }: Outcome): string {
  const causes = writes.causes === '' ? '' : ` (${writes.causes.split(', ').slice(0, 3).join(', ')})`;
  const floods = counts.map(({ tried, opened, most, answers }) => {
    const seen = Object.entries(answers).map(([status, count]) => `, ${count} answers ${status}`);
    return `${tried} connections tried, ${opened} opened, ${most} at once${seen.join('')}`;
  });
  return [
    `${calls.get('1') ?? 0} of the API server's ${calls.get('+Inf') ?? 0} calls within 1 s, 99 % within ${p99} s`,
    `writes failed ${writes.failed} of ${writes.writes}${causes}`,
    `memory at most ${memory} MiB, descriptors ${rest.descriptors}, ${(cpu * 100).toFixed(0)} % of a core`,
    `quiet again after ${(recoveredMs / 1000).toFixed(1)} s`,
    ...floods.map((flood) => `the flood: ${flood}`),
  ].join('; ');
}
