/**
 * The two ways of load. Closed: each connection sends as soon as it has its answer, which finds the most a server can do. Open:
 * requests are due at moments of their own, and their time runs from there, so that a server that stalls is not spared the
 * requests it kept from being sent.
 */
import type { Lane } from './lane.ts';

export interface Pace {
  begin(lanes: readonly Lane[]): void;
  /** A lane has its answer. */
  free(lane: Lane, now: number): void;
  end(): void;
}

type Send = (lane: Lane, since: number) => void;

export function closedLoop(send: Send): Pace {
  const begin = (lanes: readonly Lane[]) => {
    for (const lane of lanes) send(lane, performance.now());
  };
  return { begin, free: send, end: () => {} };
}

/** So many requests a second, arriving as from many users who know nothing of each other, the same at every run. */
export function openLoop(rate: number, send: Send): Pace {
  const gap = gaps(rate);
  const idle: Lane[] = [];
  const overdue: number[] = [];
  let next = 0;
  let over = false;
  const look = () => {
    if (over) return;
    for (const now = performance.now(); next <= now; next += gap()) overdue.push(next);
    while (overdue.length > 0 && idle.length > 0) send(idle.shift() as Lane, overdue.shift() as number);
    // A timer is late by up to a millisecond, as much as what is measured; the core is ours alone.
    setImmediate(look);
  };
  return {
    begin: (lanes) => {
      idle.push(...lanes);
      next = performance.now();
      look();
    },
    free: (lane) => {
      const since = overdue.shift();
      if (since === undefined) idle.push(lane);
      else send(lane, since);
    },
    end: () => {
      over = true;
    },
  };
}

/** Milliseconds between two arrivals: exponential, from a generator of fixed seed. */
function gaps(rate: number): () => number {
  let seed = 20_260_302;
  return () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return (-Math.log(1 - seed / 2 ** 32) * 1000) / rate;
  };
}
