/** All connections of a proxy reset at once, again and again, and which failures that explains. */

import type { Write } from '../stage/load.ts';
import type { ServiceProxy } from '../stage/proxy.ts';

export interface Cut {
  /** Of `performance.now()`. */
  readonly at: number;
  /** Connections that were reset. */
  readonly connections: number;
}

export interface Cuts {
  readonly made: readonly Cut[];
  stop(): void;
}

/** How much later than the cut the API server may have begun a call on a connection that it did not yet know was gone. */
const UNAWARE_MS = 250;

export function cutEvery(ms: number, proxies: readonly ServiceProxy[]): Cuts {
  const made: Cut[] = [];
  const timer = setInterval(() => {
    const open = proxies.flatMap((proxy) => proxy.open());
    made.push({ at: performance.now(), connections: open.length });
    for (const connection of open) connection.cut();
  }, ms);
  return { made, stop: () => clearInterval(timer) };
}

/** Whether the write was under way at a cut. */
export function wasCut({ began, ended }: Write, cuts: readonly Cut[]): boolean {
  return cuts.some(({ at }) => began <= at + UNAWARE_MS && ended >= at);
}
