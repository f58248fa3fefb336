/** Text for people: the position of the mark, and that no text of a manifest is taken for muster's. */

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Location } from '../../../src/documents/index.ts';
import { excerpt } from '../../../src/report/excerpt.ts';
import { noColor, paintFor } from '../../../src/report/terminal.ts';
import { errorLine, renderText } from '../../../src/report/text.ts';
import { ruleUrl } from '../../../src/rules/documentation.ts';
import { allowed, anyReport, finding, report, reporting, result, text, warned } from './fixtures.ts';

const mark = (from: number, to?: number, line = 7): Location => {
  return { line, column: from, ...(to !== undefined && { endLine: line, endColumn: to }) };
};

describe('an excerpt', () => {
  const cases: readonly (readonly [name: string, line: string, at: Location, source: string, under: string])[] = [
    ['a value', '  value: East 1 # x', mark(10, 16), '  value: East 1 # x', '         ^~~~~~'],
    ['no end', '  list: [1]', mark(9), '  list: [1]', '        ^'],
    ['one character', 'a: b', mark(4, 5), 'a: b', '   ^'],
    ['an end lines below', 'a: "b', { ...mark(4), endLine: 9, endColumn: 2 }, 'a: "b', '   ^~'],
    ['tabs', '\t"a":\t1', mark(7, 8), '  "a":  1', '        ^'],
    ['wide characters', '東: "京都"', mark(4, 8), '東: "京都"', '    ^~~~~~'],
    ['emoji', '😀: 😀😀', mark(5, 9), '😀: 😀😀', '    ^~~~'],
    ['combining marks', 'e\u0301: e\u0301x', mark(5, 8), 'e\u0301: e\u0301x', '   ^~'],
    ['controls', '\u001b[1m: b', mark(7, 8), '\\u001b[1m: b', '           ^'],
    ['commands of CI systems', '##vso[x]: a', mark(11), '#\\u0023vso[x]: a', '               ^'],
    ['a column beyond the end', 'ab', mark(9), 'ab', '  ^'],
  ];
  test.each(cases)('%s', (_name, line, at, source, under) => {
    expect(excerpt(line, at)).toEqual([`  7 | ${source}`, `    | ${under}`]);
  });

  test.each([
    ['at the beginning', `{"a": "here", ${'"x": 1, '.repeat(50)}}`],
    ['in the middle', `{${'"x": 1, '.repeat(50)}"a": "here", ${'"x": 1, '.repeat(50)}}`],
    ['at the end', `{${'"x": 1, '.repeat(50)}"a": "here"}`],
    ['among wide characters', `${'東'.repeat(300)} "here" ${'東'.repeat(300)}`],
    ['behind narrow characters of two code units', `${'𝒳'.repeat(301)} "here" ${'x'.repeat(300)}`],
    ['behind wide ones', `${'😀'.repeat(301)} "here" ${'x'.repeat(300)}`],
  ])('of a long line shows what is marked: %s', (_, line) => {
    const at = line.indexOf('"here"');
    const [source = '', under = ''] = excerpt(line, mark(at + 1, at + 7));
    const width = (part: string) => [...part].reduce((sum, char) => sum + (/[東😀]/u.test(char) ? 2 : 1), 0);
    expect(width(source.slice(0, source.indexOf('"here"')))).toBe(under.indexOf('^'));
    expect(under.trimEnd()).toMatch(/ \^~{5}$/);
    expect(width(source)).toBeLessThan(112);
    expect(source).not.toContain('\\ud');
    expect(source.startsWith('  7 | …')).toBe(at > 40);
    expect(source.endsWith('…')).toBe(at + 60 < line.length);
  });

  test('is short and has no control character, for any line', () => {
    const columns = fc.record({
      column: fc.integer({ min: 1, max: 30_000 }),
      endColumn: fc.integer({ min: 1, max: 30_000 }),
    });
    fc.assert(
      fc.property(text, text, columns, (before, after, location) => {
        const line = (before + after).replaceAll('\n', ' ');
        const lines = excerpt(line, { line: 1, endLine: 1, ...location });
        expect(lines.length).toBe(line.trim() === '' ? 0 : 2);
        for (const one of lines) expect(one).not.toMatch(/[\p{Cc}\p{Cs}\u2028\u202e]|##\w*\[/u);
        for (const one of lines) expect(one.length).toBeLessThan(700);
      }),
      { numRuns: 500 },
    );
  });
});

describe('a report', () => {
  const sourceLine = (line: number) => (line === 6 ? '  value: A_B' : '');
  const lines = (...results: ReturnType<typeof result>[]) => [...renderText(report({ results }), reporting(), noColor)];

  test('shows each finding with its source, the page of each rule once, and the summary last', () => {
    const bad = result({ findings: [finding({ endLine: 6, endColumn: 13, sourceLine })] });
    expect(lines(bad, warned(), allowed()).join('')).toBe(
      [
        'claims.yaml:6:10: denied [claim/id-syntax] spec.value: must be a DNS label, got "A_B" (ClusterClaim id.k8s.io)',
        '  6 |   value: A_B',
        '    |          ^~~',
        'claims.yaml:6:10: warn [claim/id-syntax] spec.value: must be a DNS label, got "A_B" (ClusterClaim id.k8s.io)',
        'More on a rule: muster explain claim/id-syntax, or https://docs.example/rules/claim-id-syntax',
        '3 evaluated: 2 allowed, 1 denied, 0 indeterminate; 1 warning, 0 skipped, 0 errors',
        '',
      ].join('\n'),
    );
  });

  test('reads of a long line what is near the mark', () => {
    const line = `${'x'.repeat(5000)}value: A_B${'y'.repeat(5000)}`;
    const parts: number[] = [];
    const at = { line: 1, column: 5008, endLine: 1, endColumn: 5011 };
    const reader = (_: number, from = 1, to = Number.POSITIVE_INFINITY) => {
      parts.push(to - from);
      return line.slice(from - 1, to - 1);
    };
    const [, source = '', under = ''] = lines(result({ findings: [finding({ ...at, sourceLine: reader })] }));
    expect(source.slice(under.indexOf('^'), under.trimEnd().length)).toBe('A_B');
    expect(source).toMatch(/^ {2}1 \| …x{33}value: A_By{57}…\n$/);
    expect(Math.max(...parts)).toBeLessThan(3000);
  });

  test('of several rules has the page of each', () => {
    const findings = ['claim/value', 'claim/id-syntax', 'claim/value'].map((ruleId) =>
      finding({ ruleId, url: ruleUrl(ruleId) }),
    );
    const more = lines(result({ findings })).filter((line) => line.startsWith('More'));
    expect(more).toEqual([
      `More on a rule: muster explain claim/value, or ${ruleUrl('claim/value')}\n`,
      `More on a rule: muster explain claim/id-syntax, or ${ruleUrl('claim/id-syntax')}\n`,
    ]);
  });

  test('is colored on a terminal and has the same text', () => {
    const paint = paintFor({ isTTY: true }, {});
    const input = report({ results: [result({ findings: [finding({ sourceLine })] })] });
    const painted = [...renderText(input, reporting(), paint)].join('');
    expect(painted).toContain('\u001b[31mdenied\u001b[39m');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the paint is made of them
    expect(painted.replace(/\u001b\[\d+m/g, '')).toBe([...renderText(input, reporting(), noColor)].join(''));
  });

  test('escapes a file name that begins like a command', () => {
    expect(errorLine({ file: ' ::error::x.yaml', line: 1, column: 1, message: 'm' })).toBe(
      './::error::x.yaml:1:1: error: m',
    );
  });

  test('a warning that only the mode keeps from a denial says so', () => {
    const capped = warned({ findings: [finding({ action: 'warn', wouldDeny: true })] });
    expect(lines(capped)[0]).toContain(' warn [claim/id-syntax] would be denied: spec.value: must be a DNS label');
  });

  test('has no line that is a command of a CI system, for any text', () => {
    fc.assert(
      fc.property(anyReport, (input) => {
        const printed = [
          ...renderText(input, reporting(), noColor),
          ...input.errors.map((error) => `${errorLine(error)}\n`),
        ];
        for (const line of printed) {
          expect(line).not.toMatch(/[\p{Cs}\u2028\u202e]|##\w*\[|^\s*::/u);
          // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come through
          expect(line).toMatch(/^[^\u0000-\u001f\u007f-\u009f]*\n$/);
        }
      }),
      { numRuns: 300 },
    );
  });
});
