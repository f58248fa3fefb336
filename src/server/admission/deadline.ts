/** The caller's patience: `?timeout=Ns`, and an answer before it ends. */

import type { Deadline } from '../../engine/cluster-state.ts';

/** What the API server uses where a webhook configuration names no timeout, in milliseconds. */
const DEFAULT_TIMEOUT = 10_000;
/** The longest a webhook configuration may name. */
const LONGEST_TIMEOUT = 30_000;
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };

/**
 * Milliseconds a request may take here: its `timeout`, less a tenth (half a second at most) for the way back.
 * Junk counts as not given; of several values the shortest counts.
 */
export function budgetOf(url: string): number {
  const given = timeoutsIn(url.slice(url.indexOf('?') + 1 || url.length)).map(millisecondsOf);
  const timeout = Math.min(LONGEST_TIMEOUT, ...given.filter((value) => value !== undefined));
  const patience = given.some((value) => value !== undefined) ? timeout : DEFAULT_TIMEOUT;
  return patience - Math.min(500, patience / 10);
}

/** Budgets by URL. An API server asks for one and the same over and over: the latest is remembered. */
export class Budgets {
  #url = '';
  #budget = budgetOf('');

  of(url: string): number {
    if (url !== this.#url) {
      this.#url = url;
      this.#budget = budgetOf(url);
    }
    return this.#budget;
  }
}

export interface Caller {
  /** Milliseconds that are left for an answer. */
  readonly budget: number;
  /** Aborted when the caller hangs up. */
  readonly gone: AbortSignal;
}

/** How long one judging may take. Most read nothing, and ask for neither clock nor signal, which costs more than such a judging. */
export class RequestDeadline implements Deadline {
  readonly #caller: Caller;
  #at: number | undefined;
  #reads: AbortController | undefined;
  #over = false;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Milliseconds since the epoch. */
  get at(): number {
    this.#at ??= Date.now() + this.#caller.budget;
    return this.#at;
  }

  /** Aborts when the caller has gone, or with `end`. */
  get signal(): AbortSignal {
    if (this.#reads === undefined) {
      const reads = new AbortController();
      const { gone } = this.#caller;
      if (this.#over || gone.aborted) reads.abort();
      else gone.addEventListener('abort', () => reads.abort(), { once: true });
      this.#reads = reads;
    }
    return this.#reads.signal;
  }

  /** Ends what is still being read. */
  end(): void {
    this.#over = true;
    this.#reads?.abort();
  }
}

export const OVERDUE = Symbol('overdue');

/**
 * Settles as `work` does, or with `OVERDUE` once `milliseconds` have passed or the signal aborts. `work` is left to itself
 * then; whatever becomes of it later, a rejection too, is nobody's business.
 */
export async function within<T>(
  work: Promise<T>,
  milliseconds: number,
  signal: AbortSignal,
): Promise<T | typeof OVERDUE> {
  work.catch(() => {});
  if (signal.aborted) return OVERDUE;
  let settle = () => {};
  const late = new Promise<typeof OVERDUE>((resolve) => {
    settle = () => resolve(OVERDUE);
  });
  const timer = setTimeout(settle, Math.max(0, milliseconds));
  signal.addEventListener('abort', settle, { once: true });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', settle);
  }
}

/** As the API server writes it there is this one value, and nothing in it to decode. */
function timeoutsIn(query: string): readonly string[] {
  return /^timeout=\w*$/.test(query) ? [query.slice('timeout='.length)] : new URLSearchParams(query).getAll('timeout');
}

function millisecondsOf(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,6}(?:\.\d{1,6})?)(ms|s|m)$/.exec(text) ?? [];
  const milliseconds = Number(count) * (UNITS[unit ?? ''] ?? 0);
  return milliseconds > 0 ? milliseconds : undefined;
}
