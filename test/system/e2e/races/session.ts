/** A review in muster, with a hook before each call that it makes to a real API server. */
import type { ServerResponse } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import type { ApiClient, ApiRequest, ApiResponse } from '../../../../src/cluster/live/client.ts';
import type { Engine } from '../../../../src/engine/index.ts';
import type { Subject } from '../../../../src/rules/rule.ts';
import type { Code } from '../../model/lock/code.ts';
import { EPOCH } from '../../model/lock/translator.ts';

/** One review in muster: the code under test with its calls held back, until a step lets one through. */
export interface Session {
  /** Calls that wait, by the names that the model gives them. */
  readonly pending: ReadonlyMap<string, Held>;
  readonly verdict: string | undefined;
  /** The caller has ended the request. */
  late: boolean;
  /** Goes through the attempts that are alike, up to the last. */
  toLast(): void;
  /** Ends a pause between two attempts. */
  again(): void;
  readonly paused: boolean;
  /** Answers the API server. */
  answer(allowed: boolean, status: number): void;
  /** Breaks the connection. */
  cut(): void;
  /** Answers that the API server shall ask again, as a proxy does that has lost the answer. */
  askAgain(): void;
}

interface Held {
  /** Makes the call, and passes its answer on. */
  pass(): Promise<void>;
  /** Makes the call, if asked for, and tells the code that there was no answer in time. */
  lose(isMade: boolean): Promise<void>;
  /** Makes the call for nobody. */
  make(): Promise<unknown>;
}

export interface SessionOptions {
  readonly code: Code;
  readonly client: ApiClient;
  readonly engine: Engine;
  readonly expiry: ReturnType<Code['createExpiry']>;
  readonly subject: Subject;
  /** The API server's clock, in seconds since the model's beginning. */
  readonly seconds: () => number;
  readonly whatOf: (request: ApiRequest) => unknown;
  readonly reply: { readonly uid: string; readonly response: ServerResponse };
}

export function startSession(options: SessionOptions): Session {
  const { code, client, engine, expiry, subject, seconds, whatOf, reply } = options;
  const pending = new Map<string, Held>();
  const counts = new Map<unknown, number>();
  let attempt = 1;
  let isFree = false;
  let resume: (() => void) | undefined;
  let verdict: string | undefined;
  const signal = Object.defineProperty({}, 'aborted', { get: () => session.late }) as AbortSignal;
  const make = async ({ signal: _, timeoutMs: __, ...request }: ApiRequest): Promise<ApiResponse> => {
    try {
      return { ...(await client.call(request)), date: EPOCH + Math.floor(seconds()) * 1000 };
    } catch (error) {
      // The code under test may be a copy, with an error class of its own.
      const { code: kind, message, status, absent } = error as InstanceType<Code['ClusterError']>;
      throw new code.ClusterError(kind, message, { ...(status && { status }), ...(absent && { absent }) });
    }
  };
  const call = (request: ApiRequest): Promise<ApiResponse> => {
    if (isFree && attempt < code.ATTEMPTS)
      return request.method === 'PUT' ? Promise.reject(code.statusError(409, undefined, request)) : make(request);
    const what = whatOf(request);
    const count = (counts.get(what) ?? 0) + 1;
    counts.set(what, count);
    const key = `${what}#${count}`;
    return new Promise((resolve, reject) => {
      const timeout = () => reject(new code.ClusterError('timeout', 'no answer in time'));
      pending.set(key, {
        async pass() {
          pending.delete(key);
          await make(request).then(resolve, reject);
          await turn();
        },
        async lose(isMade) {
          pending.delete(key);
          if (isMade) await make(request);
          timeout();
          await turn();
        },
        make: () => make(request).catch(() => undefined),
      });
    });
  };
  const pause = async (): Promise<void> => {
    counts.clear();
    attempt += 1;
    if (isFree) return;
    await new Promise<void>((resolve) => {
      resume = resolve;
    });
  };
  const session = {
    pending,
    late: false,
    get verdict() {
      return verdict;
    },
    get paused() {
      return resume !== undefined;
    },
    toLast() {
      isFree = true;
      session.again();
    },
    again() {
      resume?.();
      resume = undefined;
    },
    answer(allowed: boolean, status: number) {
      const body = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' };
      reply.response.end(JSON.stringify({ ...body, response: { uid: reply.uid, allowed, status: { code: status } } }));
    },
    cut: () => void reply.response.destroy(),
    askAgain: () => void reply.response.writeHead(503, { 'retry-after': '1' }).end(),
  };
  const state = code.createLiveClusterState({ client: { ...client, call }, expiry, pause });
  const deadline = { at: Date.now() + 1e9, signal };
  void Promise.resolve(state.evaluate(subject, engine, deadline)).then(({ outcome }) => {
    verdict = outcome;
  });
  return session;
}
