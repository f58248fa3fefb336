/** The caller's deadline: `?timeout=`, and an answer before it. */
import type { Deadline } from '../../engine/cluster-state.ts';

/** What the API server uses where a webhook configuration names no timeout, in milliseconds. */
const DEFAULT_TIMEOUT = 10_000;
/** The longest that a webhook configuration may name. */
const LONGEST_TIMEOUT = 30_000;
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };

/**
 * Returns the milliseconds that a request to this URL may take: its `timeout`, less a tenth (half a second at most) for the way back. Of several values
 * the shortest counts; what is no duration counts as absent.
 */
export function budgetOf(url: string): number {
  const query = url.slice(url.indexOf('?') + 1 || url.length);
  const timeouts = new URLSearchParams(query).getAll('timeout').flatMap((text) => millisecondsOf(text) ?? []);
  const timeout = timeouts.length === 0 ? DEFAULT_TIMEOUT : Math.min(LONGEST_TIMEOUT, ...timeouts);
  return timeout - Math.min(500, timeout / 10);
}

/** There is no result: the deadline passed, or the caller left. */
export const OVERDUE = Symbol('overdue');

/** What tells that the caller left: a `ServerResponse`. */
interface Closable {
  readonly destroyed: boolean;
  once(event: 'close', listener: () => void): unknown;
}

/** Why reads are aborted. One for all: a `DOMException` of its own, with a stack, takes longer than most evaluations. */
const ENDED = new Error('the request has ended');

/** The deadline of one request. Its signal, made on first use, aborts when the caller leaves, or when `wait` ends. */
export class RequestDeadline implements Deadline {
  readonly at: number;
  readonly #response: Closable;
  #aborter: AbortController | undefined;
  #isOver = false;

  /** @param budget milliseconds from now */
  constructor(budget: number, response: Closable) {
    this.at = Date.now() + budget;
    this.#response = response;
  }

  get signal(): AbortSignal {
    this.#aborter ??= new AbortController();
    if (this.#isOver || this.#response.destroyed) this.#aborter.abort(ENDED);
    return this.#aborter.signal;
  }

  /** Settles as `work` does; with `OVERDUE` when the deadline passes or the caller leaves before. Then reads that go on are aborted. */
  wait<T>(work: Promise<T>): Promise<T | typeof OVERDUE> {
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        this.#isOver = true;
        this.#aborter?.abort(ENDED);
      };
      const overdue = () => {
        end();
        resolve(OVERDUE);
      };
      const timer = setTimeout(overdue, this.#response.destroyed ? 0 : Math.max(0, this.at - Date.now()));
      this.#response.once('close', overdue);
      work.finally(end).then(resolve, reject);
    });
  }
}

function millisecondsOf(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,6}(?:\.\d{1,6})?)(ms|s|m)$/.exec(text) ?? [];
  const milliseconds = Number(count) * (UNITS[unit ?? ''] ?? 0);
  return milliseconds > 0 ? milliseconds : undefined;
}
