/**
 * How much is judged at a time, and a short line before it. A request takes its places once its body is complete; most give them back in
 * the same moment, those that read from the API server when that has answered.
 */
import type { Bound } from '../admission/observer.ts';
import { FairLine } from './fair-line.ts';
import { Shares } from './shares.ts';

export interface JudgingLimits {
  /** Places; a review takes one for each begun `WEIGHT_A_PLACE`. */
  readonly places: number;
  /** Requests that wait for places. */
  readonly queue: number;
  /** Milliseconds of waiting, at most. */
  readonly waitMs: number;
}

/**
 * Bytes that a decoded review takes at the most (`weightOf`): one of 4 kB has a place, the heaviest 256. 512 places are 96 MiB, which
 * with the 60 MB that the server itself takes fit into a heap of 256 MB, also where rules froze what they judge.
 */
export const WEIGHT_A_PLACE = 192 * 1024;

/** Why the wait ended without places; `gone`: nobody is left to answer. */
export type Unplaced = 'evaluations' | 'gone';

interface Waiting {
  readonly address: string;
  readonly places: number;
  /** Undefined: the places are taken. */
  settle(outcome: Unplaced | undefined): void;
}

export class Judging {
  readonly #limits: JudgingLimits;
  readonly #places: Shares;
  readonly #line = new FairLine<Waiting>();

  constructor(limits: JudgingLimits) {
    this.#limits = limits;
    this.#places = new Shares(limits.places);
  }

  /** Places that a review of such a weight takes. */
  placesFor(weight: number): number {
    return Math.min(Math.max(1, Math.floor(this.#limits.places / 2)), Math.ceil(weight / WEIGHT_A_PLACE));
  }

  /** Whether there are places at once: they are free, and nobody of the same address waits. */
  hasRoom(address: string, places: number): boolean {
    return !this.#line.has(address) && this.#fits(address, places);
  }

  /** Takes places at once, if there are any. */
  take(address: string, places: number): boolean {
    return this.hasRoom(address, places) && this.#places.take(address, places);
  }

  /** Waits for places: undefined once they are taken. Never longer than `patienceMs`, nor than the limit. */
  wait(address: string, places: number, patienceMs: number, gone: AbortSignal): Promise<Unplaced | undefined> {
    if (gone.aborted) return Promise.resolve('gone');
    if (!this.#makeRoom(address)) return Promise.resolve('evaluations');
    return new Promise((resolve) => {
      const give = (outcome: Unplaced) => this.#line.remove(address, waiting) && waiting.settle(outcome);
      const hungUp = () => give('gone');
      const timer = setTimeout(() => give('evaluations'), Math.max(0, Math.min(patienceMs, this.#limits.waitMs)));
      const settle = (outcome: Unplaced | undefined) => {
        clearTimeout(timer);
        gone.removeEventListener('abort', hungUp);
        resolve(outcome);
      };
      const waiting: Waiting = { address, places, settle };
      gone.addEventListener('abort', hungUp, { once: true });
      this.#line.add(address, waiting);
    });
  }

  /** Gives places back; whose turn it is, and who fits, gets them. */
  give(address: string, places: number): void {
    this.#places.give(address, places);
    while (this.#line.size > 0) {
      const next = this.#line.next((waiting) => this.#fits(waiting.address, waiting.places));
      if (next === undefined) return;
      this.#places.take(next.address, next.places);
      next.settle(undefined);
    }
  }

  bounds(): readonly Bound[] {
    return [
      { name: 'judging_places', held: this.#places.held, limit: this.#limits.places },
      { name: 'queued_requests', held: this.#line.size, limit: this.#limits.queue },
    ];
  }

  /** Whether they are there. Who takes more than one leaves as many: large reviews never keep small ones out. */
  #fits(address: string, places: number): boolean {
    const left = this.#places.limit - this.#places.held - places;
    return (places === 1 || left >= places) && this.#places.has(address, places);
  }

  #makeRoom(newcomer: string): boolean {
    if (this.#line.size < this.#limits.queue) return true;
    const newest = this.#line.crowdOut(newcomer);
    newest?.settle('evaluations');
    return newest !== undefined;
  }
}
