/**
 * A replica freezes under load: its port takes connections and answers nothing. Writes that were led to it fail after the
 * webhook's timeout and no later, until the probes of the Deployment have taken it out; when it thaws, nothing is wrong with it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { byForm, record } from './figure.ts';
import { type Freeze, freeze, holdAtWork, tell } from './frozen/freeze.ts';
import { writeIdentities } from './frozen/identities.ts';
import { type Fleet, KUBELET, startFleet } from './stage/fleet.ts';
import { startLoad, summarize } from './stage/load.ts';

const TIMES = byForm({ short: 1, full: 5, scheduled: 5 });
/** Until two probes of 2 s have failed, the endpoints have heard of it, and the last write that was led there has failed. */
const FROZEN_MS = 16_000;
/** An intent's life: `INTENT_SECONDS` of src/cluster/live. */
const INTENT_MS = 60_000;
/** A busy machine's. */
const SLACK_MS = 3000;
/** `timeoutSeconds` of the registration; a create of inventory asks the mutating webhook before. */
const BOUND_MS = { validate: 5000, mutateAndValidate: 7000 };

let fleet: Fleet;
beforeAll(async () => {
  fleet = await startFleet({ endpoints: KUBELET });
});
afterAll(() => fleet?.stop());

test("a write takes no longer than the caller's timeout, and the others go on", async () => {
  const freezes: Freeze[] = [];
  for (let time = 0; time < TIMES; time += 1) freezes.push(await freeze(fleet, FROZEN_MS));
  record('frozen', '', tell(freezes));
  for (const { writes, summary, went } of freezes) {
    expect(summary.leaked).toBe(0);
    for (const { what, began, ended } of writes) {
      const bound = what === 'inventory: create' ? BOUND_MS.mutateAndValidate : BOUND_MS.validate;
      expect({ what, ms: ended - began < bound + SLACK_MS ? 'bounded' : ended - began }).toEqual({
        what,
        ms: 'bounded',
      });
    }
    expect(summary.failed).toBeGreaterThan(0);
    expect(went).toBeGreaterThan(0);
  }
}, 300_000);

test('identity writes are held up no longer than an intent lives, whenever it froze', async () => {
  const blocked: number[] = [];
  const identities = writeIdentities(fleet.controlPlane.api('jane'));
  try {
    for (let time = 0; time < TIMES; time += 1) {
      for (const replica of fleet.replicas) await fleet.endpoints.until(replica, true);
      await sleep(1000);
      const { at, thaw } = await holdAtWork(fleet);
      await sleep(FROZEN_MS / 2);
      thaw();
      blocked.push(await identities.wellSince(at, INTENT_MS + 15_000));
    }
  } finally {
    await identities.stop();
  }
  const { writes, refused } = identities.counts;
  record(
    'frozen',
    'writes of the identity',
    `${TIMES} frozen for ${FROZEN_MS / 2000} s: ${refused} of ${writes} refused, none later than ${Math.round(Math.max(...blocked))} ms after the freeze`,
  );
  for (const milliseconds of blocked) expect(milliseconds).toBeLessThan(INTENT_MS + 5000);
}, 600_000);

test('thawed, it serves as before', async () => {
  const [replica] = fleet.replicas;
  if (replica === undefined) throw new Error('there is no replica');
  await fleet.endpoints.until(replica, true);
  const load = startLoad(fleet.controlPlane.api('jane'));
  await sleep(4000);
  const summary = summarize(await load.stop());
  record(
    'frozen',
    'thawed',
    `${summary.failed} of ${summary.writes} writes failed; slowest ${Math.round(summary.slowest)} ms`,
  );
  expect(summary).toMatchObject({ failed: 0, leaked: 0, causes: {} });
  for (const { log } of fleet.replicas)
    expect(log()).not.toMatch(/a bug in muster|an uncaught exception|an internal error/);
  for (const muster of [...fleet.replicas]) expect(await fleet.end(muster, () => muster.stop('SIGTERM'))).toBe(0);
});
