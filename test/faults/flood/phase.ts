/** One flood, or several at once, and what becomes of the API server's calls meanwhile. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ControlPlane, Muster } from '../../e2e/harness/index.ts';
import { type Summary, summarize } from '../fleet/load.ts';
import { cpuSeconds, descriptors } from '../fleet/process.ts';
import { ATTACKS, type AttackName } from './attacks.ts';
import { startCalls } from './calls.ts';
import { type Flooding, startFlooding } from './flooding.ts';
import { newTally, type Tally, tried } from './tally.ts';
import { boundOf, callTimes, since, type Times, type Watched, watch } from './watch.ts';

export interface Setup {
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
  /** Seconds that 99 % of them kept, as far as its histogram tells. */
  readonly p99: number;
  /** Of one core, muster's share. */
  readonly cpu: number;
  readonly tallies: readonly Tally[];
  /** Writes once nothing of the flood is held, and the milliseconds until then. */
  readonly after: Summary;
  readonly recoveredMs: number;
}

/** Of floods beside each other. Strangers have processors of their own; on two cores six of them would leave the API server none. */
const GIVING_WAY = 15;
/** Never longer than this to reach its height, however busy the machine. */
const HEIGHT_WITHIN_MS = 60_000;

export async function during({ controlPlane, muster }: Setup, { floods, from, seconds }: Phase): Promise<Outcome> {
  const admin = controlPlane.api('admin');
  const held = descriptors(muster.pid);
  const calls = await startCalls(controlPlane);
  const timesBefore = await callTimes(admin);
  const watching = watch(muster, controlPlane.apiServerPid() ?? 0);
  const [cpu, began] = [cpuSeconds(muster.pid), performance.now()];
  const nice = floods.length > 1 ? GIVING_WAY : 0;
  const running = floods.map((name) => ({ name, flooding: startFlooding(name, muster.port, from, nice) }));
  try {
    await sleep(seconds * 1000);
    // Several at once slow each other down: their time is what they get.
    const [only, ...others] = running;
    if (only !== undefined && others.length === 0) await atItsHeight(only.name, only.flooding);
    const used = (cpuSeconds(muster.pid) - cpu) / ((performance.now() - began) / 1000);
    const tallies = running.flatMap(({ flooding }) => flooding.tally() ?? []);
    const writes = summarize(await calls.stop());
    const watched = watching.stop();
    const times = since(timesBefore, await callTimes(admin));
    const stopped = performance.now();
    await Promise.all(running.map(({ flooding }) => flooding.stop()));
    const after = await quietAgain(controlPlane, muster, held);
    const recoveredMs = performance.now() - stopped;
    return { ...watched, writes, calls: times, p99: boundOf(times, 0.99), cpu: used, tallies, after, recoveredMs };
  } finally {
    await Promise.all(running.map(({ flooding }) => flooding.stop()));
  }
}

/** As many connections were tried as it is named for. */
async function atItsHeight(name: AttackName, flooding: Flooding): Promise<void> {
  const end = Date.now() + HEIGHT_WITHIN_MS;
  while (tried(flooding.tally() ?? newTally()) < ATTACKS[name].count && Date.now() < end) await sleep(100);
}

/** Nothing of the flood is held, and calls are answered. */
async function quietAgain(controlPlane: ControlPlane, muster: Muster, held: number): Promise<Summary> {
  const end = Date.now() + 30_000;
  // The API server's own idle connections come and go: some dozens.
  while (descriptors(muster.pid) > held + 200 && Date.now() < end) await sleep(50);
  const calls = await startCalls(controlPlane);
  await sleep(100);
  return summarize(await calls.stop());
}

/** A sentence for the table of the matrix. */
export function textOf({ writes, calls, p99, memory, cpu, tallies, recoveredMs, ...rest }: Outcome): string {
  const causes = writes.causes.split(', ').slice(0, 3).join(', ');
  const within = [...calls].map(([bound, count]) => (bound === '1' ? count : 0)).reduce((sum, one) => sum + one, 0);
  const floods = tallies.map((tally) => {
    const seen = Object.entries(tally.answers).map(([status, count]) => `, ${count} answers ${status}`);
    return `${tried(tally)} connections tried, ${tally.opened} had, ${tally.most} at once, ${tally.cut} ended by muster${seen.join('')}`;
  });
  return [
    `${within} of the API server's ${calls.get('+Inf') ?? 0} calls within 1 s, 99 % within ${p99} s, on ${rest.connections} connections made meanwhile`,
    `writes failed ${writes.failed} of ${writes.writes}${causes === '' ? '' : ` (${causes})`}`,
    `memory at most ${memory} MiB, descriptors ${rest.descriptors}, ${(cpu * 100).toFixed(0)} % of a core`,
    `quiet again after ${(recoveredMs / 1000).toFixed(1)} s`,
    ...(floods.length === 1 ? [`the flood: ${floods}`] : []),
    ...(floods.length > 1 ? [`the floods, which leave the processor to others first: ${floods.join('; ')}`] : []),
  ].join('; ');
}
