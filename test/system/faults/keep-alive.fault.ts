/**
 * The API server keeps idle connections for 90 s and does not repeat a POST on one that is closed at that moment, so
 * muster keeps them longer. Bursts of writes with gaps around 90 s, through the API server. All gaps are waited for at
 * once.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { register, type ServiceProxy, startProxy } from '../e2e/harness/index.ts';
import { byForm, record } from './figures.ts';
import { type Fleet, startFleet } from './fleet/fleet.ts';
import { send, summarize, type Write } from './fleet/load.ts';
import { steps } from './fleet/steps.ts';

/** Seconds: around the API server's limit, and to either side of it. */
const GAPS = byForm(
  [85, 89, 89.9, 90.1, 91, 95],
  [...Array.from({ length: 21 }, (_, index) => 85 + index), 89.8, 89.9, 89.95, 90.05, 90.1, 90.2],
);
const ROUNDS = byForm(1, 3);
/** Writes of a burst. The API server keeps 25 idle connections for an address. */
const WRITES = 12;

/**
 * One gap: an address of its own, so that the API server keeps its connections apart, and a registration that matches
 * its writes.
 */
interface Lane {
  readonly seconds: number;
  readonly proxy: ServiceProxy;
  burst(): Promise<readonly Write[]>;
}

let fleet: Fleet;
const lanes: Lane[] = [];
beforeAll(async () => {
  fleet = await startFleet();
  for (const seconds of GAPS) lanes.push(await openLane(seconds, `gap-${seconds * 1000}`));
});
afterAll(async () => {
  for (const { proxy } of lanes) await proxy.close();
  await fleet?.stop();
});

let names = 0;

async function openLane(seconds: number, name: string): Promise<Lane> {
  const proxy = await startProxy({ targets: fleet.endpoints.ready });
  await register(
    fleet.controlPlane,
    { url: proxy.url, caFile: join(fleet.certs, 'ca.crt') },
    {
      name: `muster-${name}`,
      timeoutSeconds: 'printed',
      only: ['claims'],
      change: (webhook) => ({ ...webhook, objectSelector: { matchLabels: { lane: name } } }),
    },
  );
  const write = () => {
    const [create] = steps.claim(`${name}-${++names}`);
    if (create === undefined) throw new Error('a claim begins with a create');
    const body = create.body as { metadata: object };
    const labelled = { ...body, metadata: { ...body.metadata, labels: { lane: name } } };
    return send(fleet.controlPlane.api('jane'), { ...create, body: labelled });
  };
  return { seconds, proxy, burst: () => Promise.all(Array.from({ length: WRITES }, write)) };
}

type Crossing = Awaited<ReturnType<typeof cross>>;

/** Waits the gap after the first burst, and sends a second one. */
async function cross({ seconds, proxy, burst }: Lane) {
  const before = proxy.counts.made;
  await sleep(seconds * 1000);
  const open = proxy.open().length;
  const writes = await burst();
  const fresh = proxy.counts.made - before;
  // Connections that carried both bursts, and those that were made for the second one.
  return { seconds, writes, reused: Math.max(0, Math.min(open, WRITES - fresh)), fresh };
}

/** Whether the connection ended during the request, by Go's error. */
function isBroken({ result, message }: Write): boolean {
  return result !== 'expected' && /\bEOF\b|reset by peer|broken pipe|closed network|server closed/.test(message);
}

test.each(Array.from({ length: ROUNDS }, (_, index) => index + 1))(
  'round %i: no connection breaks, whatever the gap',
  async (round) => {
    const crossings: Promise<Crossing>[] = [];
    // First bursts one after the other: together they would be a flood of handshakes.
    for (const lane of lanes) {
      expect((await lane.burst()).filter(({ result }) => result !== 'expected')).toEqual([]);
      expect(lane.proxy.open().length).toBeGreaterThan(0);
      crossings.push(cross(lane));
    }
    const found = await Promise.all(crossings);
    const writes = found.flatMap((crossing) => crossing.writes);
    const { failed, leaked, causes } = summarize(writes);
    const ended = writes.filter(isBroken).length;
    const reused = sum(found, 'reused');
    const fresh = sum(found, 'fresh');
    record(
      'keep-alive',
      `through the API server, round ${round}`,
      `${ended} connections broke; ${failed} of ${writes.length} writes failed${failed > 0 ? ` (${causes})` : ''} after ${GAPS.length} gaps of ` +
        `${Math.min(...GAPS)} to ${Math.max(...GAPS)} s; connections reused ${reused}, made anew ${fresh}`,
      round === 1 ? `${ended} connections broke in ${GAPS.length * ROUNDS} gaps` : undefined,
    );
    expect([ended, leaked]).toEqual([0, 0]);
    // Both sides of the limit occurred.
    const reusedIn = (holds: (seconds: number) => boolean) =>
      sum(
        found.filter(({ seconds }) => holds(seconds)),
        'reused',
      );
    expect(reusedIn((seconds) => seconds < 89)).toBeGreaterThan(0);
    expect(reusedIn((seconds) => seconds > 92)).toBe(0);
  },
);

function sum(crossings: readonly Crossing[], member: 'reused' | 'fresh'): number {
  return crossings.reduce((total, crossing) => total + crossing[member], 0);
}
