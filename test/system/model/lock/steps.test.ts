/**
 * What the model takes for granted: the code makes no step that the model does not have, and what the model leaves
 * out changes nothing.
 */
import { describe, expect, test } from '@jest/globals';
import { type Edit, loadCode } from './code.ts';
import { FAULTS } from './faults.ts';
import { type Form, formOf } from './forms.ts';
import { createReviewer, type Progress } from './reviewer.ts';
import { search } from './search.ts';
import { type Answer, keyOf, type LockRecord, type Review, type SystemState } from './system-state.ts';
import { traceTo } from './trace.ts';

const ONE = formOf({ name: 'one writer', start: 1 });
const TWO = formOf({ name: 'two writers', start: 2 });
const SETTING = { twoNames: false, strict: true };

async function explored({ initial, bounds, setting }: Form, edits: readonly Edit[] = []) {
  const reviewer = createReviewer(await loadCode(edits), setting);
  return { reviewer, result: await search({ initial, bounds, reviewer }) };
}

test('the code makes the calls of the step table, and no others', async () => {
  const { reviewer } = await explored(TWO);
  expect([...reviewer.called].sort()).toEqual(['expiry', 'get-claim', 'get-lease', 'pause', 'put-lease']);
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
    await expect(explored(ONE, [{ file, find, replace }])).rejects.toThrow(message);
  });

  test('an edit whose text is not there is an error, so that no fault is planted in vain', async () => {
    await expect(loadCode([{ file, find: 'no such text', replace: '' }])).rejects.toThrow(
      'does not have this text once',
    );
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

describe('states that differ in names alone are one state', () => {
  const [system] = TWO.initial as [SystemState];
  const begun = (user: string, uid: string, id: number) => ({
    id,
    operation: 'CREATE',
    name: 2,
    value: 'fleet',
    user,
    uid,
    born: 0,
    phase: 'review',
    answers: [],
    pending: [{ key: 'get-lease#1', what: 'get-lease' }],
  });
  const withRequests = (...requests: unknown[]) => ({ ...system, requests }) as SystemState;

  test('whatever the order of requests, and the names of users and uids', () => {
    const one = withRequests(begun('~j0', '~u1', 0), begun('~j1', '~u2', 1));
    const other = withRequests(begun('~j5', '~u9', 1), begun('~j3', '~u4', 0));
    expect(keyOf(other)).toBe(keyOf(one));
    expect(keyOf(JSON.parse(keyOf(one)))).toBe(keyOf(one));
  });

  test('but not where two are the same', () => {
    const one = withRequests(begun('~j0', '~u1', 0), begun('~j1', '~u2', 1));
    const other = withRequests(begun('~j0', '~u1', 0), begun('~j0', '~u2', 1));
    expect(keyOf(other)).not.toBe(keyOf(one));
  });
});

test('a trace leads to the violation step by step, and names each request throughout', async () => {
  const [fault] = FAULTS;
  if (fault === undefined) throw new Error('no fault');
  const { reviewer, result } = await explored(fault.form, fault.edits);
  const trace = await traceTo(result.table, result.violation?.index ?? -1, { ...fault.form, reviewer });
  expect(trace.map(({ label }) => label)).toEqual([
    'at first',
    '0: user-0 CREATE 2 fleet',
    '0: 0#1 → allowed',
    '1: user-1 UPDATE 0 b',
    '1: 2#1 → allowed',
    '0: is stored',
    '1: is stored',
  ]);
});
