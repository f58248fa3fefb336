/**
 * Which problems are new beside those of the stored object: entries by their keys, by what they hold, and by their
 * path.
 */
import { describe, expect, test } from '@jest/globals';
import type { Json, Path } from '../../../src/base/json.ts';
import { fieldOf } from '../../../src/base/text.ts';
import { newProblems } from '../../../src/engine/new-problems.ts';
import type { Problem } from '../../../src/rules/rule.ts';

/** Every member called `x` is a problem, whatever it holds. */
function problemsIn(value: Json, path: Path = []): Problem[] {
  if (typeof value !== 'object' || value === null) return [];
  const members: (readonly [string | number, Json])[] = Array.isArray(value)
    ? value.map((item, index) => [index, item as Json] as const)
    : Object.entries(value);
  return members.flatMap(([key, member]) => {
    const at = [...path, key];
    return [...(key === 'x' ? [{ path: at, messageId: 'bad' }] : []), ...problemsIn(member, at)];
  });
}

/** The fields of what is new. */
function fresh(before: Json, now: Json): string[] {
  const found = newProblems(problemsIn(now), now, problemsIn(before), before);
  return found.map(({ path }) => fieldOf(path));
}

describe('an entry with keys is the same wherever it stands, and edited on the way', () => {
  test.each<[string, Json, Json]>([
    ['conditions', { type: 'A' }, { type: 'B' }],
    ['properties', { name: 'a' }, { name: 'b' }],
    ['accessProviders', { name: 'a' }, { name: 'b' }],
    ['credentialProviders', { name: 'a' }, { name: 'b' }],
    ['extensions', { name: 'a' }, { name: 'b' }],
    ['uses', { version: '1', enabled: 'Enabled' }, { version: '1', enabled: 'Disabled' }],
    ['uses', { version: '1', enabled: 'Enabled' }, { version: '2', enabled: 'Enabled' }],
  ])('%s: %j', (list, key, other) => {
    const entry = { ...(key as object), x: 1, note: 'old' };
    const moved = { ...entry, note: 'new' };
    expect(fresh({ [list]: [entry] }, { [list]: [{}, moved] })).toEqual([]);
    const another = { ...entry, ...(other as object) };
    expect(fresh({ [list]: [entry] }, { [list]: [{}, another] })).toEqual([`${list}[1].x`]);
    expect(fresh({ [list]: [entry] }, { [list]: [{}, { ...moved, x: 2 }] })).toEqual([`${list}[1].x`]);
    expect(fresh({ [list]: [entry] }, { [list]: [{}, moved, moved] })).toEqual([`${list}[2].x`]);
  });
});

describe('an entry without them is the same where it holds the same', () => {
  test.each<[string, string, Json]>([
    ['of a list that objects inherit', 'toString', { name: 'a' }],
    ['with a number for its key', 'conditions', { type: 7 }],
    ['with one key of two', 'uses', { version: '1' }],
    ['with null for its key', 'properties', { name: null }],
  ])('%s', (_, list, key) => {
    const entry = { ...(key as object), x: 1, note: 'old' };
    expect(fresh({ [list]: [entry] }, { [list]: [{}, entry] })).toEqual([]);
    expect(fresh({ [list]: [entry] }, { [list]: [{}, { ...entry, note: 'new' }] })).toEqual([`${list}[1].x`]);
    expect(fresh({ [list]: [entry] }, { [list]: [{ ...entry, note: 'new' }] })).toEqual([]);
  });
  test('null in it is absent, and the order of its members says nothing', () => {
    const old = { list: [{ x: 1, a: { b: 1, c: null } }] };
    expect(fresh(old, { list: [{}, { a: { b: 1 }, d: null, x: 1 }] })).toEqual([]);
    expect(fresh(old, { list: [{}, { a: { b: 2 }, x: 1 }] })).toEqual(['list[1].x']);
  });
});

describe('lists within lists', () => {
  test('the inner entry counts, and the keys of the outer', () => {
    const outer = (name: string, note: string) => ({ name, note, extensions: [{ name: 'exec', x: 1 }] });
    const old = { accessProviders: [outer('a', 'old')] };
    expect(fresh(old, { accessProviders: [{}, outer('a', 'new')] })).toEqual([]);
    expect(fresh(old, { accessProviders: [{}, outer('b', 'old')] })).toEqual(['accessProviders[1].extensions[0].x']);
  });
  test('an outer entry without keys may change beside', () => {
    const old = { list: [{ note: 'old', inner: [{ x: 1 }] }] };
    expect(fresh(old, { list: [{}, { note: 'new', inner: [{}, { x: 1 }] }] })).toEqual([]);
    expect(fresh(old, { list: [{}, { note: 'new', inner: [{ x: 1, y: 1 }] }] })).toEqual(['list[1].inner[0].x']);
  });
  test('a list that is an entry itself', () => {
    expect(fresh({ conditions: [[{ x: 1 }]] }, { conditions: [[], [{ x: 1 }]] })).toEqual([]);
    expect(fresh({ conditions: [[{ x: 1 }]] }, { conditions: [[], [{ x: 1, y: 1 }]] })).toEqual(['conditions[1][0].x']);
  });
});

describe('a value at its path is the same where JSON is', () => {
  test.each<[string, Json, Json]>([
    ['a text and a number', '5', 5],
    ['a text and a boolean', 'true', true],
    ['a text and null', 'null', null],
    ['a list and its text', [1], '1'],
    ['lists of another depth', [[1], [2]], [1, 2]],
    ['one text with a comma and two', ['a,b'], ['a', 'b']],
    ['an empty list and an empty object', [], {}],
    ['members that read alike', { a: '1', b: '2' }, { a: '1,1:b="1:2' }],
    ['a list and an object with its indices', ['a'], { 0: 'a' }],
    ['another member', { a: 1 }, { b: 1 }],
    ['another order of a list', [1, 2], [2, 1]],
  ])('%s are not', (_, one, other) => {
    expect(fresh({ x: one }, { x: other })).toEqual(['x']);
    expect(fresh({ x: other }, { x: one })).toEqual(['x']);
    expect(fresh({ x: one }, { x: structuredClone(one) })).toEqual([]);
  });
  test('what is missing in both is', () => {
    const missing: Problem = { path: ['spec', 'value'], messageId: 'required' };
    const all = (now: Json, before: Json) => newProblems([missing], now, [missing], before);
    expect(all({ a: 1 }, {})).toEqual([]);
    expect(all({ spec: { value: null } }, {})).toEqual([]);
    expect(all({ spec: { value: '' } }, {})).toEqual([missing]);
    expect(all({}, { spec: { value: '' } })).toEqual([missing]);
  });
});

describe('what is large', () => {
  const entry = (size: number, note = 'old') => ({ x: 1, note, list: Array.from({ length: size }, () => 1) });
  test('moved entries without keys are known again up to a thousand values', () => {
    expect(fresh({ list: [entry(996)] }, { list: [{}, entry(996)] })).toEqual([]);
    expect(fresh({ list: [entry(997)] }, { list: [{}, entry(997)] })).toEqual(['list[1].x']);
  });
  test('however deep they are', () => {
    const deep = (size: number): Json => ({ x: 1, list: Array.from({ length: size }, () => [[1]]) });
    expect(fresh({ list: [deep(300)] }, { list: [{}, deep(300)] })).toEqual([]);
    expect(fresh({ list: [deep(400)] }, { list: [{}, deep(400)] })).toEqual(['list[1].x']);
  });
  test('an entry with keys is known again, however large', () => {
    const keyed = (note: string) => ({ ...entry(5000, note), type: 'A' });
    expect(fresh({ conditions: [keyed('old')] }, { conditions: [{}, keyed('new')] })).toEqual([]);
  });
  test('two entries alike are not taken for one', () => {
    expect(fresh({ list: [entry(5000)] }, { list: [{}, entry(5000), entry(5000)] })).toEqual([
      'list[1].x',
      'list[2].x',
    ]);
  });
  test('a value at fault stays at its path, and is new where it changes', () => {
    const x = (last: number) => ({ x: [...Array.from({ length: 5000 }, () => 1), last] });
    expect(fresh(x(1), { ...x(1), note: 'new' })).toEqual([]);
    expect(fresh(x(1), x(2))).toEqual(['x']);
  });
  test('an entry is gone through once, however many problems it has', () => {
    let reads = 0;
    const crowded = Object.defineProperty({} as Record<string, Json>, 'note', {
      enumerable: true,
      get: () => {
        reads++;
        return 'read';
      },
    });
    const problems = Array.from({ length: 500 }, (_, index): Problem => {
      crowded[`m${index}`] = index;
      return { path: ['list', 0, `m${index}`], messageId: 'bad' };
    });
    const now = { list: [crowded] };
    expect(newProblems(problems, now, problems, { list: [{}] })).toHaveLength(500);
    expect(reads).toBeLessThan(10);
  });
});
