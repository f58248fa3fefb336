/** Lists in pages, from a client that answers as an API server may. */
import { describe, expect, test } from '@jest/globals';
import type { Json, JsonObject } from '../../../../src/base/json.ts';
import type { ApiClient, ApiRequest } from '../../../../src/cluster/live/client.ts';
import { ClusterError, type ClusterErrorCode } from '../../../../src/cluster/live/errors.ts';
import { listAll, type Page } from '../../../../src/cluster/live/list.ts';

const PATH = '/apis/g/v1/things';

type Answer = (query: URLSearchParams, request: ApiRequest, call: number) => JsonObject;

function clientOf(answer: Answer): { client: ApiClient; queries: URLSearchParams[] } {
  const queries: URLSearchParams[] = [];
  const call: ApiClient['call'] = async (request) => {
    const query = new URL(request.path, 'http://localhost').searchParams;
    queries.push(query);
    const body = answer(query, request, queries.length);
    return { body, bytes: JSON.stringify(body).length, date: undefined };
  };
  return { client: { server: '', namespace: '', call, close: () => undefined }, queries };
}

/** Serves `total` objects, each with `more`. */
function serving(total: number, more: JsonObject = {}): Answer {
  return (query) => {
    const from = Number(query.get('continue') ?? 0);
    const to = Math.min(total, from + Number(query.get('limit')));
    const items = names(to)
      .slice(from)
      .map((name) => ({ metadata: { name }, ...more }));
    const rest = to < total ? { continue: String(to), remainingItemCount: total - to } : {};
    return { metadata: { resourceVersion: '1', ...rest }, items };
  };
}

function collector() {
  const found = { beginnings: 0, names: [] as string[], remaining: [] as (number | undefined)[] };
  return {
    found,
    begin() {
      found.beginnings++;
      found.names = [];
    },
    take({ items, remaining }: Page) {
      for (const object of items) found.names.push(String((object['metadata'] as JsonObject)['name']));
      found.remaining.push(remaining);
    },
  };
}

const failure = (code: ClusterErrorCode, status?: number) =>
  new ClusterError(code, 'as it is', status === undefined ? {} : { status });
const names = (total: number) => Array.from({ length: total }, (_, index) => `o-${index}`);
const limits = (queries: readonly URLSearchParams[]) => queries.map((query) => Number(query.get('limit')));

test.each<[string, (query: URLSearchParams) => JsonObject, string]>([
  ['leads to itself', () => ({ metadata: { continue: 'a' }, items: [] }), 'a page leads to an earlier one'],
  [
    'leads to one before the last',
    (query) => ({ metadata: { continue: query.get('continue') === 'a' ? 'b' : 'a' }, items: [] }),
    'a page leads to an earlier one',
  ],
  ['has no items', () => ({ kind: 'Status', status: 'Success' }), 'the answer is not a list'],
])('a page that %s is an error', async (_, answer, message) => {
  const { client } = clientOf(answer);
  const read = listAll(client, { path: PATH, signal: AbortSignal.timeout(10) }, collector());
  await expect(read).rejects.toMatchObject({ code: 'unreadable', message: expect.stringContaining(message) });
});

test.each([
  ['without objects', [], 5001],
  ['of objects', Array.from({ length: 500 }, () => ({})), 1001],
])('a list %s that never ends is an error', async (_, items, pages) => {
  let answers = 0;
  const { client } = clientOf(() => ({ metadata: { continue: `page ${++answers}` }, items }));
  const read = listAll(client, { path: PATH }, { begin: () => {}, take: () => {} });
  await expect(read).rejects.toMatchObject({ code: 'unreadable', message: expect.stringContaining('does not end') });
  expect(answers).toBe(pages);
});

describe('a list', () => {
  test('has all objects once and in order; its first page is small', async () => {
    const { client, queries } = clientOf(serving(1200));
    const consumer = collector();
    await listAll(client, { path: PATH, selector: 'a=b' }, consumer);
    expect(consumer.found).toEqual({ beginnings: 1, names: names(1200), remaining: [1100, 600, 100, undefined] });
    expect(limits(queries)).toEqual([100, 500, 500, 500]);
    expect(queries.every((query) => query.get('labelSelector') === 'a=b')).toBe(true);
    // With a resourceVersion an API server might answer from a cache.
    expect(queries.some((query) => query.has('resourceVersion'))).toBe(false);
  });

  test('of large objects has small pages', async () => {
    const { client, queries } = clientOf(serving(300, { spec: { value: 'x'.repeat(100_000) } }));
    await listAll(client, { path: PATH }, collector());
    expect(Math.max(...limits(queries.slice(1)))).toBeLessThanOrEqual(10);
  });

  const list300 = serving(300);
  const failingWhen =
    (error: ClusterError, when: (call: number, query: URLSearchParams) => boolean): Answer =>
    (query, request, call) => {
      if (when(call, query)) throw error;
      return list300(query, request, call);
    };

  test.each<[string, ClusterError, number, readonly number[]]>([
    ['begins again where the history is gone', failure('unavailable', 410), 2, [100, 100, 100, 100, 100]],
    ['goes on after unreachable, with a smaller page', failure('unreachable'), 1, [100, 100, 50, 50, 100]],
    ['goes on after timeout', failure('timeout'), 1, [100, 100, 50, 50, 100]],
  ])('%s; earlier pages count once', async (_, error, beginnings, expected) => {
    const { client, queries } = clientOf(failingWhen(error, (call) => call === 2));
    const consumer = collector();
    await listAll(client, { path: PATH, pageSize: 100 }, consumer);
    expect([consumer.found.beginnings, consumer.found.names]).toEqual([beginnings, names(300)]);
    expect(limits(queries)).toEqual(expected);
  });

  test('begins four times at most', async () => {
    const { client } = clientOf(failingWhen(failure('unavailable', 410), (_, query) => query.has('continue')));
    const consumer = collector();
    const listing = listAll(client, { path: PATH, pageSize: 100 }, consumer);
    await expect(listing).rejects.toThrow(/4 times over; give a larger --page-size/);
    expect(consumer.found.beginnings).toBe(4);
  });

  test('fails with an error that stays, after smaller and smaller pages', async () => {
    const { client, queries } = clientOf(() => {
      throw failure('unavailable');
    });
    await expect(listAll(client, { path: PATH, pageSize: 100 }, collector())).rejects.toThrow('as it is');
    expect(limits(queries)).toEqual([100, 50, 25, 12]);
  });
});

test.each<[string, Json]>([
  ['a number', 1],
  ['null', null],
  ['a list', []],
])('a list in which one object is %s is not taken as complete', async (_, odd) => {
  const { client } = clientOf(() => ({ metadata: {}, items: [{ metadata: { name: 'a' } }, odd] }));
  await expect(listAll(client, { path: PATH }, collector())).rejects.toMatchObject({ code: 'unreadable' });
});

test('a list that is null, as Go encodes an empty one, has no objects', async () => {
  const { client } = clientOf(() => ({ metadata: {}, items: null }));
  const consumer = collector();
  await listAll(client, { path: PATH }, consumer);
  expect(consumer.found.names).toEqual([]);
});

test('a token that is no string: the list is not taken as complete', async () => {
  const { client } = clientOf(() => ({ metadata: { continue: 5 }, items: [] }));
  await expect(listAll(client, { path: PATH }, collector())).rejects.toMatchObject({ code: 'unreadable' });
});
