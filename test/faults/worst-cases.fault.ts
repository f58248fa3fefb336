/** The worst that can be sent to each regular expression, and to whatever goes through lists or compares objects. */
import { expect, test } from '@jest/globals';
import { LONGEST_SEARCHED } from '../../src/engine/bounded-pattern.ts';
import { createEngine, defaultPolicy, type Engine } from '../../src/engine/index.ts';
import { ruleIds } from '../../src/rules/index.ts';
import { byForm, record } from './figure.ts';
import { attack } from './worst-cases/attack.ts';
import { type Crafted, forExpressions, forLists, forUnique } from './worst-cases/crafted.ts';
import { expressionsInSources } from './worst-cases/expressions.ts';
import { type Taken, taken } from './worst-cases/measure.ts';

/** Milliseconds of processor time, beyond what JSON.parse takes for the same bytes. */
const MOST_MS = 50;
/** What as many entries or members as fit a request may take. The machine is shared: this is for what grows out of hand. */
const MOST_MS_OF_LISTS = 500;
const LONG = 3_100_000;
const MINUTES = 60_000;

/** Every rule denies, so that every finding is told at length. */
const actions = new Map([...ruleIds].map((id) => [id as string, { webhook: 'deny' } as const]));
const engine: Engine = createEngine({ policy: { ...defaultPolicy, actions }, point: 'webhook' });

/** Characters that can reach an expression. */
function reachOf(file: string): number {
  // A compiled schema searches no longer text; a configuration has a MiB at most.
  if (file === 'engine/validators.generated.ts') return LONGEST_SEARCHED;
  // Rules look at the length first: labels 63, times 64, versions 256. That they do, the reviews below show.
  if (file.startsWith('rules/')) return 256;
  return file.startsWith('documents/') || file.startsWith('config/') ? 2 ** 20 : LONG;
}

test(
  'an expression that can take for ever would be noticed',
  () => {
    const slow = attack({ file: 'none', pattern: '\\s+$', flags: '' }, 100_000);
    expect(slow.ms).toBeGreaterThan(MOST_MS);
  },
  2 * MINUTES,
);

test(
  'every regular expression of the sources, at the longest text that can reach it',
  () => {
    const all = expressionsInSources().map((expression) => attack(expression, reachOf(expression.file)));
    const [worst] = [...all].sort((a, b) => b.ms - a.ms);
    record(
      'worst-cases',
      'regular expressions',
      `${all.length} found in the sources, each tried with some 4,400 kinds of text and the worst at up to 3.1 MB: the dearest took ${worst?.ms.toFixed(1)} ms (/${worst?.expression.pattern}/ in ${worst?.expression.file})`,
    );
    const beyond = all.filter(({ ms }) => ms >= MOST_MS);
    expect(
      beyond.map(
        ({ expression, ms, length, text }) =>
          `${expression.file} /${expression.pattern}/: ${ms} ms at ${length}: ${JSON.stringify(text)}`,
      ),
    ).toEqual([]);
    // The list is no list if it lacks what everybody knows is there.
    expect(all.map(({ expression }) => expression.file)).toEqual(
      expect.arrayContaining(['rules/syntax.ts', 'engine/text.ts', 'engine/validators.generated.ts']),
    );
  },
  10 * MINUTES,
);

interface Measured extends Taken {
  readonly name: string;
  readonly megabytes: number;
}

async function measured(crafted: readonly Crafted[]): Promise<Measured[]> {
  const all: Measured[] = [];
  for (const { name, review } of crafted) {
    const bytes = Buffer.from(JSON.stringify(review));
    all.push({ name, megabytes: bytes.length / 1e6, ...(await taken(engine, bytes)) });
  }
  return all.sort((a, b) => b.addedMs - a.addedMs);
}

const told = ({ name, addedMs, parseMs, megabytes }: Measured) =>
  `${Math.round(addedMs)} ms (${name}; ${megabytes.toFixed(1)} MB, of which JSON.parse takes ${Math.round(parseMs)} ms)`;

test.each([
  ['reviews made for them', forExpressions, MOST_MS],
  ['uniqueItems', forUnique, byForm({ short: 2 * MOST_MS, full: MOST_MS, scheduled: MOST_MS })],
  ['lists and maps of up to 100,000', forLists, MOST_MS_OF_LISTS],
] as const)(
  '%s',
  async (part, crafted, most) => {
    const all = await measured(crafted);
    const [worst] = all;
    const beyond = all.filter(({ addedMs }) => addedMs >= MOST_MS).length;
    record(
      'worst-cases',
      part,
      `${all.length} reviews, from bytes to answer: the dearest added ${worst ? told(worst) : ''}; ${beyond} beyond ${MOST_MS} ms`,
    );
    expect(all.filter(({ decision }) => decision.outcome === 'error').map(({ name }) => name)).toEqual([]);
    expect(all.filter(({ megabytes }) => megabytes > 8.4).map(({ name }) => name)).toEqual([]);
    expect(all.filter(({ addedMs }) => addedMs >= most).map(told)).toEqual([]);
  },
  10 * MINUTES,
);
