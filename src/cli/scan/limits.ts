/** Limits the time, the calls and the objects of the scan of one cluster. */
import { getOrInsert } from '../../base/collections.ts';
import type { ApiClient, ApiResponse } from '../../cluster/live/client.ts';
import { LONG_PAUSES_MS, withRetries } from '../../cluster/live/client-wrappers.ts';
import { ClusterError, describeCommandReadError, isAnonymous, isConnectionError } from '../../cluster/live/errors.ts';
import { listAll, type Page, type PageConsumer } from '../../cluster/live/list.ts';
import type { InstallationPart } from '../../manifests/names.ts';
import type { ClusterView } from '../../rules/rule.ts';
import type { Scan } from './kind-scan.ts';

export interface LiveScan extends Scan {
  readonly client: ApiClient;
  /** The most objects of a page. */
  readonly pageSize: number;
  /** Ends the scan early. */
  readonly signal?: AbortSignal | undefined;
  /** The most milliseconds of the scan. */
  readonly timeoutMs: number;
  /** Whether a ClusterProfile leads to the cluster, and not the kubeconfig. */
  readonly isOfFleet?: boolean;
  /** Whether the findings will be written into the cluster. Default: no. */
  readonly writesFindings?: boolean | undefined;
  /** Called with the kind that is read, how many of its objects are evaluated, and how many remain if that is known. */
  readonly onProgress?: ((kind: string, count: number, remaining: number | undefined) => void) | undefined;
  /** Returns how to ask the hub of the registrar what a cluster holds there. Default: no hub is asked. */
  readonly reserveFor?: ((client: ApiClient) => ClusterView['reserve']) | undefined;
}

/** A scan within the limits of its cluster. */
export interface LimitedScan extends LiveScan {
  /** Makes the calls of discovery, each once. */
  readonly discovery: Pick<ApiClient, 'call'>;
  /** Passes every page of a list to the consumer. @throws ClusterError if a page can't be read, or beyond the limits */
  readonly list: (path: string, consumer: PageConsumer) => Promise<void>;
}

/** The most objects of one cluster: a list without an end must not fill the memory. */
const MOST_OBJECTS = 500_000;

/** Returns the scan with a client whose calls end when the time of the cluster is up. */
export function withLimits(scan: LiveScan): LimitedScan {
  const { client: limited, signal } = withinTime(scan.client, scan, 'was not read to its end');
  let hasAnswered = false;
  const call: ApiClient['call'] = async (request) => {
    const answer = await limited.call(request);
    hasAnswered = true;
    return answer;
  };
  const client = { ...limited, call };
  /** The objects of all lists, evaluated or not. */
  let objects = 0;
  return {
    ...scan,
    client,
    discovery: onceEach(untilUnreachable(withRetries({ call }, { pauses: LONG_PAUSES_MS }).call, () => hasAnswered)),
    async list(path, { begin, take }) {
      let own = 0;
      const restart = () => {
        objects -= own;
        own = 0;
        begin();
      };
      const count = (page: Page) => {
        own += page.items.length;
        objects += page.items.length;
        if (objects <= MOST_OBJECTS) return take(page);
        const message = `the cluster has more than ${MOST_OBJECTS} objects, or its lists have no end`;
        throw new ClusterError('unreadable', message);
      };
      await listAll(client, { path, pageSize: scan.pageSize, signal }, { begin: restart, take: count });
    },
  };
}

/**
 * Returns a client whose calls end at the signal and when the time is up, which begins now, and the signal of both.
 * @param failure what the API server did not do in time, for the error
 */
export function withinTime(
  client: ApiClient,
  { signal, timeoutMs }: Pick<LiveScan, 'signal' | 'timeoutMs'>,
  failure: string,
): { readonly client: ApiClient; readonly signal: AbortSignal } {
  const limit = AbortSignal.timeout(timeoutMs);
  const all = signal ? AbortSignal.any([signal, limit]) : limit;
  const call: ApiClient['call'] = async (request) => {
    try {
      return await client.call({ ...request, signal: all });
    } catch (error) {
      if (!limit.aborted) throw error;
      const message = `${client.server} ${failure} within ${timeoutMs / 1000} s (--timeout)`;
      throw new ClusterError('timeout', message, { cause: error });
    }
  };
  return { client: { ...client, call }, signal: all };
}

/** The kinds of a group share the answers of discovery: a group that is not served costs one. */
function onceEach(call: ApiClient['call']): Pick<ApiClient, 'call'> {
  const answers = new Map<string, Promise<ApiResponse>>();
  return { call: (request) => getOrInsert(answers, request.path, () => call(request)) };
}

/** After a connection error, a cluster that never answered is not asked for each group: that takes seconds each. */
function untilUnreachable(call: ApiClient['call'], hasAnswered: () => boolean): ApiClient['call'] {
  let failed: ClusterError | undefined;
  return async (request) => {
    if (failed && !hasAnswered()) throw failed;
    try {
      return await call(request);
    } catch (error) {
      if (error instanceof ClusterError && isConnectionError(error)) failed = error;
      throw error;
    }
  };
}

/**
 * Returns why a kind could not be listed, and the fix.
 * @param part of the manifests that gives the right
 */
export function listError(
  { isOfFleet }: LiveScan,
  kind: string,
  error: ClusterError,
  part: InstallationPart = 'scan',
): string {
  const { code, message } = error;
  const isUnknown = code === 'unauthorized' || isAnonymous(error);
  if (isOfFleet && isUnknown) return 'the API server does not know the credentials of the exec plugin';
  if (isOfFleet && code === 'unreachable')
    return `${message}: is it up, and are the access data in its ClusterProfile right?`;
  if (isUnknown || code === 'unreachable') return describeCommandReadError('list', kind, error);
  return code === 'forbidden'
    ? `${message}: give the right to list ${kind} (muster manifests --only ${part})`
    : message;
}
