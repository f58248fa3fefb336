/** The *live* ClusterView: consistent reads by name, for one request, within its time. No cache, and never a guess. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dialect } from '../../api/dialects.ts';
import type { Deadline } from '../../engine/cluster-state.ts';
import type { Answer, ClusterView, JsonObject, Reference } from '../../rules/rule.ts';
import { expectObject } from './answer.ts';
import type { ApiClient, ApiRequest, ApiResponse } from './client.ts';
import { ClusterError } from './errors.ts';
import type { LiveObserver } from './observer.ts';
import { isWellKnown, newestOf, pathOf } from './paths.ts';
import { whyUnread } from './remedy.ts';

export interface LiveViewOptions extends Deadline {
  readonly client: ApiClient;
  readonly observer: LiveObserver;
  /** The version of the API to read a dialect in. Default: the newest known. */
  readonly version?: (dialect: Dialect) => string;
}

type Answers = Answer<JsonObject | undefined>;

/** Bytes of one object: 1.5 MiB can be stored, and escaping makes six of one. */
const MOST_BYTES = 16 * 1024 * 1024;
/** Pause before the one repetition of a read that broke: an API server that restarts takes longer anyway. */
const PAUSE_MS = 50;
const WORTH_REPEATING: readonly string[] = ['unreachable', 'unavailable', 'unreadable'];

/** Each object is read once: all that looks through one view sees the same. */
export function createLiveView(options: LiveViewOptions): ClusterView {
  const seen = new Map<string, Promise<Answers>>();
  return {
    get(reference) {
      const key = `${reference.dialect.name} ${reference.name}`;
      const answer = seen.get(key) ?? read(options, reference);
      seen.set(key, answer);
      return answer;
    },
    list: async ({ kind }) => ({ known: false, reason: `other ${kind} objects are compared by scan` }),
  };
}

/** A view that knows nothing: what is found through it stands in the object alone. */
export const blindView: ClusterView = {
  get: async () => ({ known: false, reason: 'not looked at' }),
  list: async () => ({ known: false, reason: 'not looked at' }),
};

/** A call within the time that is left. @throws ClusterError */
export function callWithin(
  client: ApiClient,
  { at, signal }: Deadline,
  request: Omit<ApiRequest, 'signal' | 'timeoutMs'>,
): Promise<ApiResponse> {
  return client.call({ mostBytes: MOST_BYTES, ...request, signal, timeoutMs: at - Date.now() });
}

async function read(options: LiveViewOptions, reference: Reference): Promise<Answers> {
  const { dialect, name } = reference;
  const what = `${dialect.plural} "${name}" (${dialect.group})`;
  if (!isWellKnown(dialect, name)) return { known: false, reason: `${what} is nothing muster reads in a cluster` };
  const path = pathOf(reference, options.version?.(dialect) ?? newestOf(dialect));
  try {
    const { body } = await readTwice(options, path);
    const value = expectObject(body, { group: dialect.group, kind: dialect.kind, name });
    options.observer.read('found');
    return { known: true, value };
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    options.observer.read(outcomeOf(error));
    if (error.absent === 'object') return { known: true, value: undefined };
    return { known: false, reason: whyUnread(what, error) };
  }
}

async function readTwice(options: LiveViewOptions, path: string): Promise<ApiResponse> {
  try {
    return await callWithin(options.client, options, { method: 'GET', path });
  } catch (error) {
    const again = error instanceof ClusterError && WORTH_REPEATING.includes(error.code);
    if (!again || options.signal.aborted || Date.now() + PAUSE_MS >= options.at) throw error;
    await sleep(PAUSE_MS);
    return callWithin(options.client, options, { method: 'GET', path });
  }
}

function outcomeOf({ absent, code }: ClusterError) {
  if (absent === undefined) return code;
  return absent === 'object' ? 'absent' : 'no-kind';
}
