/**
 * Runs the code under test on one review, up to its next calls to the API server: from the beginning each time, with
 * the answers that it has got
 * so far. Nothing of it is replaced but what it takes as arguments (the API client, the pause between attempts, the
 * expiry, which is its own
 * with a clock of the model) and `Date.now`.
 */

import type { JsonObject } from '../../../../src/base/json.ts';
import type { ApiRequest, ApiResponse } from '../../../../src/cluster/live/client.ts';
import type { Lock } from '../../../../src/cluster/locks/lock.ts';
import type { Code } from './code.ts';
import { type Answer, type Call, type Content, type LockRecord, type Review, renamed } from './system-state.ts';
import { createTranslator, EPOCH, type Setting } from './translator.ts';

export type Verdict = 'allowed' | 'denied' | 'indeterminate' | 'crashed';

/** How far a review has come: its calls that wait for answers, or its end. */
export interface Progress {
  readonly pending: readonly Call[];
  readonly verdict?: Verdict;
  /** Another write has the lock: it waits before its next attempt. */
  readonly paused?: boolean;
  /** Whether the lock that was read last has expired, where the code asked for it. */
  readonly expired?: boolean;
}

export interface Reviewer {
  readonly setting: Setting;
  /** How often the code ran: once for each review that differs in more than names. */
  readonly runs: () => number;
  /** What the code called, by the names of the step table. */
  readonly called: ReadonlySet<string>;
  next(review: Review, now?: number): Promise<Progress>;
  /**
   * Whether it makes a difference, at a moment of the clock, that a replica has seen the lock before: it may have
   * expired by its own time anyway.
   */
  remembers(lock: LockRecord, since: number, clock: readonly number[]): boolean;
  /** The same without any reduction: with the answers of all attempts, and in the order in which they came. */
  run(review: Review, attempts: readonly (readonly Answer[])[], now?: number): Promise<Progress>;
}

export function createReviewer(code: Code, setting: Setting): Reviewer {
  const known = new Map<string, Progress>();
  const called = new Set<string>();
  /** By subject: the answers of an attempt that ended in a pause. Attempts share nothing, so each stands for all. */
  const blocked = new Map<string, readonly Answer[]>();
  const run = createRun(code, setting);
  const remembered = new Map<string, boolean>();
  return {
    setting,
    runs: () => known.size,
    called,
    run,
    remembers({ renewed }, since, clock) {
      const key = `${renewed} ${since}`;
      const differs = (moment: number) => {
        const lock = { renewed: EPOCH + renewed * 1000 } as Lock;
        const asked = { name: 'any', lock, now: EPOCH + Math.floor(moment) * 1000, clock: moment };
        return expiredBy(code, asked) !== expiredBy(code, asked, since);
      };
      const result = remembered.get(key) ?? clock.some((moment) => moment >= since && differs(moment));
      remembered.set(key, result);
      return result;
    },
    async next({ operation, name, value, user, uid, seen, last, answers }, now) {
      const subject = { operation, name, value, user, uid, seen };
      const local = renamed(JSON.stringify([subject, [last, answers], now]));
      let progress = known.get(local.text);
      if (progress === undefined) {
        const [own, [, ownAnswers]] = JSON.parse(local.text);
        const subjectKey = JSON.stringify(own);
        const before = last ? Array(code.ATTEMPTS - 1).fill(foreign(blocked.get(subjectKey), subjectKey)) : [];
        progress = await run({ ...own, last }, [...before, ownAnswers], now);
        for (const { what } of progress.pending) called.add(typeof what === 'number' ? 'get-claim' : what);
        if (progress.paused) called.add('pause');
        if (progress.expired !== undefined) called.add('expiry');
        known.set(local.text, progress);
        const isLate = ownAnswers.some(({ late }: Answer) => late);
        if (progress.paused && !isLate && !blocked.has(subjectKey))
          blocked.set(subjectKey, decided(ownAnswers, progress.expired));
      }
      if (progress.pending.length === 0) return progress;
      const back = new Map([...local.names].map(([from, to]) => [to, from]));
      const pending = JSON.stringify(progress.pending).replace(/~[ruaj]\d+/g, (token) => back.get(token) ?? token);
      return { ...progress, pending: JSON.parse(pending) };
    },
  };
}

/** The answers, with what was decided about the lock in the last one. */
export function decided(answers: readonly Answer[], expired: boolean | undefined): readonly Answer[] {
  const last = answers.at(-1);
  if (last === undefined || expired === undefined) return answers;
  return [...answers.slice(0, -1), { ...last, content: { ...last.content, expired } as Content }];
}

/** The answers of an earlier attempt, in which only the names of the subject mean what they mean now. */
function foreign(answers: readonly Answer[] | undefined, subject: string): readonly Answer[] {
  if (answers === undefined) throw new Error('no attempt was blocked before the last one');
  const text = JSON.stringify(answers).replace(/~([ruaj])(\d+)/g, (token, kind, count) =>
    subject.includes(`"${token}"`) ? token : `~${kind}x${count}`,
  );
  return JSON.parse(text);
}

interface Asked {
  readonly name: string;
  readonly lock: Lock;
  /** As the code has it. */
  readonly now: number;
  /** Of the replica, in seconds. */
  readonly clock: number;
}

/** Whether a lock has expired for a replica, which has perhaps seen it before. */
function expiredBy(code: Code, { name, lock, now, clock }: Asked, since = clock): boolean {
  let time = since * 1000;
  const expiry = code.createExpiry(() => time);
  if (since !== clock) expiry.hasExpired(name, lock, 0);
  time = clock * 1000;
  return expiry.hasExpired(name, lock, now);
}

/** muster's own clock is an hour ahead: no lock may depend on it. */
const LOCAL = EPOCH + 3_600_000;

function createRun(code: Code, setting: Setting): Reviewer['run'] {
  const translator = createTranslator(code, setting);
  const actions = new Map(setting.strict ? [['claim/clusterset-requires-id', { webhook: 'deny' as const }]] : []);
  const policy = { ...code.defaultPolicy, actions };
  const engine = code.createEngine({ policy, point: 'webhook', live: true, clock: () => LOCAL });
  const realNow = Date.now;

  return async (review, attempts, clock) => {
    const subject = translator.subjectOf(review);
    const lease = translator.leases(subject, review);
    const pending: Call[] = [];
    const end: { verdict?: Verdict; paused?: boolean; expired?: boolean } = {};
    const failures: unknown[] = [];
    const counts = new Map<unknown, number>();
    let attempt = 0;
    let late = false;
    let read: Extract<Content, { lease: unknown }> | undefined;
    const signal = Object.defineProperty({}, 'aborted', { get: () => late }) as AbortSignal;
    const timeout = () => Promise.reject(new code.ClusterError('timeout', 'no answer in time'));

    const call = (request: ApiRequest): Promise<ApiResponse> => {
      const bound = request.signal === signal;
      const what = translator.whatOf(request);
      const count = (counts.get(what) ?? 0) + 1;
      counts.set(what, count);
      const key = `${what}#${count}`;
      const answer = attempts[attempt]?.find((one) => one.key === key);
      if (answer === undefined) {
        const sent = what === 'put-lease' ? { lease: lease.recordOf(request.body as JsonObject) } : {};
        pending.push({ key, what, ...sent, ...(bound && { bound: 1 as const }) });
        return new Promise(() => {});
      }
      late ||= answer.late === 1;
      const { content } = answer;
      if ('put' in content) lease.sent(request.body as JsonObject, content.attempt);
      if ('lost' in content || ('put' in content && content.put === 'lost')) return timeout();
      if ('object' in content) return translator.objectAnswer(request, content.object);
      if ('put' in content && content.put === 'conflict')
        return Promise.reject(code.statusError(409, undefined, request));
      if ('lease' in content) {
        read = content;
        return Promise.resolve({ body: lease.bodyOf(content.lease), date: EPOCH + content.date * 1000 });
      }
      const body = lease.stored(request.body as JsonObject, content.version ?? '');
      return Promise.resolve({ body, date: EPOCH });
    };
    const pause = (): Promise<unknown> => {
      counts.clear();
      attempt += 1;
      if (attempt < attempts.length || review.last) return Promise.resolve();
      end.paused = true;
      return new Promise(() => {});
    };
    const hasExpired = (name: string, lock: Lock, now: number): boolean => {
      if (read?.expired !== undefined) return read.expired;
      if (clock === undefined) throw new Error('the code asks for the expiry of a lock that was read before');
      end.expired = expiredBy(code, { name, lock, now, clock });
      return end.expired;
    };
    Date.now = () => LOCAL;
    try {
      const client = { server: 'https://model', namespace: 'muster-system', close: () => {}, call };
      const state = code.createLiveClusterState({ client, expiry: { hasExpired }, pause });
      const verdict = Promise.resolve(state.evaluate(subject, engine, { at: LOCAL + 1e9, signal }));
      void verdict.then(
        ({ outcome }) => {
          end.verdict = outcome;
        },
        (error) => failures.push(error),
      );
      // All that has been resolved runs before the next turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
    } finally {
      Date.now = realNow;
    }
    if (failures.length > 0) throw failures[0];
    const isOver = end.verdict !== undefined || end.paused === true;
    if (!isOver && pending.length === 0)
      throw new Error(`the code waits for what is no step of the model, in ${JSON.stringify([review, attempts])}`);
    return { pending: isOver ? [] : pending, ...end };
  };
}
