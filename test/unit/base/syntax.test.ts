import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  boundedPattern,
  canonicalIp,
  ipFamilyOf,
  isBlank,
  isDnsLabel,
  isDnsSubdomain,
  isLabelValue,
  LONGEST_SEARCHED,
  longerThan,
} from '../../../src/base/syntax.ts';

const n = (count: number, text = 'n') => text.repeat(count);

describe('isDnsLabel', () => {
  test.each(['a', '7', 'a-b', 'a--b', '0-0', 'north-1', n(63), `${n(62)}0`])('%s is one', (text) => {
    expect(isDnsLabel(text)).toBe(true);
  });
  test.each(['', '-', '-a', 'a-', 'A', 'aB', 'a.b', 'a_b', 'a b', ' a', 'a\n', '\na', 'ä', 'a\u0000', n(64)])(
    '%j is none',
    (text) => expect(isDnsLabel(text)).toBe(false),
  );
});

describe('isDnsSubdomain', () => {
  /** At 61 of 253 characters, the most. */
  const long = (last: number) => [n(63), n(63), n(63), n(last)].join('.');
  test.each(['a', 'a.b', '7.7', 'a-b.c-d.example', `${n(63)}.${n(63)}`, n(63), long(61)])('%s is one', (text) => {
    expect(isDnsSubdomain(text)).toBe(true);
  });
  test.each([
    '',
    '.',
    '.a',
    'a.',
    'a..b',
    'a.-b',
    'a-.b',
    'A.b',
    'a.b\n',
    'a_b.c',
    `${n(64)}.a`,
    `a.${n(64)}`,
    long(62),
  ])('%j is none', (text) => expect(isDnsSubdomain(text)).toBe(false));
});

describe('isLabelValue', () => {
  test.each(['a', 'A', '7', 'a.b', 'a_b', 'a-b', 'A..__--Z', n(63), 'Some.Manager_1'])('%s is one', (text) => {
    expect(isLabelValue(text)).toBe(true);
  });
  test.each(['', '.', '_a', 'a_', '-a', 'a-', '.a', 'a.', 'a b', 'a/b', 'a\n', '\na', 'é', n(64)])(
    '%j is none',
    (text) => {
      expect(isLabelValue(text)).toBe(false);
    },
  );
});

test('labels are checked in linear time', () => {
  const started = process.cpuUsage();
  for (const text of [`${n(1_000_000, '-')}!`, `a${n(1_000_000, '.')}`, `${n(500_000, 'a-')}!`])
    for (const isValid of [isDnsLabel, isDnsSubdomain, isLabelValue]) expect(isValid(text)).toBe(false);
  expect(process.cpuUsage(started).user / 1000).toBeLessThan(20_000);
});

describe('longerThan', () => {
  test.each([
    ['', 0],
    ['ab', 2],
    ['🌍a', 2],
    ['e\u0301', 2],
    ['\ud83d\ud83d\ude80', 2],
    ['\ude80\ud83d', 2],
    ['\udbff\udfff', 1],
    ['\ud83d\ue000', 2],
    ['\ud7ff\udc00', 2],
    [n(128_000, '🌍'), 128_000],
  ])('%# of %i code points', (text, count) => {
    expect(longerThan(text, count - 1)).toBe(true);
    expect(longerThan(text, count)).toBe(false);
  });

  test('counts code points, lone surrogates too', () => {
    const unit = fc.constantFrom('a', 'é', '\ud83d', '\ude00', '😀', '\uffff');
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit }));
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 20 }), (text, limit) => {
        expect(longerThan(text, limit)).toBe(Array.from(text).length > limit);
      }),
    );
  });
});

test('a bounded pattern searches a text that may match; a longer one fails its maxLength', () => {
  const pattern = boundedPattern('^a+$', 'u');
  expect(['a', 'b', ''].map((text) => pattern.test(text))).toEqual([true, false, false]);
  expect(pattern.test(`${'a'.repeat(LONGEST_SEARCHED - 1)}!`)).toBe(false);
  expect(pattern.test(`${'a'.repeat(LONGEST_SEARCHED)}!`)).toBe(true);
});

describe('IP addresses', () => {
  test.each(['0.0.0.0', '255.255.255.255', '10.20.30.40', '199.249.250.1', '1.10.100.209'])('%s is IPv4', (text) => {
    expect(ipFamilyOf(text)).toBe('IPv4');
    expect(canonicalIp(text)).toBe(text);
  });
  test.each([
    ['::', '[::]'],
    ['FD00::1', '[fd00::1]'],
    ['fd00:0:0:0:0:0:0:1', '[fd00::1]'],
    ['2001:DB8:0:1:2:3:4:5', '[2001:db8:0:1:2:3:4:5]'],
    ['64:ff9b::192.0.2.1', '[64:ff9b::c000:201]'],
    ['0000:0000:0000:0000:0000:0000:255.255.255.255', '[::ffff:ffff]'],
  ])('%s is IPv6', (text, notation) => {
    expect(ipFamilyOf(text)).toBe('IPv6');
    expect(canonicalIp(text)).toBe(notation);
  });
  test.each([
    ['', 'no text'],
    ['256.1.1.1', 'an octet too large'],
    ['01.1.1.1', 'a leading zero'],
    ['1.1.1', 'three octets'],
    ['1.1.1.1.1', 'five octets'],
    ['x1.1.1.1', 'a letter before'],
    ['1.1.1.1\n', 'a line end'],
    ['1x1x1x1', 'other marks'],
    [':', 'one colon'],
    ['fe80::1%eth0', 'a zone'],
    ['fd00::1/64', 'a prefix length'],
    ['[fd00::1]', 'brackets'],
    ['::ffff:10.0.0.1', 'IPv4 within IPv6'],
    ['fd00::g', 'a letter that is no digit'],
    ['1:2:3:4:5:6:7', 'seven groups'],
    ['00000:0000:0000:0000:0000:0000:255.255.255.255', 'longer than any'],
  ])('%j is of no family: %s', (text) => {
    expect(ipFamilyOf(text)).toBeUndefined();
    expect(canonicalIp(text)).toBe(text);
  });
});

test.each([
  ['', true],
  [' \t\r\n\v\f', true],
  ['\u0085\u00a0\u2003\u2028\u3000\ufeff', true],
  ['a', false],
  [' a ', false],
  ['\u200b', false],
])('%j is blank: %j', (text, blank) => expect(isBlank(text)).toBe(blank));
