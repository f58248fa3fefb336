/** muster asked over HTTPS, on and on, while nobody else could ask it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Asker } from '../../e2e/races/ask.ts';
import { type Asked, IDENTITY, LOOKING, OBJECT_ONLY } from './writes.ts';

export interface Tally {
  /** Answers. */
  asked: number;
  /** Those that were other than they had to be. */
  readonly wrong: string[];
  /** Milliseconds of the slowest. */
  slowest: number;
}

export interface Tallies {
  readonly object: Tally;
  readonly looking: Tally;
  readonly identity: Tally;
  /** Milliseconds for which this process itself stood still at most: a machine that has too much to do slows muster as well. */
  readonly stall: number;
}

const EVERY_MS = 50;

/** Each kind of write by a loop of its own, so that what hangs keeps nothing else waiting. */
export async function askFor(milliseconds: number, askers: readonly Asker[]): Promise<Tallies> {
  const end = performance.now() + milliseconds;
  const object = newTally();
  const looking = newTally();
  const identity = newTally();
  const loops = askers.flatMap((asker) => [
    loop(asker, OBJECT_ONLY, object, end),
    ...LOOKING.map((one) => loop(asker, [one], looking, end)),
    ...IDENTITY.map((one) => loop(asker, [one], identity, end)),
  ]);
  const heart = startHeart();
  await Promise.all(loops);
  return { object, looking, identity, stall: heart.stop() };
}

async function loop(asker: Asker, writes: readonly Asked[], tally: Tally, end: number): Promise<void> {
  for (let nth = 0; performance.now() < end; nth++) {
    const one = writes[nth % writes.length];
    if (one === undefined) return;
    const began = performance.now();
    const answer = await asker.ask(one.write).catch((error: Error) => ({ status: { message: error.message } }));
    tally.asked += 1;
    tally.slowest = Math.max(tally.slowest, performance.now() - began);
    const code = answer.allowed ? 200 : answer.status?.code;
    if (code !== (one.code ?? 503)) {
      tally.wrong.push(`${one.what}: ${code} ${answer.status?.message ?? ''}`);
    }
    await sleep(EVERY_MS);
  }
}

function startHeart() {
  let last = performance.now();
  let stall = 0;
  const beat = () => {
    stall = Math.max(stall, performance.now() - last - EVERY_MS);
    last = performance.now();
  };
  const timer = setInterval(beat, EVERY_MS);
  return {
    stop() {
      beat();
      clearInterval(timer);
      return stall;
    },
  };
}

function newTally(): Tally {
  return { asked: 0, wrong: [], slowest: 0 };
}
