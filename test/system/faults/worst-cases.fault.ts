/** The worst that can be sent to each regular expression, and to whatever goes through lists or compares objects. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { LONGEST_SEARCHED } from '../../../src/base/syntax.ts';
import { median } from '../../support/figures.ts';
import { byForm, record } from './figures.ts';
import { attack } from './worst-cases/attack.ts';
import { parseLargestBody } from './worst-cases/baseline.ts';
import { expressionsInSources } from './worst-cases/expressions.ts';
import type { Measured, Part } from './worst-cases/measure.ts';

/**
 * How much longer one search may take than JSON.parse for the largest body, and how much longer a review may hold the
 * event loop.
 */
const MOST_FOR_A_SEARCH = 1;
const MOST_FOR_A_REVIEW = 2;
const LONG = 3_100_000;
const MINUTES = 60_000;
const MAIN = fileURLToPath(new URL('./worst-cases/measure.ts', import.meta.url));

/** Characters that can reach an expression. */
function reachOf(file: string): number {
  // A compiled schema searches no longer text; a configuration has a MiB at most.
  if (file === 'schema/shapes.generated.ts') return LONGEST_SEARCHED;
  // Looks at the length first. That it does, a review below shows.
  if (file === 'rules/inventory/version.ts') return 256;
  // Looks at each character by itself.
  if (file === 'report/excerpt.ts') return 2;
  return /^(documents|config|schema)\//.test(file) ? 2 ** 20 : LONG;
}

const baseline = () => median(Array.from({ length: 5 }, parseLargestBody));

test(
  'an expression that takes far too long is found',
  () => {
    const slow = attack({ file: 'none', pattern: '\\s+$', flags: '' }, 40_000);
    expect(slow.ms / baseline()).toBeGreaterThan(MOST_FOR_A_SEARCH);
  },
  2 * MINUTES,
);

test(
  'every regular expression of the sources, at the longest text that can reach it',
  () => {
    const all = expressionsInSources().map((expression) => attack(expression, reachOf(expression.file)));
    const [worst] = [...all].sort((a, b) => b.ms - a.ms);
    const baselineMs = baseline();
    record(
      'worst-cases',
      'regular expressions',
      `${all.length} found in the sources, each tried with some 4,400 kinds of text and the worst at up to 3.1 MB: the slowest took ${worst?.ms.toFixed(1)} ms (/${worst?.expression.pattern}/ in ${worst?.expression.file})`,
      `regular expressions at most ${times((worst?.ms ?? 0) / baselineMs)}`,
    );
    const beyond = all.filter(({ ms }) => ms / baselineMs >= MOST_FOR_A_SEARCH);
    expect(
      beyond.map(
        ({ expression, ms, length, text }) =>
          `${expression.file} /${expression.pattern}/: ${ms} ms at ${length}: ${JSON.stringify(text)}`,
      ),
    ).toEqual([]);
    // The list is no list if it lacks what everybody knows is there.
    expect(all.map(({ expression }) => expression.file)).toEqual(
      expect.arrayContaining(['base/syntax.ts', 'base/text.ts', 'schema/shapes.generated.ts']),
    );
  },
  10 * MINUTES,
);

async function measured(part: Part): Promise<Measured[]> {
  const rounds = byForm('3', '5');
  const args = ['--expose-gc', MAIN, part, rounds];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 });
  return JSON.parse(stdout) as Measured[];
}

const times = (ratio: number) => `${ratio.toFixed(1)} times as long`;
const text = ({ name, stallMs, baselineMs, megabytes }: Measured) =>
  `${Math.round(stallMs)} ms, ${times(stallMs / baselineMs)} as JSON.parse takes for the largest body (${name}; ${megabytes.toFixed(1)} MB)`;

test.each([
  ['reviews made for them', 'expressions'],
  ['uniqueItems', 'unique'],
  ['lists and maps as large as a review may hold', 'lists'],
] as const)(
  '%s',
  async (name, part) => {
    const all = (await measured(part)).sort((a, b) => b.stallMs - a.stallMs);
    const [worst] = all;
    const longest = worst ? text(worst) : '';
    record(
      'worst-cases',
      name,
      `${all.length} reviews, from bytes to answer: the longest held the event loop for ${longest}`,
      part === 'lists' && worst ? `reviews at most ${times(worst.stallMs / worst.baselineMs)}` : undefined,
    );
    expect(all.filter(({ outcome }) => outcome === 'error').map(({ name }) => name)).toEqual([]);
    expect(all.filter(({ megabytes }) => megabytes > 8.4).map(({ name }) => name)).toEqual([]);
    expect(all.filter(({ stallMs, baselineMs }) => stallMs / baselineMs >= MOST_FOR_A_REVIEW).map(text)).toEqual([]);
    // What is refused before it is decoded shows nothing: only texts that are no Unicode are.
    expect(all.filter(({ unreadable }) => unreadable?.includes('too many values')).map(({ name }) => name)).toEqual([]);
  },
  10 * MINUTES,
);
