/**
 * One gap between two bursts of writes: an address of its own, so that the API server keeps connections for it apart, and a
 * registration that only writes of this gap are matched by.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { register } from '../../e2e/harness/index.ts';
import type { Fleet } from '../stage/fleet.ts';
import { lives } from '../stage/lives.ts';
import { once, type Write } from '../stage/load.ts';
import { type ServiceProxy, startProxy } from '../stage/proxy.ts';

export interface Lane {
  readonly seconds: number;
  readonly proxy: ServiceProxy;
  /** So many creates at a time, each of which asks muster. */
  burst(writers: number): Promise<readonly Write[]>;
  close(): Promise<void>;
}

export interface Crossing {
  readonly seconds: number;
  readonly writes: readonly Write[];
  /** Connections on which both bursts went, and those that were made for the second one. */
  readonly reused: number;
  readonly fresh: number;
}

let names = 0;

export async function openLane(fleet: Fleet, seconds: number, name = `gap-${seconds * 1000}`): Promise<Lane> {
  const proxy = await startProxy({ endpoints: fleet.endpoints });
  await register(fleet.controlPlane, [{ url: proxy.url, caFile: join(fleet.certs, 'ca.crt') }], {
    name: `muster-${name}`,
    only: ['claims'],
    change: (webhook) => ({ ...webhook, objectSelector: { matchLabels: { lane: name } } }),
  });
  const jane = fleet.controlPlane.api('jane');
  const write = async () => {
    const [create] = lives.claim(`${name}-${++names}`);
    if (create?.body === undefined) throw new Error('the life of a claim begins with no create');
    const body = create.body as { metadata: object };
    return once(jane, { ...create, body: { ...body, metadata: { ...body.metadata, labels: { lane: name } } } });
  };
  return {
    seconds,
    proxy,
    burst: (writers) => Promise.all(Array.from({ length: writers }, write)),
    close: () => proxy.close(),
  };
}

/**
 * A burst, the gap, and a burst of the same size. Resolves to the writes of the second. The first one may be tried again: it is
 * there to have connections, and a busy machine may be late.
 */
export async function cross(lane: Lane, writers: number): Promise<Crossing> {
  const { seconds, proxy } = lane;
  await turn(() => settledBurst(lane, writers));
  const before = proxy.counts.made;
  await sleep(seconds * 1000);
  const open = proxy.open().length;
  const writes = await lane.burst(writers);
  const fresh = proxy.counts.made - before;
  return { seconds, writes, reused: Math.max(0, Math.min(open, writers - fresh)), fresh };
}

/** A connection that ended under a request, by what Go says of it. */
export function isBroken({ result, said }: Write): boolean {
  return result !== 'expected' && /\bEOF\b|reset by peer|broken pipe|closed network|server closed/.test(said);
}

let last: Promise<unknown> = Promise.resolve();

/** First bursts one after the other: all at once they would be a flood of handshakes, which is another row. */
function turn<T>(work: () => Promise<T>): Promise<T> {
  const mine = last.then(work);
  last = mine.catch(() => {});
  return mine;
}

async function settledBurst({ burst }: Lane, writers: number): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const failed = (await burst(writers)).filter(({ result }) => result !== 'expected');
    if (failed.length === 0) return;
    if (attempt === 5) throw new Error(`before the gap: ${failed[0]?.said}`);
  }
}
