/**
 * Identity writes, of each dialect one writer: they hold an intent while they are decided, which one that freezes at that moment
 * can't give back. A refusal is no failure here; how long they go on being refused is what is asked.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Api, ApiAnswer } from '../../e2e/harness/index.ts';
import { type ClaimDialect, DIALECTS, identityOf } from '../../e2e/races/identity.ts';

export interface Identities {
  /** Resolves once each writer has gone through all its steps without a refusal, to the milliseconds since `at` of the last refusal. */
  wellSince(at: number, patienceMs: number): Promise<number>;
  readonly counts: { readonly writes: number; readonly refused: number };
  /** What was refused, each text once. */
  readonly said: ReadonlySet<string>;
  stop(): Promise<void>;
}

/** Between two attempts. */
const PAUSE_MS = 100;

export function writeIdentities(api: Api): Identities {
  const state = { stopped: false, writes: 0, refused: 0 };
  const said = new Set<string>();
  const lastRefused = DIALECTS.map(() => 0);
  const roundsBegan = DIALECTS.map(() => 0);
  const tried = async (nth: number, write: () => Promise<ApiAnswer>, also: readonly number[] = []) => {
    // Told to try again, it does, as kubectl and controllers do; what else it is told does not help by being repeated.
    for (let status = 503; status === 503 && !state.stopped; await sleep(PAUSE_MS)) {
      const answer = await write();
      status = answer.status;
      state.writes += 1;
      // A write that was given up on may have been stored, or may not.
      if (status < 300 || also.includes(status)) return;
      state.refused += 1;
      lastRefused[nth] = performance.now();
      said.add(`${status} ${String(answer.body?.message).slice(0, 160)}`);
    }
  };
  const writer = async (dialect: ClaimDialect, nth: number) => {
    const one = identityOf(dialect, api);
    await one.createId('first');
    for (let round = 0; !state.stopped; round += 1) {
      const began = performance.now();
      await tried(nth, () => one.join(), [409]);
      await tried(nth, () => one.leave(), [404]);
      await tried(nth, () => one.changeId(`id-${round}`));
      if ((lastRefused[nth] ?? 0) < began) roundsBegan[nth] = began;
      await sleep(5);
    }
  };
  const running = Promise.all(DIALECTS.map(writer));
  return {
    counts: state,
    said,
    async wellSince(at, patienceMs) {
      const end = performance.now() + patienceMs;
      const well = () => roundsBegan.every((began, nth) => began > Math.max(at, lastRefused[nth] ?? 0));
      while (!well()) {
        if (performance.now() > end) throw new Error(`still refused: ${[...said].at(-1)}`);
        await sleep(20);
      }
      return Math.max(0, ...lastRefused.map((time) => time - at));
    },
    async stop() {
      state.stopped = true;
      await running;
    },
  };
}
