import { expect, test } from '@jest/globals';
import type { ApiClient } from '../../../../src/cluster/live/client.ts';
import { observeCalls, withRetries } from '../../../../src/cluster/live/client-wrappers.ts';
import { ClusterError, type ClusterErrorCode } from '../../../../src/cluster/live/errors.ts';

/** A client whose calls end so, one after the other; undefined is a success, as is every further call. */
function endingIn(...ends: readonly (ClusterErrorCode | undefined)[]) {
  const timeouts: (number | undefined)[] = [];
  const call: ApiClient['call'] = async ({ timeoutMs }) => {
    const end = ends[timeouts.length];
    timeouts.push(timeoutMs);
    if (end !== undefined) throw new ClusterError(end, 'as it is');
    return { body: {}, date: undefined };
  };
  const client: ApiClient = { server: '', namespace: '', call, close: () => undefined };
  return { client, timeouts };
}

const GET = { method: 'GET', path: '/a' } as const;

test('an observed client reports each call by verb and outcome', async () => {
  const calls: [string, string][] = [];
  const { client } = endingIn(undefined, 'conflict');
  const observed = observeCalls(client, (verb, outcome, ms) => ms >= 0 && calls.push([verb, outcome]));
  await observed.call(GET);
  await expect(observed.call({ method: 'PUT', path: '/a', body: {} })).rejects.toMatchObject({ code: 'conflict' });
  expect(calls).toEqual([
    ['get', 'ok'],
    ['update', 'conflict'],
  ]);
});

test.each<[string, readonly ClusterErrorCode[], number, string]>([
  ['is repeated where it may be temporary', ['unavailable'], 2, 'ok'],
  ['is repeated once for each pause', ['unreachable', 'unreadable', 'unavailable'], 3, 'unavailable'],
  ['is not repeated where it is certain', ['forbidden'], 1, 'forbidden'],
  ['is not repeated where its time was used up', ['timeout'], 1, 'timeout'],
])('a failure %s', async (_, ends, calls, expected) => {
  const { client, timeouts } = endingIn(...ends);
  const outcome = await withRetries(client, { pauses: [1, 1] })
    .call(GET)
    .then(
      () => 'ok',
      ({ code }: ClusterError) => code,
    );
  expect([outcome, timeouts.length]).toEqual([expected, calls]);
});

test('a caller may name the failures that are repeated', async () => {
  const { client, timeouts } = endingIn('unreachable');
  const retrying = withRetries(client, { pauses: [1], when: ({ code }) => code === 'unavailable' });
  await expect(retrying.call(GET)).rejects.toMatchObject({ code: 'unreachable' });
  expect(timeouts).toHaveLength(1);
});

test('all repeats have the time of the call together', async () => {
  const { client, timeouts } = endingIn('unavailable', 'unavailable');
  const retrying = withRetries(client, { pauses: [20, 60_000] });
  await expect(retrying.call({ ...GET, timeoutMs: 30_000 })).rejects.toThrow('as it is');
  // After the second pause no time would be left, so it is not waited for.
  expect(timeouts).toEqual([30_000, expect.any(Number)]);
  expect(timeouts[1]).toBeLessThan(30_000);
});

test('a call that was aborted is not repeated', async () => {
  const { client, timeouts } = endingIn('unavailable');
  const retrying = withRetries(client, { pauses: [1] });
  await expect(retrying.call({ ...GET, signal: AbortSignal.abort() })).rejects.toThrow('as it is');
  expect(timeouts).toHaveLength(1);
});
