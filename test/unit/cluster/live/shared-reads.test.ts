import { expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../src/base/json.ts';
import { createSharedReads } from '../../../../src/cluster/live/shared-reads.ts';
import type { Answer } from '../../../../src/rules/rule.ts';
import { until } from '../../../support/until.ts';

const FOUND = { known: true, value: { kind: 'ClusterProfile' } } as const;
const ABSENT = { known: true, value: undefined } as const;
const UNKNOWN = { known: false, reason: 'no answer' } as const;

const LATER = { at: Number.MAX_SAFE_INTEGER, signal: new AbortController().signal };

/** For a read to begin. */
const PATIENCE_MS = 5000;

/** Reads that end when the test says so. */
function reads() {
  const ends: ((answer: Answer<JsonObject | undefined>) => void)[] = [];
  const read = () => new Promise<Answer<JsonObject | undefined>>((resolve) => void ends.push(resolve));
  return { read, ends };
}

test('what was found is there for a second, for all requests', async () => {
  let now = 0;
  const shared = createSharedReads(() => now);
  const { read, ends } = reads();
  const first = shared('a', read, LATER);
  const second = shared('a', read, LATER);
  ends[0]?.(FOUND);
  expect([await first, await second]).toEqual([FOUND, FOUND]);
  now = 999;
  expect(await shared('a', read, LATER)).toEqual(FOUND);
  expect(ends).toHaveLength(1);
  now = 1000;
  const later = shared('a', read, LATER);
  await Promise.resolve();
  ends[1]?.(ABSENT);
  expect(await later).toEqual(ABSENT);
});

test.each([
  ['an absence', ABSENT],
  ['a failure', UNKNOWN],
])('%s is nobody else’s: the object may have been created since', async (_, answer) => {
  const shared = createSharedReads();
  const { read, ends } = reads();
  const first = shared('a', read, LATER);
  const second = shared('a', read, LATER);
  ends[0]?.(answer);
  expect(await first).toEqual(answer);
  await until(() => ends.length === 2, PATIENCE_MS);
  ends[1]?.(FOUND);
  expect(await second).toEqual(FOUND);
});

test('a request with less time does not wait for the read of another', async () => {
  const shared = createSharedReads();
  const { read, ends } = reads();
  const first = shared('a', read, LATER);
  const leaving = new AbortController();
  for (const deadline of [
    { at: Date.now() + 20, signal: LATER.signal },
    { at: LATER.at, signal: leaving.signal },
  ]) {
    const hurried = shared('a', async () => UNKNOWN, deadline);
    leaving.abort();
    expect(await hurried).toEqual(UNKNOWN);
  }
  ends[0]?.(FOUND);
  expect(await first).toEqual(FOUND);
});

test('a read that throws throws for the request that made it', async () => {
  const shared = createSharedReads();
  await expect(shared('a', () => Promise.reject(new Error('a bug')), LATER)).rejects.toThrow('a bug');
  expect(await shared('a', async () => FOUND, LATER)).toEqual(FOUND);
});

test('beyond five hundred at a time, what would be read is unknown', async () => {
  const shared = createSharedReads();
  const { read, ends } = reads();
  const running = Array.from({ length: 500 }, (_, index) => shared(`p-${index}`, read, LATER));
  await until(() => ends.length === 500, PATIENCE_MS);
  expect(await shared('one more', read, LATER)).toEqual({ known: false, reason: expect.stringContaining('at a time') });
  for (const end of ends) end(ABSENT);
  await Promise.all(running);
  expect(await shared('one more', async () => FOUND, LATER)).toEqual(FOUND);
});
