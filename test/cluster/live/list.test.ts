/** Lists in pages, from a client that answers as an API server may. */
import { describe, expect, jest, test } from '@jest/globals';
import { clusterProfile } from '../../../src/api/dialects.ts';
import type { ApiClient, ApiRequest } from '../../../src/cluster/live/client.ts';
import { servedVersion } from '../../../src/cluster/live/discovery.ts';
import { ClusterError, type ClusterErrorCode } from '../../../src/cluster/live/errors.ts';
import { listAll } from '../../../src/cluster/live/list.ts';
import { sizeOf } from '../../../src/cluster/live/list-size.ts';
import { collectionPath } from '../../../src/cluster/live/paths.ts';
import type { Json, JsonObject } from '../../../src/rules/rule.ts';

// Pauses before another attempt are seconds.
jest.setTimeout(30_000);
const PATH = '/apis/g/v1/things';

type Answer = (query: URLSearchParams, request: ApiRequest, call: number) => JsonObject;

function clientOf(answer: Answer): { client: ApiClient; queries: URLSearchParams[] } {
  const queries: URLSearchParams[] = [];
  const call: ApiClient['call'] = async (request) => {
    const query = new URL(request.path, 'http://localhost').searchParams;
    queries.push(query);
    return { status: 200, body: answer(query, request, queries.length), date: undefined };
  };
  return { client: { server: '', namespace: '', call, close: () => undefined }, queries };
}

/** Serves `total` objects, each with `more`. */
function serving(total: number, more: JsonObject = {}): Answer {
  return (query) => {
    const from = Number(query.get('continue') ?? 0);
    const to = Math.min(total, from + Number(query.get('limit')));
    const items = Array.from({ length: to - from }, (_, index) => ({
      metadata: { name: `o-${from + index}` },
      ...more,
    }));
    const rest = to < total ? { continue: String(to), remainingItemCount: total - to } : {};
    return { metadata: { resourceVersion: '1', ...rest }, items };
  };
}

function reading() {
  const read = { begun: 0, names: [] as string[], remaining: [] as (number | undefined)[] };
  return {
    read,
    begin() {
      read.begun++;
      read.names = [];
    },
    async take({
      items,
      remaining,
    }: {
      readonly items: readonly JsonObject[];
      readonly remaining: number | undefined;
    }) {
      read.names.push(...items.map(({ metadata }) => String((metadata as JsonObject)['name'])));
      read.remaining.push(remaining);
    },
  };
}

const failing = (code: ClusterErrorCode, status?: number) =>
  new ClusterError(code, 'as it is', status === undefined ? {} : { status });
const names = (total: number) => Array.from({ length: total }, (_, index) => `o-${index}`);
const limits = (queries: readonly URLSearchParams[]) => queries.map((query) => Number(query.get('limit')));

describe('pages', () => {
  test('all of them, once, in order; the first is small', async () => {
    const { client, queries } = clientOf(serving(1200));
    const reader = reading();
    await listAll(client, { path: PATH, pageSize: 500, selector: 'a=b' }, reader);
    expect(reader.read).toEqual({ begun: 1, names: names(1200), remaining: [1100, 600, 100, undefined] });
    expect(limits(queries)).toEqual([100, 500, 500, 500]);
    expect(queries.every((query) => query.get('labelSelector') === 'a=b')).toBe(true);
    // A resourceVersion would let an API server answer from a memory that lags behind.
    expect(queries.some((query) => query.has('resourceVersion'))).toBe(false);
  });

  test('of none and of one', async () => {
    for (const total of [0, 1]) {
      const reader = reading();
      await listAll(clientOf(serving(total)).client, { path: PATH, pageSize: 500 }, reader);
      expect(reader.read.names).toEqual(names(total));
    }
  });

  test('of large objects are few', async () => {
    const { client, queries } = clientOf(serving(300, { spec: { value: 'x'.repeat(100_000) } }));
    await listAll(client, { path: PATH, pageSize: 500 }, reading());
    expect(Math.max(...limits(queries.slice(1)))).toBeLessThanOrEqual(40);
  });
});

describe('failures', () => {
  test('a history that is gone: the list begins anew, and what was read before counts no more', async () => {
    const answer = serving(300);
    const { client } = clientOf((query, request, call) => {
      if (call === 2) throw failing('unavailable', 410);
      return answer(query, request, call);
    });
    const reader = reading();
    await listAll(client, { path: PATH, pageSize: 100 }, reader);
    expect([reader.read.begun, reader.read.names]).toEqual([2, names(300)]);
  });

  test('… four times, and no more', async () => {
    const answer = serving(300);
    const { client } = clientOf((query, request, call) => {
      if (query.has('continue')) throw failing('unavailable', 410);
      return answer(query, request, call);
    });
    const reader = reading();
    const listing = listAll(client, { path: PATH, pageSize: 100 }, reader);
    await expect(listing).rejects.toThrow(/4 times over; give a larger --page-size/);
    expect(reader.read.begun).toBe(4);
  });

  test.each(['unreachable', 'timeout', 'unavailable', 'unreadable'] as const)(
    '%s may heal: tried again, with a smaller page, from where it was',
    async (code) => {
      const answer = serving(300);
      const { client, queries } = clientOf((query, request, call) => {
        if (call === 2) throw failing(code);
        return answer(query, request, call);
      });
      const reader = reading();
      await listAll(client, { path: PATH, pageSize: 100 }, reader);
      expect([reader.read.begun, reader.read.names]).toEqual([1, names(300)]);
      expect(limits(queries)).toEqual([100, 100, 50, 50, 100]);
      expect(queries[2]?.get('continue')).toBe('100');
    },
  );

  test('what does not heal is tried four times', async () => {
    const { client, queries } = clientOf(() => {
      throw failing('unavailable', 503);
    });
    await expect(listAll(client, { path: PATH, pageSize: 100 }, reading())).rejects.toThrow('as it is');
    expect(limits(queries)).toEqual([100, 50, 25, 12]);
  });

  test.each(['forbidden', 'unauthorized', 'not-found', 'no-access'] as const)('%s is not tried again', async (code) => {
    const { client, queries } = clientOf(() => {
      throw failing(code);
    });
    await expect(listAll(client, { path: PATH, pageSize: 100 }, reading())).rejects.toThrow('as it is');
    expect(queries).toHaveLength(1);
  });

  test('a list that is none has nothing in it', async () => {
    const reader = reading();
    const bodies: JsonObject[] = [{}, { items: null }, { items: 'x', metadata: 7 }, { items: [1, null, []] }];
    for (const body of bodies) await listAll(clientOf(() => body).client, { path: PATH, pageSize: 9 }, reader);
    expect(reader.read.names).toEqual([]);
  });
});

describe('size', () => {
  test('grows with texts, keys and members', () => {
    expect(sizeOf({ a: 'x'.repeat(1000) })).toBeGreaterThan(1000);
    expect(sizeOf([1, null, true])).toBeLessThan(100);
  });

  test('more than 200 levels are told without falling, however deep', () => {
    let deep: Json = 1;
    for (let level = 0; level < 100_000; level++) deep = [deep];
    expect(sizeOf(deep)).toBe(Number.POSITIVE_INFINITY);
    let well: Json = 1;
    for (let level = 0; level < 150; level++) well = { a: well };
    expect(sizeOf(well)).toBeLessThan(2000);
  });
});

describe('the version to list in', () => {
  const group =
    (served: Record<string, readonly string[]>, preferred = ''): Answer =>
    (_, { path }) => {
      const [, , , version] = path.split('/');
      if (version === undefined) {
        const versions = Object.keys(served).map((name) => ({ version: name }));
        return { versions, preferredVersion: { version: preferred } };
      }
      return { resources: (served[version] ?? []).map((name) => ({ name })) };
    };
  const served = (answer: Answer) => servedVersion(clientOf(answer).client, clusterProfile);

  test('is the newest known of those in which the kind is served', async () => {
    expect(await served(group({ v1alpha1: ['clusterprofiles'], v1alpha2: ['clusterprofiles'] }))).toBe('v1alpha2');
    expect(await served(group({ v1alpha1: ['clusterprofiles'], v1alpha2: ['other'] }))).toBe('v1alpha1');
    expect(await served(group({ v1: ['clusterprofiles'], v1alpha1: ['other'] }, 'v1'))).toBe('v1');
    expect(collectionPath(clusterProfile, 'v1')).toBe('/apis/multicluster.x-k8s.io/v1/clusterprofiles');
  });

  test('is none where the kind, or its group, is not served', async () => {
    expect(await served(group({ v1alpha1: ['clusterclaims', 'clusterprofiles/status'] }))).toBeUndefined();
    const absent: Answer = () => {
      throw failing('not-found', 404);
    };
    expect(await served(absent)).toBeUndefined();
  });

  test('is no guess where the API server can not be asked', async () => {
    const away: Answer = () => {
      throw failing('unreachable');
    };
    await expect(served(away)).rejects.toThrow('as it is');
  });
});
