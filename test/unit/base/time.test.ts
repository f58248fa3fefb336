import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatTime, isDateTime, parseTime } from '../../../src/base/syntax.ts';

const two = (value: number) => String(value).padStart(2, '0');

describe('a time', () => {
  test.each([
    ['2026-12-31T23:59:59-00:01', '2027-01-01T00:00:59.000Z'],
    ['2026-06-01T12:00:00.123456789012+01:00', '2026-06-01T11:00:00.123Z'],
    ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
    ['0099-12-31T00:00:00Z', '0099-12-31T00:00:00.000Z'],
    ['2026-06-01T12:00:00+24:00', '2026-05-31T12:00:00.000Z'],
    ['2026-06-01T12:00:00+23:60', '2026-05-31T12:00:00.000Z'],
  ])('%s', (text, expected) => {
    expect(new Date(parseTime(text) ?? Number.NaN).toISOString()).toBe(expected);
    expect(isDateTime(text)).toBe(true);
  });

  test.each([
    ['2023', 28],
    ['2024', 29],
    ['1900', 28],
    ['2000', 29],
  ])('February %s has %i days', (year, days) => {
    expect(isDateTime(`${year}-02-${days}T00:00:00Z`)).toBe(true);
    expect(isDateTime(`${year}-02-${days + 1}T00:00:00Z`)).toBe(false);
  });
});

test('a time is written in UTC and whole seconds', () => {
  expect(formatTime(Date.UTC(2026, 5, 1, 12, 0, 1, 987))).toBe('2026-06-01T12:00:01Z');
  expect(formatTime(new Date('2026-06-01T12:00:00+01:00'))).toBe('2026-06-01T11:00:00Z');
});

describe('no time', () => {
  test.each([
    '',
    '2026-06-01',
    '2026-06-01T12:00:00',
    '2026-06-01 12:00:00Z',
    '2026-06-01T12:00:00.Z',
    '2026-06-01T12:00:00+0100',
    '2026-06-01T12:00:00+01',
    '2026-6-01T12:00:00Z',
    '12026-06-01T12:00:00Z',
    '-2026-06-01T12:00:00Z',
    '2026-06-01T12:00:00+25:00',
    '2026-06-01T12:00:00+12:61',
    '2026-06-01T12:00:00Z ',
    '2026-06-01T12:00:00Z\n',
    '２０２６-06-01T12:00:00Z',
  ])('%j', (text) => {
    expect(parseTime(text)).toBeUndefined();
    expect(isDateTime(text)).toBe(false);
  });

  test('one character off, wherever it stands', () => {
    const text = '2011-11-11T11:11:11Z';
    expect(isDateTime(text)).toBe(true);
    for (let at = 0; at < text.length; at++) {
      // What stands before 0 and after 9, and what else a field may be mistaken for.
      for (const odd of ['/', ':', ';', '-', 'T', 'Z', ' ', '.', '+', 'a', '１']) {
        if (odd !== text[at]) expect(isDateTime(text.slice(0, at) + odd + text.slice(at + 1))).toBe(false);
      }
    }
  });

  test('64 characters are the most', () => {
    const long = (digits: number) => `2026-06-01T12:00:00.${'1'.repeat(digits)}Z`;
    expect(long(43)).toHaveLength(64);
    expect(isDateTime(long(43))).toBe(true);
    expect(isDateTime(long(44))).toBe(false);
  });
});

describe('beside the clock of the language', () => {
  const date = fc.date({
    min: new Date('0000-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59Z'),
    noInvalidDate: true,
  });
  const zone = fc.oneof(
    fc.constant('Z'),
    fc
      .record({
        sign: fc.constantFrom('+', '-'),
        hours: fc.integer({ min: 0, max: 23 }),
        minutes: fc.integer({ min: 0, max: 59 }),
      })
      .map(({ sign, hours, minutes }) => `${sign}${two(hours)}:${two(minutes)}`),
  );

  test('valid texts mean the same moment', () => {
    fc.assert(
      fc.property(date, zone, (when, suffix) => {
        const text = when.toISOString().replace('Z', suffix);
        expect(parseTime(text)).toBe(Date.parse(text));
      }),
      { numRuns: 1000 },
    );
  });

  test('fields out of range make no time; those in range make that of the calendar', () => {
    const field = (most: number) => fc.integer({ min: 0, max: most + 2 });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9999 }),
        field(12),
        field(31),
        field(23),
        field(59),
        field(59),
        (y, mo, d, h, mi, s) => {
          const text = `${String(y).padStart(4, '0')}-${two(mo)}-${two(d)}T${two(h)}:${two(mi)}:${two(s)}Z`;
          const read = new Date(Date.parse(text));
          // The language rolls a thirtieth of February over; a time that reads back as it was written did not roll.
          const real = !Number.isNaN(read.getTime()) && read.toISOString() === text.replace('Z', '.000Z');
          expect(parseTime(text)).toBe(real ? read.getTime() : undefined);
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('any text is a time or none, and never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[-0-9T:.+Z]{0,40}$/)), (text) => {
        const found = parseTime(text);
        expect(found === undefined || Number.isFinite(found)).toBe(true);
        expect(isDateTime(text)).toBe(found !== undefined);
      }),
    );
  });
});
