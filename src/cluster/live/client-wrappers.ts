/** Adds to a client what a plain call does not have: a deadline, repeats, an observer. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Deadline } from '../../engine/cluster-state.ts';
import type { ApiClient, ApiRequest, ApiResponse } from './client.ts';
import { ClusterError, isRetryable } from './errors.ts';

/** The most bytes of one object: 1.5 MiB can be stored, and JSON escapes may take six bytes for one. */
export const MOST_BYTES_OF_OBJECT = 16 * 1024 * 1024;

/** Returns a request that ends at the deadline. By default, its answer may have the size of one object. */
export function withDeadline(request: ApiRequest, deadline: Deadline): ApiRequest {
  return { mostBytes: MOST_BYTES_OF_OBJECT, ...request, signal: deadline.signal, timeoutMs: deadline.at - Date.now() };
}

/** Returns a client whose calls end at the deadline. */
export function boundTo(client: ApiClient, deadline: Deadline): ApiClient {
  return { ...client, call: (request) => client.call(withDeadline(request, deadline)) };
}

/** Milliseconds before a call is repeated: short, since no request has the time for the restart of an API server. */
const SHORT_PAUSES_MS: readonly number[] = [50];
/** The same for commands, which have no deadline. */
export const LONG_PAUSES_MS: readonly number[] = [250, 1000, 3000];

interface RetryOptions {
  /** The milliseconds before each repeat. Default: one short pause. */
  readonly pauses?: readonly number[];
  /** Which failures are repeated. Default: those that may be temporary. */
  readonly when?: (failure: ClusterError) => boolean;
}

/**
 * Returns a client that repeats a failed call after each pause, if there is time. These are all repeats of calls, of
 * which a call has the first and at most one of the others:
 *
 *   1. every call, once and at once (`openAccess` in client.ts): if the credentials are refused, which are then loaded
 *      anew, or if the API server has closed the idle connection
 *   2. here, after a short pause: reads of a request, but not of referenced objects (live-view.ts); reads of
 *      `check --live` and of a registrar's member, but not lists (reader.ts); the uid of that member (registrar.ts)
 *   3. here, after long pauses: discovery by `scan` (limits.ts) and of a fleet (profiles.ts); writes of a scan's
 *      findings, but only those that are refused (write-findings.ts)
 *   4. every list, after long pauses, with smaller pages (list.ts)
 *
 * Locks and reservations repeat no call, but whole attempts, each with new reads: `evaluateIdentityWrite`,
 * `releaseOnDelete`, `reserve`.
 */
export function withRetries<Client extends Pick<ApiClient, 'call'>>(
  client: Client,
  options: RetryOptions = {},
): Client {
  const { pauses = SHORT_PAUSES_MS, when = isRetryable } = options;
  const call: ApiClient['call'] = async (request) => {
    const { signal, timeoutMs = Number.POSITIVE_INFINITY } = request;
    const end = Date.now() + timeoutMs;
    for (let repeats = 0; ; repeats++) {
      const left = Number.isFinite(end) && repeats > 0 && { timeoutMs: end - Date.now() };
      try {
        return await client.call({ ...request, ...left });
      } catch (error) {
        const pause = pauses[repeats];
        if (!(error instanceof ClusterError && when(error)) || signal?.aborted) throw error;
        if (pause === undefined || Date.now() + pause >= end) throw error;
        await sleep(pause, undefined, { signal }).catch(() => undefined);
      }
    }
  };
  return { ...client, call };
}

/** The RBAC verbs of HTTP methods. */
const VERBS = { GET: 'get', POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' } as const;

/** Returns a client that calls `onCall` at the end of each call. `outcome` is `ok` or the code of a ClusterError. */
export function observeCalls(
  client: ApiClient,
  onCall: (verb: string, outcome: string, milliseconds: number) => void,
): ApiClient {
  const call = async (request: ApiRequest): Promise<ApiResponse> => {
    const start = performance.now();
    let outcome = 'ok';
    try {
      return await client.call(request);
    } catch (error) {
      outcome = error instanceof ClusterError ? error.code : 'error';
      throw error;
    } finally {
      onCall(VERBS[request.method], outcome, performance.now() - start);
    }
  };
  return { ...client, call };
}
