/**
 * All objects of a kind, page by page: each page is handed on and let go. The pages are one consistent list, that of the
 * moment of the first; where the API server has forgotten that moment (410), the list begins anew.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { at, textAt } from '../../rules/json.ts';
import type { JsonObject } from '../../rules/rule.ts';
import { type ApiClient, asJson } from './client.ts';
import { ClusterError } from './errors.ts';
import { type ListPage, pageOf, splitPage } from './list-page.ts';

export interface Listing {
  /** Such as `/apis/multicluster.x-k8s.io/v1alpha1/clusterclaims`. */
  readonly path: string;
  /** Objects of a page at most. Fewer are asked for where they are large. */
  readonly pageSize: number;
  /** Of labels, such as `a=b,c=d`. */
  readonly selector?: string;
  readonly signal?: AbortSignal | undefined;
}

export interface Page {
  /** Each is parsed when it is its turn. @throws ClusterError on the way, where one can't be */
  readonly items: Iterable<JsonObject>;
  /** How many the API server says are still to come; undefined where it does not say. */
  readonly remaining: number | undefined;
}

export interface Reader {
  /** A list begins, the first or one anew: what was read before counts no more. */
  begin(): void;
  /** The next page. */
  take(page: Page): Promise<void>;
}

/** Lists all. @throws ClusterError where a page can't be had; what was handed on by then is a part of the whole */
export async function listAll(client: ApiClient, listing: Listing, reader: Reader): Promise<void> {
  for (let beginnings = 1; ; beginnings++) {
    reader.begin();
    try {
      return await follow(client, listing, reader);
    } catch (error) {
      if (!(error instanceof ClusterError) || error.status !== GONE) throw error;
      if (beginnings >= MOST_BEGINNINGS) throw tooSlow(listing, error);
    }
  }
}

const GONE = 410;
const MOST_BEGINNINGS = 4;
/** The API server ends a list after a minute. */
const PATIENCE_MS = 65_000;
/** Bytes that a page is aimed at. */
const PAGE_AIM = 4_000_000;
/** Before anything is known of their size. */
const FIRST_PAGE = 100;
const PAUSES_MS: readonly number[] = [250, 1000, 3000];
const MAY_HEAL: readonly string[] = ['unreachable', 'timeout', 'unavailable', 'unreadable'];

async function follow(client: ApiClient, listing: Listing, reader: Reader): Promise<void> {
  let limit = Math.min(listing.pageSize, FIRST_PAGE);
  let token = '';
  do {
    const { page, asked } = await onePage(client, listing, limit, token);
    const remaining = at(page.list, ['metadata', 'remainingItemCount']);
    await reader.take({ items: page.items, remaining: typeof remaining === 'number' ? remaining : undefined });
    token = textAt(page.list, ['metadata', 'continue']) ?? '';
    // What made a page too long to be had is as long in the next.
    limit = asked < limit ? asked : nextLimit(listing.pageSize, page);
  } while (token !== '');
}

function nextLimit(pageSize: number, { size, count }: ListPage): number {
  const fitting = count === 0 ? pageSize : Math.floor((PAGE_AIM * count) / size);
  return Math.max(1, Math.min(pageSize, fitting));
}

/** Tries again what may heal, with a smaller page each time: one reason is that a page is too much. */
async function onePage(
  client: ApiClient,
  { path, selector, signal }: Listing,
  limit: number,
  token: string,
): Promise<{ page: ListPage; asked: number }> {
  let asked = limit;
  for (const pause of [...PAUSES_MS, undefined]) {
    const query = new URLSearchParams({ limit: String(asked) });
    if (selector !== undefined) query.set('labelSelector', selector);
    if (token !== '') query.set('continue', token);
    try {
      return { page: await read(client, `${path}?${query}`, signal), asked };
    } catch (error) {
      const again = error instanceof ClusterError && error.status !== GONE && MAY_HEAL.includes(error.code);
      if (!again || pause === undefined || signal?.aborted) throw error;
      await sleep(pause);
      asked = Math.max(1, Math.floor(asked / 2));
    }
  }
  throw new Error('unreachable: the last attempt returns or throws');
}

async function read(client: ApiClient, path: string, signal: AbortSignal | undefined): Promise<ListPage> {
  let page: ListPage | undefined;
  const split = (bytes: Buffer) => {
    page = splitPage(bytes);
    return page?.list ?? asJson(bytes);
  };
  const { body } = await client.call({
    method: 'GET',
    path,
    timeoutMs: PATIENCE_MS,
    read: split,
    ...(signal && { signal }),
  });
  return page ?? pageOf(body);
}

function tooSlow({ path }: Listing, cause: ClusterError): ClusterError {
  const message = `GET ${path}: the list took longer than the API server keeps its history, ${MOST_BEGINNINGS} times over; give a larger --page-size`;
  return new ClusterError('unavailable', message, { status: GONE, cause });
}
