/**
 * A replica freezes under load: its port accepts connections and answers nothing. Writes that were sent to it fail
 * after the webhook's timeout, until the probes of the Deployment remove it. When it continues, it works as before.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { byForm, limitMs, record } from './figures.ts';
import { type Fleet, freezeAtWork, KUBELET, startFleet } from './fleet/fleet.ts';
import { startLoad, summarize } from './fleet/load.ts';

const TIMES = byForm(1, 5);
/**
 * Until two probes of 2 s have failed, the endpoints have changed, and the last write sent to the replica has failed.
 */
const FROZEN_MS = 16_000;
/** For a busy machine. */
const SLACK_MS = limitMs(3000);
/** `timeoutSeconds` of the registration. A write of inventory calls the mutating webhook first, and goes on without it. */
const TIMEOUT_MS = { mutate: 2000, validate: 5000 };

let fleet: Fleet;
beforeAll(async () => {
  fleet = await startFleet({ endpoints: KUBELET });
});
afterAll(() => fleet?.stop());

async function bothReady(): Promise<void> {
  for (const replica of fleet.replicas) await fleet.endpoints.until(replica, true);
}

type Freeze = Awaited<ReturnType<typeof freeze>>;

/** Freezes a replica under load, and continues it. */
async function freeze() {
  await bothReady();
  const load = startLoad(fleet.controlPlane.api('jane'), { writers: 12, pauseMs: 10 });
  await sleep(2000);
  const frozen = await freezeAtWork(fleet.proxy, fleet.replicas);
  const at = performance.now();
  await sleep(FROZEN_MS);
  process.kill(frozen.pid, 'SIGCONT');
  const thawed = performance.now();
  await sleep(4000);
  const writes = await load.stop();
  const failed = writes.filter(({ result }) => result !== 'expected');
  const answered = writes.filter(({ result, began }) => result === 'expected' && began > at && began < thawed).length;
  return {
    writes,
    summary: summarize(writes),
    /** Writes that began during the freeze and were answered as expected. */
    answered,
    /** Milliseconds from the freeze until the last failed write ended; 0 without one. */
    lastEndedMs: Math.max(0, ...failed.map(({ ended }) => ended - at)),
  };
}

test("every write ends within the caller's timeout, and the others go on", async () => {
  const freezes: Freeze[] = [];
  for (let time = 0; time < TIMES; time += 1) freezes.push(await freeze());
  const whole = summarize(freezes.flatMap(({ writes }) => writes));
  const answered = freezes.reduce((sum, one) => sum + one.answered, 0);
  const last = Math.round(Math.max(...freezes.map(({ lastEndedMs }) => lastEndedMs)));
  record(
    'frozen',
    'under load',
    `${TIMES} frozen: ${whole.failed} of ${whole.writes} writes failed (${whole.causes}), while ${answered} were answered; slowest write ` +
      `${Math.round(whole.slowest)} ms; the last failure ended ${last} ms after the freeze; stored against a rule ${whole.leaked}`,
    `${whole.failed} of ${whole.writes} writes failed, the slowest after ${(whole.slowest / 1000).toFixed(1)} s`,
  );
  for (const { writes, summary, answered: others } of freezes) {
    expect(summary.leaked).toBe(0);
    const late = writes.filter(({ what, began, ended }) => {
      const mutate = what.startsWith('inventory:') ? TIMEOUT_MS.mutate : 0;
      return ended - began > mutate + TIMEOUT_MS.validate + SLACK_MS;
    });
    expect(late).toEqual([]);
    // One that waited for `/mutate` alone may have been stored.
    expect(summary.slowest).toBeGreaterThan(0.9 * TIMEOUT_MS.mutate);
    expect(others).toBeGreaterThan(0);
  }
});

test('once it continues, it works as before', async () => {
  await bothReady();
  const load = startLoad(fleet.controlPlane.api('jane'));
  await sleep(4000);
  const summary = summarize(await load.stop());
  record(
    'frozen',
    'thawed',
    `${summary.failed} of ${summary.writes} writes failed; slowest ${Math.round(summary.slowest)} ms`,
    `${summary.failed} failed after it resumed`,
  );
  expect(summary).toMatchObject({ failed: 0, leaked: 0, causes: '' });
  for (const muster of [...fleet.replicas]) {
    expect(muster.log()).not.toMatch(/a bug in muster|an uncaught exception|an internal error/);
    expect(await fleet.end(muster, () => muster.stop('SIGTERM'))).toBe(0);
  }
});
