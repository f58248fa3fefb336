/**
 * What the model takes for granted: the code makes no step that the model does not have, and what the model leaves
 * out changes nothing.
 */
import { describe, expect, test } from '@jest/globals';
import { type Edit, loadCode } from './code.ts';
import { type Form, formOf } from './forms.ts';
import { createReviewer, type Progress } from './reviewer.ts';
import { search } from './search.ts';
import type { Answer, LockRecord, Review } from './system-state.ts';

const SETTING = { twoNames: false, strict: true };

/** The calls that the code makes in all states of a form. */
async function callsIn({ initial, bounds, setting }: Form, edits: readonly Edit[] = []): Promise<ReadonlySet<string>> {
  const reviewer = createReviewer(await loadCode(edits), setting);
  await search({ initial, bounds, reviewer });
  return reviewer.called;
}

test('the code makes the calls of the step table, and no others', async () => {
  const called = await callsIn(formOf({ name: 'two writers', start: 2 }));
  expect([...called].sort()).toEqual(['expiry', 'get-claim', 'get-lease', 'pause', 'put-lease']);
});

describe('a step without a counterpart ends the search', () => {
  const file = 'cluster/locks/identity-write.ts';
  const find = 'const view = locked.newView(deadline);';
  test.each([
    ['another wait', `${find} await sleep(5);`, /waits for what is no step of the model/],
    [
      'another path',
      `${find} await leases.read({ ...write.dialect, name: 'feature' }, deadline);`,
      /no step of the model: GET/,
    ],
  ])('%s', async (_, replace, message) => {
    const one = formOf({ name: 'one writer', start: 1 });
    await expect(callsIn(one, [{ file, find, replace }])).rejects.toThrow(message);
  });
});

describe('attempts share nothing, so that only the present one is part of a state', () => {
  const lock: LockRecord = {
    holder: '~j1 UPDATE 0 b',
    renewed: 0,
    operation: 'UPDATE',
    object: 'id.k8s.io',
    uid: '~u0',
    version: '~r0',
    attempt: '~a0',
  };
  const id = { uid: '~u0', version: '~r0', value: 'a' };
  const read = (held: LockRecord | null): Answer[] => [
    { key: 'get-lease#1', content: { lease: { version: '~r1', lock: held }, date: 0, expired: false } },
    { key: '0#1', content: { object: id } },
    { key: '2#1', content: { object: null } },
  ];
  const held = read(lock);
  const overtaken: Answer[] = [...read(null), { key: 'put-lease#1', content: { put: 'conflict', attempt: '~a1' } }];
  const join: Review = { operation: 'CREATE', name: 2, value: 'fleet', user: '~j0', uid: '~u1', answers: [] };
  const ways = [
    [held, held, held, held],
    [overtaken, overtaken, overtaken, overtaken],
    [held, overtaken, held, overtaken],
  ];

  test.each([
    ['nothing answered', []],
    ['the Lease read', read(null).slice(0, 1)],
    ['all read', read(null)],
    ['all read, and held', held],
    ['overtaken', overtaken],
  ])('%s', async (_, answers) => {
    const { run } = createReviewer(await loadCode(), SETTING);
    const seen = new Set<string>();
    for (const before of ways) {
      const progress: Progress = await run({ ...join, last: 1 }, [...before, answers]);
      seen.add(JSON.stringify(progress));
    }
    expect(seen.size).toBe(1);
    expect(JSON.stringify(await run(join, [answers]))).toBe(JSON.stringify(await run(join, [held, answers])));
  });

  test('answers of reads that run side by side count alike in any order', async () => {
    const { run } = createReviewer(await loadCode(), SETTING);
    const [lease, ...claims] = read(null) as [Answer, ...Answer[]];
    expect(await run(join, [[lease, ...claims.toReversed()]])).toEqual(await run(join, [[lease, ...claims]]));
  });
});
