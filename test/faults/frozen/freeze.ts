/** One replica stopped in its tracks for a while under load, and let go again. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Muster } from '../../e2e/harness/index.ts';
import type { Fleet } from '../stage/fleet.ts';
import { type Summary, startLoad, summarize, tellCauses, type Write } from '../stage/load.ts';

export interface Freeze {
  readonly writes: readonly Write[];
  readonly summary: Summary;
  /** Writes that were begun while it was frozen and went as they should. */
  readonly went: number;
  /** Milliseconds from the freeze until the Service knew. */
  readonly knownMs: number;
  /** … until the beginning of the last write that failed, and until its end. */
  readonly lastBeganMs: number;
  readonly lastEndedMs: number;
}

const BEFORE_MS = 2000;
const AFTER_MS = 4000;

export async function freeze(fleet: Fleet, forMs: number): Promise<Freeze> {
  for (const replica of fleet.replicas) await fleet.endpoints.until(replica, true);
  const load = startLoad(fleet.controlPlane.api('jane'), { writers: 12, pauseMs: 10 });
  const { at, thawed, knownMs } = await during(fleet, forMs).finally(load.stop);
  const writes = load.writes;
  const failed = writes.filter(({ result }) => result !== 'expected');
  const went = writes.filter(({ result, began }) => result === 'expected' && began > at && began < thawed).length;
  const last = (of: 'began' | 'ended') => Math.max(...failed.map((write) => write[of] - at));
  return { writes, summary: summarize(writes), went, knownMs, lastBeganMs: last('began'), lastEndedMs: last('ended') };
}

async function during(fleet: Fleet, forMs: number) {
  await sleep(BEFORE_MS);
  // One that has no request in this moment, and whose connections nobody uses until the Service knows, would show nothing.
  const { replica, at, thaw } = await holdAtWork(fleet);
  let knownMs = Number.NaN;
  const known = fleet.endpoints.until(replica, false).then(() => {
    knownMs = performance.now() - at;
  });
  await sleep(forMs);
  thaw();
  const thawed = performance.now();
  await Promise.all([sleep(AFTER_MS), known]);
  return { at, thawed, knownMs };
}

export interface Held {
  readonly replica: Muster;
  /** Of `performance.now()`. */
  readonly at: number;
  thaw(): void;
}

/** Freezes whichever replica has a request to answer, the moment it has one. */
export async function holdAtWork({ replicas, proxy }: Fleet): Promise<Held> {
  for (;;) {
    const busy = replicas.find((replica) => proxy.open(replica).some(({ waiting }) => waiting === 'yes'));
    if (busy !== undefined) return hold(busy);
    await sleep(1);
  }
}

function hold(replica: Muster): Held {
  const { pid } = replica;
  process.kill(pid, 'SIGSTOP');
  return { replica, at: performance.now(), thaw: () => process.kill(pid, 'SIGCONT') };
}

export function tell(freezes: readonly Freeze[]): string {
  const most = (of: (freeze: Freeze) => number) => Math.round(Math.max(...freezes.map(of)));
  const whole = summarize(freezes.flatMap(({ writes }) => writes));
  const went = freezes.reduce((sum, freeze) => sum + freeze.went, 0);
  return (
    `${freezes.length} frozen: ${whole.failed} of ${whole.writes} writes failed, ${most(({ summary }) => summary.failed)} at most ` +
    `for one (${tellCauses(whole)}), while ${went} went; slowest write ${Math.round(whole.slowest)} ms; ` +
    `the Service knew after ${most(({ knownMs }) => knownMs)} ms at most, the last write that failed began after ` +
    `${most(({ lastBeganMs }) => lastBeganMs)} ms and ended after ${most(({ lastEndedMs }) => lastEndedMs)} ms; admitted against a rule ${whole.leaked}`
  );
}
