/** One replica is killed under load, and what became of the writes at that time; then another one takes its place. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fleet } from '../stage/fleet.ts';
import { type Load, type Summary, startLoad, summarize, tellCauses, type Write } from '../stage/load.ts';
import type { Counts } from '../stage/proxy.ts';

export interface Blow {
  /** Of all writes from before the kill until a good while after it. */
  readonly summary: Summary;
  /** Requests that waited for the one that was killed, or were sent to it when it was gone but the caller did not know yet. */
  readonly inFlight: number;
  /** … and connections on which one perhaps waited: a first request, or the end of a handshake. */
  readonly perhaps: number;
  /** Connections that were led to the dead address. */
  readonly refused: number;
  /** Milliseconds from the kill to the answer of the last write that failed; 0 where none did. */
  readonly lastFailureMs: number;
  /** Milliseconds from the kill until a write that began after it had the verdict it should have. */
  readonly firstSuccessMs: number;
  /** What a failure may come later than its cause: the longest that any write took. */
  readonly within: number;
}

/** Long enough for many writes of each kind before, and for the endpoints to hear of it after. */
const BEFORE_MS = 1500;
const AFTER_MS = 3500;

export async function strike(fleet: Fleet): Promise<Blow> {
  const [victim] = fleet.replicas;
  if (victim === undefined) throw new Error('there is no replica to kill');
  const load = startLoad(fleet.controlPlane.api('jane'), { writers: 12, pauseMs: 5 });
  try {
    await sleep(BEFORE_MS);
    const before = { ...fleet.proxy.counts };
    const killed = await killAtWork(fleet, victim, load);
    await sleep(AFTER_MS);
    return await outcome(fleet, before, killed, await load.stop());
  } finally {
    await load.stop();
  }
}

async function outcome(fleet: Fleet, before: Counts, killed: number, writes: readonly Write[]): Promise<Blow> {
  const after = fleet.proxy.counts;
  const since = (name: keyof typeof after) => after[name] - before[name];
  const summary = summarize(writes);
  await fleet.grow();
  return {
    summary,
    inFlight: since('interrupted') + since('late'),
    perhaps: since('perhapsInterrupted'),
    refused: since('refused'),
    ...recovery(writes, killed),
    within: summary.slowest + 250,
  };
}

/** When the API server waits for this very replica: else there would be nothing to see. Resolves to the time. */
async function killAtWork(fleet: Fleet, victim: Fleet['replicas'][number], load: Load): Promise<number> {
  const end = performance.now() + 5000;
  while (load.waiting() === 0 || !fleet.proxy.open(victim).some(({ waiting }) => waiting === 'yes')) {
    if (performance.now() > end) throw new Error('the replica had nothing to do for 5 s');
    await sleep(1);
  }
  const at = performance.now();
  fleet.end(victim, () => victim.stop('SIGKILL'));
  return at;
}

function recovery(writes: readonly Write[], killed: number) {
  const failures = writes.filter(({ result }) => result !== 'expected').map(({ ended }) => ended - killed);
  const successes = writes.filter(({ result, began }) => result === 'expected' && began > killed);
  return {
    lastFailureMs: Math.max(0, ...failures),
    firstSuccessMs: Math.min(...successes.map(({ ended }) => ended - killed)),
  };
}

export function tell(blows: readonly Blow[]): string {
  const sum = (of: (blow: Blow) => number) => blows.reduce((total, blow) => total + of(blow), 0);
  const most = (of: (blow: Blow) => number) => Math.round(Math.max(...blows.map(of)));
  const causes: Record<string, number> = {};
  for (const { summary } of blows) {
    for (const [cause, count] of Object.entries(summary.causes)) causes[cause] = (causes[cause] ?? 0) + count;
  }
  return (
    `${blows.length} killed: ${sum(({ summary }) => summary.failed)} of ${sum(({ summary }) => summary.writes)} writes failed, ` +
    `${most(({ summary }) => summary.failed)} at most for one; requests in flight to it ${sum(({ inFlight }) => inFlight)} ` +
    `and perhaps ${sum(({ perhaps }) => perhaps)} more, connections led to its address afterwards ` +
    `${sum(({ refused }) => refused)}; admitted against a rule ${sum(({ summary }) => summary.leaked)}; ` +
    `a write began and succeeded within ${most(({ firstSuccessMs }) => firstSuccessMs)} ms, none failed later than ` +
    `${most(({ lastFailureMs }) => lastFailureMs)} ms (${tellCauses({ causes })})`
  );
}
