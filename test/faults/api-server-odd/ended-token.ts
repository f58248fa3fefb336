/** A token that the API server itself takes no longer: until when it did, and what becomes of calls once there is another. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type ControlPlane, type Json, startMuster } from '../../e2e/harness/index.ts';
import { askerOf } from '../../e2e/races/ask.ts';
import { startOddProxy } from './proxy.ts';
import { byFile, codeOf, issueToken } from './tokens.ts';
import type { Question } from './worlds.ts';

export interface Ended {
  /** The verdict before the token ended. */
  readonly before: number;
  /** Milliseconds from its end until a verdict was 503, at most a minute, and the last answer then. */
  readonly took: number;
  readonly answer: Json;
  /** The verdict, then, on a write that needs no other object. */
  readonly alone: number;
  /** Answers of 401 until the token was renewed, and after that. */
  readonly refused: number;
  readonly lasting: number;
  /** Ten verdicts after it was renewed. */
  readonly codes: readonly number[];
}

export async function endToken(controlPlane: ControlPlane, question: Question, alone: Question): Promise<Ended> {
  const proxy = await startOddProxy(controlPlane);
  const way = byFile(controlPlane);
  const old = await issueToken(controlPlane);
  const muster = await startMuster({ args: ['--kubeconfig', way.kubeconfig(proxy, old.token)] });
  const asker = askerOf(muster);
  const ask = async ({ write }: Question) => codeOf(await asker.ask(write));
  try {
    const before = await ask(question);
    await old.end();
    const began = performance.now();
    let answer = await asker.ask(question.write);
    for (; codeOf(answer) !== 503 && performance.now() - began < 60_000; await sleep(200))
      answer = await asker.ask(question.write);
    const took = performance.now() - began;
    const without = await ask(alone);
    const refused = proxy.unauthorized;
    way.renew((await issueToken(controlPlane)).token);
    const codes: number[] = [];
    for (let time = 0; time < 10; time++) codes.push(await ask(question));
    return { before, took, answer, alone: without, refused, lasting: proxy.unauthorized - refused, codes };
  } finally {
    asker.close();
    await muster.stop();
    await proxy.close();
  }
}
