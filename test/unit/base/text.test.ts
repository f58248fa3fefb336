import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  counted,
  errorMessage,
  escapeControls,
  fieldOf,
  fill,
  firstOf,
  namedPath,
  Phrases,
  quoted,
  shellQuoted,
  shorten,
  typeInWords,
} from '../../../src/base/text.ts';

describe('fieldOf', () => {
  test.each([
    [[], ''],
    [['spec', 'value'], 'spec.value'],
    [['status', 'uses', 2, 'enabled'], 'status.uses[2].enabled'],
    [['metadata', 'labels', 'x-k8s.io/cluster-manager'], 'metadata.labels[x-k8s.io/cluster-manager]'],
    [['a-b_c', '1a'], 'a-b_c[1a]'],
    [['spec', 'a\nb'], 'spec[a\\u000ab]'],
    [['spec', 'k'.repeat(65)], `spec.${'k'.repeat(65)}`],
    [['spec', '.'.repeat(65)], `spec[${'.'.repeat(63)}…]`],
  ] as const)('%j reads %s', (path, field) => {
    expect(fieldOf(path)).toBe(field);
  });
});

describe('fill', () => {
  test.each([
    ['got "{{v}}"', 'x', 'got "x"'],
    ['got "{{v}}"', 7, 'got 7'],
    ['got "{{v}}"', true, 'got true'],
    ['got "{{v}}"', undefined, 'got nothing'],
    ['got "{{v}}"', null, 'got null'],
    ['got "{{v}}"', [1, 2], 'got a list of 2'],
    ['got "{{v}}"', {}, 'got an object'],
    ['go to {{v}}.', 'x', 'go to x.'],
    ['{{v}} and "{{v}}"', 'x', 'x and "x"'],
    ['no placeholder', 'x', 'no placeholder'],
  ])('%s with %j', (template, v, text) => {
    expect(fill(template, { v })).toBe(text);
  });
  test('a value cannot bring a placeholder of its own', () => {
    expect(fill('"{{a}}" {{b}}', { a: '{{b}}', b: 'secret' })).toBe('"{{b}}" secret');
  });
  test('phrases, each by a template of its own', () => {
    const named = (name: string) => ({ phraseId: 'named', data: { name } });
    const phrases = [named('a'), { phraseId: 'plain' }, { phraseId: 'unknown' }, named('b\nc')];
    const templates = { named: 'one called "{{name}}"', plain: 'another' };
    const text = 'one called "a", another, , one called "b\\u000ac"';
    expect(fill('{{all}}!', { all: new Phrases(phrases) }, templates)).toBe(`${text}!`);
    expect(fill('{{all}}', { all: new Phrases(phrases.slice(0, 2), ' or ') }, templates)).toBe(
      'one called "a" or another',
    );
    expect(fill('{{all}}', { all: new Phrases(phrases.slice(0, 1)) })).toBe('');
  });
  test('a nested phrase', () => {
    const inner = new Phrases([{ phraseId: 'leaf' }]);
    const templates = { outer: '({{inner}})', leaf: 'x' };
    expect(fill('{{all}}', { all: new Phrases([{ phraseId: 'outer', data: { inner } }]) }, templates)).toBe('(x)');
  });
  test('without data', () => {
    expect(fill('{{a}}')).toBe('nothing');
  });
});

describe('escapeControls and shorten', () => {
  test.each([
    ['a\nb', 'a\\u000ab'],
    ['\u001b[31m', '\\u001b[31m'],
    ['\u202e', '\\u202e'],
    ['\u2028\u2029', '\\u2028\\u2029'],
    ['\ud800', '\\ud800'],
    ['\u{e0001}', '\\ue0001'],
    ['ü🚀', 'ü🚀'],
    ['a ##vso[task.complete]', 'a #\\u0023vso[task.complete]'],
    ['###[x] \u202e', '##\\u0023[x] \\u202e'],
    ['## a [heading]', '## a [heading]'],
  ])('%j becomes %s', (text, shown) => {
    expect(escapeControls(text)).toBe(shown);
  });
  test.each([
    ['abc', 3, 'abc'],
    ['abcd', 3, 'ab…'],
    ['🚀🚀🚀', 3, '🚀🚀🚀'],
    ['🚀🚀🚀🚀', 3, '🚀🚀…'],
  ])('%s to %d is %s', (text, limit, short) => {
    expect(shorten(text, limit)).toBe(short);
  });
  test('a quoted value is one short line, whatever it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const shown = quoted(text);
        expect(shown).not.toMatch(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u);
        expect([...shorten(text, 64)].length).toBeLessThanOrEqual(64);
      }),
    );
  });
});

test.each([
  ['a.yaml', 'a.yaml'],
  ['./apps/a-1_b.yaml', './apps/a-1_b.yaml'],
  ['https://hub.example:6443', 'https://hub.example:6443'],
  ['a b', "'a b'"],
  ['$(rm)', "'$(rm)'"],
  ["it's", "'it'\\''s'"],
  ['a\n', "'a\n'"],
  ['ä', "'ä'"],
  ['', "''"],
])('a shell reads %j as %s', (file, shown) => expect(shellQuoted(file)).toBe(shown));

test.each([
  ['east=clusters/east', { name: 'east', path: 'clusters/east' }],
  ['e.b=a=b\nc', { name: 'e.b', path: 'a=b\nc' }],
  ['e=', { name: 'e', path: '' }],
  ['export.yaml', undefined],
  ['./a=b.yaml', undefined],
  ['/a=b', undefined],
  ['=b', undefined],
])('%j names %j', (text, named) => expect(namedPath(text)).toEqual(named));

test.each<[unknown, string]>([
  [new Error('refused'), 'refused'],
  [new Error(''), ''],
  ['thrown text', 'thrown text'],
  [undefined, 'undefined'],
  [new AggregateError([new Error('no route'), 'timeout']), 'no route; timeout'],
  [new AggregateError([new Error('no route')], 'all failed'), 'all failed'],
])('the message of what was thrown: %p', (thrown, message) => expect(errorMessage(thrown)).toBe(message));

test.each([
  [null, 'null'],
  [[], 'a list'],
  [{}, 'an object'],
  ['text', 'a string'],
  [1, 'a number'],
])('the type of %j is %s', (value, words) => expect(typeInWords(value)).toBe(words));

test('a count has the plural of its noun, unless it is one', () => {
  expect([0, 1, 2].map((count) => counted(count, 'file'))).toEqual(['0 files', '1 file', '2 files']);
});

test('of a long list the first items are shown', () => {
  const items = ['a', 'b', 'c'];
  expect([firstOf(items, 2), firstOf(items, 3), firstOf([], 3)]).toEqual(['a, b, …', 'a, b, c', '']);
});
