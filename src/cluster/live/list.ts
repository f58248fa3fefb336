/**
 * Lists all objects of a kind, page by page. The pages are one consistent list; if the API server no longer has its
 * resource version (410), the list begins again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { at, type JsonObject } from '../../base/json.ts';
import { type ApiClient, type ApiResponse, expectList } from './client.ts';
import { LONG_PAUSES_MS } from './client-wrappers.ts';
import { ClusterError, isRetryable, onlyClusterErrors } from './errors.ts';

interface ListOptions {
  /** Such as `/apis/multicluster.x-k8s.io/v1alpha1/clusterclaims`. */
  readonly path: string;
  /** The most objects of a page; default 500. If objects are large, pages have fewer. */
  readonly pageSize?: number;
  /** By labels, such as `a=b,c=d`. */
  readonly selector?: string;
  readonly signal?: AbortSignal | undefined;
  /** When the calls of the client end, in milliseconds since the epoch: no page is asked for again after it. */
  readonly end?: number;
}

export interface Page {
  readonly items: readonly JsonObject[];
  /** The number of objects after this page; undefined if the API server does not say. */
  readonly remaining: number | undefined;
}

export interface PageConsumer {
  /** A list begins, for the first time or again. Earlier pages are to be discarded. */
  begin(): void;
  take(page: Page): Promise<void> | void;
}

/**
 * Passes every page to the consumer.
 * @throws ClusterError if a page can't be read; then the list is incomplete
 */
export async function listAll(client: ApiClient, options: ListOptions, consumer: PageConsumer): Promise<void> {
  for (let beginnings = 1; ; beginnings++) {
    consumer.begin();
    try {
      return await listOnce(client, options, consumer);
    } catch (error) {
      if (!(error instanceof ClusterError) || error.status !== GONE) throw error;
      if (beginnings < MAX_BEGINNINGS) continue;
      const message =
        `GET ${options.path}: the list took longer than the API server keeps its history, ${MAX_BEGINNINGS} times ` +
        'over; give a larger --page-size';
      throw new ClusterError('unavailable', message, { status: GONE, cause: error });
    }
  }
}

/** Returns what `map` makes of all objects. @throws ClusterError if a page can't be read */
export async function collectAll<T>(
  client: ApiClient,
  options: ListOptions,
  map: (object: JsonObject) => T | readonly T[],
): Promise<T[]> {
  const found: T[] = [];
  await listAll(client, options, {
    begin: () => void found.splice(0),
    take: ({ items }) => {
      for (const one of items.flatMap(map)) found.push(one);
    },
  });
  return found;
}

const GONE = 410;
const MAX_BEGINNINGS = 4;
/** The API server aborts a list after a minute. */
const TIMEOUT_MS = 65_000;
/** The target size of a page, in bytes: parsed, it takes several times as much memory. */
const PAGE_BYTES = 1_000_000;
/**
 * The largest page that is accepted, in bytes. A larger one is requested again with fewer objects, each of at most 1.5
 * MB.
 */
const MOST_BYTES = 32 * 1024 * 1024;
/** The most objects of the first page, before their size is known. */
const FIRST_PAGE = 100;
/**
 * The most objects of a list: one without an end must not fill the memory. An empty page that leads to another, which
 * no API server is known to send, counts as many objects.
 */
const MOST_OBJECTS = 500_000;
const EMPTY_PAGE = 100;

async function listOnce(client: ApiClient, options: ListOptions, { take }: PageConsumer): Promise<void> {
  const { pageSize = 500 } = options;
  let limit = Math.min(pageSize, FIRST_PAGE);
  let token = '';
  let taken = 0;
  const tokens = new Set<string>();
  do {
    const { response, asked } = await onePage(client, options, limit, token);
    const { body, bytes } = response;
    const items = expectList(body, options.path);
    const remaining = at(body, ['metadata', 'remainingItemCount']);
    await take({ items, remaining: typeof remaining === 'number' ? remaining : undefined });
    token = tokenOf(body, options.path);
    taken += items.length || EMPTY_PAGE;
    if (taken > MOST_OBJECTS || tokens.has(token)) {
      const why = `it has more than ${MOST_OBJECTS} objects, or a page leads to an earlier one`;
      throw new ClusterError('unreadable', `${options.path}: the list does not end: ${why}`);
    }
    tokens.add(token);
    const fitting = bytes === undefined ? pageSize : Math.floor((PAGE_BYTES * items.length) / bytes);
    // After a page that had to be made smaller, the next one has the same size.
    limit = asked < limit ? asked : Math.max(1, Math.min(pageSize, fitting));
  } while (token !== '');
}

/** Returns the token of the next page; empty after the last one. @throws ClusterError if that can't be told */
function tokenOf(body: JsonObject, path: string): string {
  const token = at(body, ['metadata', 'continue']) ?? '';
  if (typeof token === 'string') return token;
  throw new ClusterError('unreadable', `GET ${path}: metadata.continue is not a string; is a proxy in between?`);
}

/** Reads one page. Repeats failures that may be temporary, each time with a smaller page, in case it was too large. */
async function onePage(
  client: ApiClient,
  { path, selector, signal, end = Number.POSITIVE_INFINITY }: ListOptions,
  limit: number,
  token: string,
): Promise<{ response: ApiResponse; asked: number }> {
  let asked = limit;
  for (let attempt = 0; ; attempt++) {
    const query = new URLSearchParams({ limit: String(asked) });
    if (selector !== undefined) query.set('labelSelector', selector);
    if (token !== '') query.set('continue', token);
    try {
      const response = await client.call({
        method: 'GET',
        path: `${path}?${query}`,
        timeoutMs: TIMEOUT_MS,
        mostBytes: MOST_BYTES,
        signal,
      });
      return { response, asked };
    } catch (error) {
      const failure = onlyClusterErrors(error);
      const pause = LONG_PAUSES_MS[attempt];
      if (!isRetryablePage(failure) || pause === undefined || signal?.aborted) throw error;
      if (Date.now() + pause >= end) throw error;
      await sleep(pause, undefined, { signal }).catch(() => undefined);
      asked = Math.max(1, Math.floor(asked / 2));
    }
  }
}

function isRetryablePage(failure: ClusterError): boolean {
  return failure.status !== GONE && (isRetryable(failure) || failure.code === 'timeout');
}
