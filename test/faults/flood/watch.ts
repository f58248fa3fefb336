/** What muster holds while something happens to it. */
import { descriptors, forgetPeak, MiB, peakBytes } from '../fleet/process.ts';
import { portsTo } from './connections.ts';

export interface Watched {
  /** MiB of memory, at its highest. */
  readonly memory: number;
  /** Descriptors, at their most. */
  readonly descriptors: number;
  /** Connections of the API server that came about. */
  readonly connections: number;
}

export interface Watch {
  stop(): Watched;
}

/** Seldom: the kernel's list of ten thousand connections costs the machine more than what is watched. */
const EVERY_MS = 1000;

export function watch(muster: { readonly pid: number; readonly port: number }, apiServerPid: number): Watch {
  forgetPeak(muster.pid);
  const before = new Set(portsTo(apiServerPid, muster.port));
  const since = new Set<number>();
  let most = 0;
  const look = () => {
    most = Math.max(most, descriptors(muster.pid));
    for (const port of portsTo(apiServerPid, muster.port)) if (!before.has(port)) since.add(port);
  };
  const timer = setInterval(look, EVERY_MS);
  return {
    stop() {
      clearInterval(timer);
      look();
      return { memory: Math.round(peakBytes(muster.pid) / MiB), descriptors: most, connections: since.size };
    },
  };
}
