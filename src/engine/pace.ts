/** What is large is judged in stretches, so that whoever else waits is served in between. */

import type { Steps } from '../rules/comparing.ts';

/** Resolves when it is our turn again. */
export type Pause = () => Promise<unknown>;

/** Milliseconds of work without a pause; one step, such as the comparison of two maps, comes on top. */
const STRETCH_MS = 8;

/** The pace of one judging. */
export class Pace {
  readonly #pause: Pause;
  #began = performance.now();

  constructor(pause: Pause) {
    this.#pause = pause;
  }

  /** Whether a pause is due. */
  get due(): boolean {
    return performance.now() - this.#began >= STRETCH_MS;
  }

  async rest(): Promise<void> {
    await this.#pause();
    this.#began = performance.now();
  }
}

/** Runs what yields where it may be interrupted, at once. */
export function hurry<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Runs what yields where it may be interrupted, with pauses. */
export async function stroll<T>(steps: Steps<T>, pace: Pace): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (pace.due) await pace.rest();
  }
}
