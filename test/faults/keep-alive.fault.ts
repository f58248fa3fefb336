/**
 * The API server keeps idle connections for 90 s and does not repeat a POST on one that was closed at that moment, so muster
 * keeps them longer. Bursts of writes with gaps around these 90 s, through the API server's own connections and through some
 * that are used after as many seconds whatever the API server would do. All gaps are waited for at once.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { reviewOf } from '../server/reviews.ts';
import { byForm, record } from './figure.ts';
import { type Crossing, cross, isBroken, type Lane, openLane } from './keep-alive/lane.ts';
import { type Fleet, startFleet } from './stage/fleet.ts';
import { openConnection } from './stage/go-client.ts';
import { summarize, tellCauses } from './stage/load.ts';

/** 85 to 105 by the second, and closer around what the API server's pool holds to. */
const GAPS = [...Array.from({ length: 21 }, (_, index) => 85 + index), 89.8, 89.9, 89.95, 90.05, 90.1, 90.2];
const ROUNDS = byForm({ short: 1, full: 3, scheduled: 3 });
/** The API server keeps 25 idle ones for an address. */
const WRITERS = 12;
const DIRECT_PER_GAP = 4;

let fleet: Fleet;
let lanes: Lane[];
beforeAll(async () => {
  fleet = await startFleet();
  lanes = [];
  for (const seconds of GAPS) lanes.push(await openLane(fleet, seconds));
});
afterAll(async () => {
  for (const lane of lanes ?? []) await lane.close();
  await fleet?.stop();
});

test.each(Array.from({ length: ROUNDS }, (_, index) => index + 1))(
  'round %i: no connection breaks, whatever the gap',
  async (round) => {
    const [crossings, direct] = await Promise.all([Promise.all(lanes.map((lane) => cross(lane, WRITERS))), straight()]);
    record('keep-alive', `through the API server, round ${round}`, tell(crossings));
    record('keep-alive', `straight to muster, round ${round}`, direct.figure);
    const writes = crossings.flatMap((crossing) => crossing.writes);
    expect(writes.filter(isBroken).map(({ said }) => said)).toEqual([]);
    expect(direct.broken).toBe(0);
    // A burst may be late on a busy machine (its figure says so); that is another matter.
    const { failed, leaked } = summarize(writes);
    expect(leaked).toBe(0);
    expect(failed / writes.length).toBeLessThan(0.5);
    // Both sides of the boundary were there.
    expect(reusedAt(crossings, (seconds) => seconds < 89)).toBeGreaterThan(0);
    expect(reusedAt(crossings, (seconds) => seconds > 92)).toBe(0);
  },
  240_000,
);

test('a connection that is closed as a request comes fails it: broken ones would be seen', async () => {
  const lane = await openLane(fleet, 2, 'control');
  lanes.push(lane);
  await lane.burst(WRITERS);
  await sleep(lane.seconds * 1000);
  const kept = lane.proxy.open();
  for (const connection of kept) connection.cutOnNextTurn();
  const summary = summarize(await lane.burst(WRITERS));
  record(
    'keep-alive',
    'control, closed as a request comes',
    `${summary.failed} of ${summary.writes} writes failed on ${kept.length} kept connections (${tellCauses(summary)})`,
  );
  expect(summary.failed).toBeGreaterThan(0);
});

/** No client that would close them after 90 s: kept connections, each used again after its gap. */
async function straight(): Promise<{ broken: number; figure: string }> {
  const [replica] = fleet.replicas;
  const ca = readFileSync(join(fleet.certs, 'ca.crt'), 'utf8');
  const body = JSON.stringify(reviewOf());
  const open = async (seconds: number) => {
    const connection = await openConnection(replica?.port ?? 0, ca);
    expect(await connection.post('/validate?timeout=5s', body)).toBe(200);
    return { connection, seconds };
  };
  const again = async ({ connection, seconds }: Awaited<ReturnType<typeof open>>) => {
    await sleep(seconds * 1000);
    const answered = await connection.post('/validate?timeout=5s', body).then(
      (status) => status === 200,
      () => false,
    );
    connection.close();
    return answered;
  };
  const waits: Promise<boolean>[] = [];
  for (const seconds of GAPS) {
    for (let nth = 0; nth < DIRECT_PER_GAP; nth += 1) waits.push(again(await open(seconds)));
  }
  const answers = await Promise.all(waits);
  const broken = answers.filter((answered) => !answered).length;
  return { broken, figure: `${broken} of ${answers.length} kept connections broken after 85 to 105 s` };
}

function tell(crossings: readonly Crossing[]): string {
  const writes = crossings.flatMap((crossing) => crossing.writes);
  const summary = summarize(writes);
  const why = summary.failed > 0 ? ` (${tellCauses(summary)})` : '';
  const sum = (of: (crossing: Crossing) => number) => crossings.reduce((total, crossing) => total + of(crossing), 0);
  return (
    `${writes.filter(isBroken).length} connections broke; ${summary.failed} of ${summary.writes} writes failed${why} after ${GAPS.length} gaps of 85 to 105 s; ` +
    `connections reused ${sum(({ reused }) => reused)}, made anew ${sum(({ fresh }) => fresh)}`
  );
}

function reusedAt(crossings: readonly Crossing[], gap: (seconds: number) => boolean): number {
  return crossings.filter(({ seconds }) => gap(seconds)).reduce((sum, { reused }) => sum + reused, 0);
}
