import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  at,
  canonical,
  isDeeper,
  isObject,
  isUnquoted,
  type Json,
  listAt,
  type Path,
  same,
  textAt,
} from '../../../src/base/json.ts';

const parse = (text: string): Json => JSON.parse(text) as Json;
const json = fc.jsonValue({ maxDepth: 4 }).map((value) => parse(JSON.stringify(value)));

const inherited = fc.constantFrom(
  ...['length', 'constructor', '__proto__', 'map', 'toString', 'hasOwnProperty', 'valueOf', '0'],
);
/** JSON in which the names of a prototype are keys, too. */
const odd: fc.Arbitrary<Json> = fc
  .letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.jsonValue({ maxDepth: 1 }),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.oneof(inherited, fc.string()), tie('value'), { maxKeys: 4, noNullPrototype: true }),
    ),
  }))
  .value.map((value) => parse(JSON.stringify(value)));

/** What `at` says, step by step and of own properties by their definition. */
function ownAt(value: Json | undefined, path: Path): Json | undefined {
  let here: unknown = value;
  for (const step of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return undefined;
    here = (here as Record<string | number, unknown>)[step];
  }
  return (here as Json | undefined) ?? undefined;
}

/** The same value with null members added to every object, or taken away from it. */
function withNulls(value: Json, add: boolean): Json {
  if (Array.isArray(value)) return value.map((item) => withNulls(item, add));
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  const kept = members.map(([key, member]) => [key, withNulls(member, add)] as const);
  const extra = Object.keys(value).filter((key) => value[key] === null);
  return Object.fromEntries(add ? [...kept, ...extra.map((key) => [key, null] as const), ['a null', null]] : kept);
}

/** The same value with the members of every object in the opposite order. */
function backwards(value: Json): Json {
  if (Array.isArray(value)) return value.map(backwards);
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([key, member]) => [key, backwards(member)] as const);
  return Object.fromEntries(members.reverse());
}

test('an object is neither a list nor null', () => {
  for (const value of [{}, { a: 1 }, Object.create(null)]) expect(isObject(value)).toBe(true);
  for (const value of [[], null, undefined, 'x', 7, true, () => 7]) expect(isObject(value)).toBe(false);
});

describe('at', () => {
  test('of nothing, and of null', () => {
    expect(at(undefined, [])).toBeUndefined();
    expect(at(null, [])).toBeUndefined();
    expect(at(undefined, ['a'])).toBeUndefined();
    expect(at(null, ['a'])).toBeUndefined();
  });

  test('never throws, and never reads what a prototype has', () => {
    const step = fc.oneof(fc.string(), fc.integer({ min: -1, max: 3 }), inherited);
    fc.assert(
      fc.property(odd, fc.array(step, { maxLength: 4 }), (value, path) => {
        const found = at(value, path);
        expect(found).toBe(ownAt(value, path));
        expect(found).not.toBeNull();
      }),
      { numRuns: 1000 },
    );
  });
});

describe('textAt and listAt', () => {
  const object = parse('{"t":"x","e":"","n":null,"l":[1],"o":{"0":1,"length":1},"b":true}');

  test.each<[string, string | undefined, readonly Json[]]>([
    ['t', 'x', []],
    ['e', '', []],
    ['n', undefined, []],
    ['l', undefined, [1]],
    ['o', undefined, []],
  ])('%s', (key, text, list) => {
    expect(textAt(object, [key])).toBe(text);
    expect(listAt(object, [key])).toEqual(list);
  });

  test('of nothing', () => {
    expect(textAt(undefined, ['t'])).toBeUndefined();
    expect(listAt(undefined, ['l'])).toEqual([]);
  });
});

test('numbers and booleans are unquoted', () => {
  for (const value of [7, 1.3, 0, true, false]) expect(isUnquoted(value)).toBe(true);
  for (const value of ['7', '', null, undefined, [7], {}]) expect(isUnquoted(value)).toBe(false);
});

describe('canonical', () => {
  test('two values share a text exactly where they are the same', () => {
    const few = fc.constantFrom<Json>(null, true, 1, '1', 'true', 'null', '', 'a', [], {}, [null], ['a'], { a: 'a' });
    const value: fc.Arbitrary<Json> = fc
      .letrec<{ value: Json }>((tie) => ({
        value: fc.oneof(
          { maxDepth: 2 },
          few,
          fc.array(tie('value'), { maxLength: 2 }),
          fc.dictionary(fc.constantFrom('a', 'b', 'a=1', ','), tie('value'), { maxKeys: 3 }),
        ),
      }))
      .value.map((one) => parse(JSON.stringify(one)));
    fc.assert(
      fc.property(value, value, (a, b) => {
        expect(canonical(a) === canonical(b)).toBe(same(a, b));
        expect(canonical(backwards(a))).toBe(canonical(a));
        expect(canonical(withNulls(a, true))).toBe(canonical(a));
      }),
      { numRuns: 1000 },
    );
  });

  test.each<[Json, Json]>([
    ['1', 1],
    ['true', true],
    [['a', 'b'], ['a,1:b']],
    [['a'], 'a'],
    [[], {}],
    [
      ['a', 'b'],
      ['b', 'a'],
    ],
    [{ a: 'b' }, ['a', 'b']],
    [{ a: '', b: '' }, { 'a=0:,1:b': '' }],
  ])('%j and %j have texts of their own', (a, b) => expect(canonical(a)).not.toBe(canonical(b)));
});

describe('same', () => {
  test.each<[string | undefined, string | undefined, boolean]>([
    ['1', '2', false],
    ['1', '"1"', false],
    ['""', 'null', false],
    ['null', undefined, true],
    [undefined, '{}', false],
    ['[]', '{}', false],
    ['{"0":1}', '[1]', false],
    ['[1,2]', '[2,1]', false],
    ['[1,2]', '[1]', false],
    ['[null]', '[]', false],
    ['[{"a":null}]', '[{}]', true],
    ['{"a":1}', '{"a":1,"b":null}', true],
    ['{"a":1}', '{"a":1,"b":2}', false],
    ['{"a":1}', '{"b":1}', false],
    ['{"a":{"b":[1]}}', '{"a":{"b":[2]}}', false],
    ['{}', '{"constructor":1}', false],
    ['{"__proto__":1}', '{}', false],
  ])('%s and %s: %p', (a, b, expected) => {
    const [left, right] = [a, b].map((text) => (text === undefined ? undefined : parse(text)));
    expect(same(left, right)).toBe(expected);
    expect(same(right, left)).toBe(expected);
  });

  test('a value is the same as its copy, whatever the order of members and the nulls', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(same(value, parse(JSON.stringify(value)))).toBe(true);
        expect(same(value, backwards(value))).toBe(true);
        expect(same(value, withNulls(value, true))).toBe(true);
        expect(same(withNulls(value, false), value)).toBe(true);
      }),
    );
  });

  test('two values are the same exactly if they are equal without their nulls', () => {
    const sorted = (value: Json): string =>
      JSON.stringify(value, (_, member: Json) =>
        isObject(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member,
      );
    const bare = (value: Json) => sorted(withNulls(value, false));
    const small = fc.jsonValue({ maxDepth: 2, noUnicodeString: true }).map((value) => parse(JSON.stringify(value)));
    fc.assert(
      fc.property(small, small, (a, b) => expect(same(a, b)).toBe(bare(a) === bare(b))),
      { numRuns: 500 },
    );
  });
});

test.each<[string, number, boolean]>([
  ['1', 0, false],
  ['[]', 0, true],
  ['[]', 1, false],
  ['{"a":[1]}', 1, true],
  ['{"a":[1],"b":2}', 2, false],
  ['[{"a":1},{"b":{"c":[]}}]', 3, true],
  [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, 200, true],
])('%.30s has more than %i levels: %s', (text, levels, expected) => {
  expect(isDeeper(parse(text), levels)).toBe(expected);
});
