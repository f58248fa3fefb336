/**
 * Serves the requests that are complete in one turn of the event loop together: first all are evaluated, then all are
 * answered, then all are reported to log and metrics. Under full load this halves the processor time of a request
 * (docs/performance.md), since each stage finds its code and data in the processor's caches. At 1,000 requests a second
 * it gains nothing.
 *
 * A batch ends after some milliseconds, and evaluates one large request at most, so that other connections are served,
 * too. The addresses take turns, so a caller with hundreds of requests does not delay others.
 */
import { FairQueue } from '../load/load-limiter.ts';

/** Milliseconds after which no further request begins in a turn. */
const TURN_MS = 8;
/** Requests of a turn, so that the first answer need not wait for the last evaluation. */
const PER_TURN = 32;
/**
 * After a large request, other work gets as many milliseconds as that request took, but no more than these: little of a
 * caller's deadline of 10 s.
 */
const LONGEST_REST_MS = 250;

export interface Batched {
  readonly address: string;
  /** Whether the request may take many milliseconds to evaluate. */
  readonly isLarge: boolean;
}

/** The stages of each request, in their order. None of them throws. */
type Stages<T> = readonly [evaluate: (request: T) => void, ...((request: T) => void)[]];

export class RequestBatch<T extends Batched> {
  readonly #stages: Stages<T>;
  readonly #now: () => number;
  readonly #small = new FairQueue<T>();
  readonly #large = new FairQueue<T>();
  #scheduled = false;
  #resting = false;
  /** When the next large request may begin, in milliseconds of the clock. */
  #largeFrom = 0;

  /** @param now milliseconds of a clock that never goes back */
  constructor(stages: Stages<T>, now = () => performance.now()) {
    this.#stages = stages;
    this.#now = now;
  }

  /** Serves the request at the end of this turn of the event loop, or of a later one where more are waiting. */
  add(request: T): void {
    (request.isLarge ? this.#large : this.#small).add(request.address, request);
    this.#schedule();
  }

  /** Serves one turn's requests at once. */
  readonly serve = (): void => {
    this.#scheduled = false;
    const [evaluate, ...others] = this.#stages;
    const served: T[] = [];
    const began = this.#now();
    while (served.length < PER_TURN && this.#now() - began < TURN_MS) {
      const request = this.#small.next();
      if (request === undefined) break;
      served.push(request);
      evaluate(request);
    }
    for (const stage of others) for (const request of served) stage(request);
    if (this.#large.size > 0) this.#serveLarge();
    this.#schedule();
  };

  #serveLarge(): void {
    const began = this.#now();
    if (began < this.#largeFrom) return;
    const request = this.#large.next();
    if (request === undefined) return;
    for (const stage of this.#stages) stage(request);
    const ended = this.#now();
    this.#largeFrom = ended + Math.min(ended - began, LONGEST_REST_MS);
  }

  #schedule(): void {
    const restMs = this.#largeFrom - this.#now();
    if (this.#small.size > 0 || (this.#large.size > 0 && restMs <= 1)) {
      if (!this.#scheduled) setImmediate(this.serve);
      this.#scheduled = true;
    } else if (this.#large.size > 0 && !this.#resting) {
      this.#resting = true;
      setTimeout(() => {
        this.#resting = false;
        this.#schedule();
      }, restMs);
    }
  }
}
