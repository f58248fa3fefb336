/** The pictures of terminals: that of the demo is up to date, and what no demo shows yet. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { demoPicture } from '../../../tools/generate/demo-picture.ts';
import { terminalPicture } from '../../../tools/generate/terminal-picture.ts';

test('docs/public/images/demo.svg is what muster demo prints; if not: npm run generate', async () => {
  const { path, text } = await demoPicture();
  expect(readFileSync(path, 'utf8')).toBe(text);
});

describe('a picture', () => {
  const rows = (printed: string) =>
    [...terminalPicture('t', printed, 20).matchAll(/<text [^>]*>(.*)<\/text>/g)].map(([, row]) => row);

  test.each([
    ['markup as text', '<b> & "c"', ['&lt;b&gt; &amp; "c"']],
    [
      'a color over the end of a line',
      '\u001b[2ma\nb\u001b[22mc',
      ['<tspan fill="#9198a1">a</tspan>', '<tspan fill="#9198a1">b</tspan>c'],
    ],
  ])('has %s', (_, printed, expected) => expect(rows(printed)).toEqual(expected));

  test.each([
    ['a line that the terminal would break', 'x'.repeat(21), 'a line has 21 columns'],
    ['a color that it does not know', '\u001b[95ma', 'no color for the escape sequence 95'],
  ])('is refused for %s', (_, printed, message) => expect(() => rows(printed)).toThrow(message));
});
