/** Pages taken apart by their bytes, beside what JSON.parse makes of them. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { pageOf, splitPage } from '../../../src/cluster/live/list-page.ts';
import type { JsonObject } from '../../../src/rules/rule.ts';

const split = (text: string) => {
  const page = splitPage(Buffer.from(text));
  return page && { list: page.list, items: [...page.items], count: page.count };
};

test('whatever the objects hold, they are those that JSON.parse would make', () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue());
  const around = fc.dictionary(fc.constantFrom('kind', 'b"', '\\'), fc.oneof(fc.string(), object));
  fc.assert(
    fc.property(around, fc.array(object), around, (before, items, after) => {
      // What JSON holds: no -0.
      const [list, parsed] = JSON.parse(
        JSON.stringify([{ ...before, items: [], metadata: { more: '{' }, ...after }, items]),
      );
      const text = JSON.stringify({ ...before, items: parsed, metadata: { more: '{' }, ...after });
      // A text that ends in what reads like the key is left to JSON.parse.
      if (text.split('"items":[').length > 2) expect(split(text)).toBeUndefined();
      else expect(split(text)).toEqual({ list, items: parsed, count: parsed.length });
    }),
    { numRuns: 500 },
  );
});

describe('bytes that are no list as API servers write them', () => {
  test.each([
    '',
    '[]',
    '{}',
    'text',
    '{"items":null}',
    '{"items":[1]}',
    '{"items":[{}, {}]}',
    '{ "items":[]}',
    '{"items":[{}',
    '{"items":[{},',
    '{"items":[{"a":"}]}',
    '{"items":[{}]',
    '{"items":[{}]} x',
    '{"items":[],"items":[{}]}',
    '{"metadata":{"items":[{}]}}',
    '{"count":1,"items":[{}]}',
  ])('%s', (text) => {
    expect(split(text)).toBeUndefined();
  });

  test('however they are cut', () => {
    const whole = JSON.stringify({ kind: 'List', metadata: { continue: 'a' }, items: [{ a: ['"', {}] }, {}], z: 1 });
    expect(split(whole)).toBeDefined();
    for (let end = 0; end < whole.length; end++) expect(split(whole.slice(0, end))).toBeUndefined();
  });
});

test('an object that is no JSON is told when it is its turn', () => {
  const { items } = splitPage(Buffer.from('{"items":[{"a":1},{"a":}]}')) ?? { items: [] };
  const read: JsonObject[] = [];
  const all = () => {
    for (const item of items) read.push(item);
  };
  expect(all).toThrow(expect.objectContaining({ code: 'unreadable' }));
  expect(read).toEqual([{ a: 1 }]);
});

test('one that is parsed already', () => {
  const { items, count, size } = pageOf({ items: [{ a: 1 }, 7, null, { b: 'x'.repeat(100) }] });
  expect([...items]).toHaveLength(2);
  expect(count).toBe(2);
  expect(size).toBeGreaterThan(100);
});
