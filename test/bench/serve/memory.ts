/** Memory after many requests, of a fresh process; and the heap of muster on the way, as its own metrics tell it. */
import type { Contender } from './contenders.ts';
import { residentBytes } from './load/cpu.ts';
import type { Plan } from './plan.ts';
import type { Memory } from './results.ts';
import { LONGEST_MS, load } from './rounds.ts';
import { type Server, type Site, startServer } from './server.ts';

const EVERY_MS = 250;

/** Undefined where the system does not tell. */
export async function memoryAfter(contender: Contender, plan: Plan, site: Site): Promise<Memory | undefined> {
  const server = await startServer(contender, site);
  try {
    const heap: number[] = [];
    // A short run holds a few collections, of which no line can be told.
    const told = contender.id === 'muster' && plan.form === 'full';
    const timer = told ? setInterval(() => sample(server, heap), EVERY_MS) : undefined;
    const { requests } = plan;
    await load(server, site, { connections: 16, warmUpMs: 0, measureMs: LONGEST_MS, requests });
    clearInterval(timer);
    const bytes = residentBytes(server.pid);
    const growth = growthOf(heap);
    if (bytes === undefined) return undefined;
    return { requests, residentBytes: bytes, ...(growth === undefined ? {} : { heapGrowth: growth }) };
  } finally {
    await server.stop();
  }
}

async function sample({ opsPort }: Server, into: number[]): Promise<void> {
  const text = await fetch(`http://127.0.0.1:${opsPort}/metrics`).then(
    (answer) => answer.text(),
    () => '',
  );
  const [, bytes] = /^nodejs_heap_size_used_bytes (\S+)/m.exec(text) ?? [];
  if (bytes !== undefined) into.push(Number(bytes));
}

const PARTS = 10;
/** Fewer samples than these tell nothing. */
const FEWEST = 60;

/**
 * Of the second half: the lowest of each tenth of it, which is the heap soon after a collection; a line through them; its end
 * over its beginning.
 */
export function growthOf(heap: readonly number[]): number | undefined {
  if (heap.length < FEWEST) return undefined;
  const half = heap.slice(Math.floor(heap.length / 2));
  const size = half.length / PARTS;
  const lows = Array.from({ length: PARTS }, (_, part) =>
    Math.min(...half.slice(Math.floor(part * size), Math.floor((part + 1) * size))),
  );
  const mean = lows.reduce((sum, low) => sum + low, 0) / PARTS;
  const middle = (PARTS - 1) / 2;
  const moments = lows.map((low, index) => [(index - middle) * (low - mean), (index - middle) ** 2] as const);
  const slope = moments.reduce((sum, [xy]) => sum + xy, 0) / moments.reduce((sum, [, xx]) => sum + xx, 0);
  return (mean + slope * middle) / (mean - slope * middle);
}
