import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { decodeReview } from '../../../src/server/admission/review.ts';
import { MOST_WEIGHT, weightOf } from '../../../src/server/admission/weight.ts';

/** Lists of a mebibyte, of whatever takes the most memory for its text. */
const HEAVY: Readonly<Record<string, (n: number) => string>> = {
  'empty objects': () => '{}',
  'empty lists': () => '[]',
  'objects that share no key': (n) => `{"${n.toString(36)}":0}`,
  'objects in objects that share no key': (n) => `{"${n.toString(36)}":{}}`,
  'texts beyond Latin 1': () => `"${'a'.repeat(500)}→"`,
  'short texts': (n) => `"${n.toString(36)}"`,
  fractions: (n) => `{"a":${n}.5}`,
};

test.each(Object.keys(HEAVY))('%s take no more memory than they weigh, and not a tenth of it either', (name) => {
  const one = HEAVY[name] ?? String;
  const text = listOf(one, 2 ** 20);
  const taken = decodedBytes(text);
  const weight = weightOf(Buffer.from(text));
  expect(taken).toBeLessThan(weight * 1.05);
  expect(taken).toBeGreaterThan(weight / 10);
});

test('a map of keys takes no more memory than it weighs', () => {
  const text = `{${listOf((n) => `"${n.toString(36)}":0`, 2 ** 20).slice(1, -1)}}`;
  expect(decodedBytes(text)).toBeLessThan(weightOf(Buffer.from(text)));
});

test('what is too heavy is refused undecoded, under its uid; text alone never is', () => {
  const review = (filler: string) => ({
    bytes: Buffer.from(`{"request":{"uid":"u-1","object":{"spec":[${filler}]}}}`),
    tooLarge: false,
  });
  // Two marks and three bytes each.
  const most = Math.floor(MOST_WEIGHT / (2 * 64 + 3 * 2));
  const problem = expect.stringContaining('too many values');
  expect(decodeReview(review(`${'{},'.repeat(most)}{}`))).toMatchObject({ kind: 'refuse', uid: 'u-1', problem });
  expect(decodeReview(review(`${'{},'.repeat(most - 10)}{}`))).not.toMatchObject({ problem });
  expect(decodeReview(review(`"${'{[,:\\"'.repeat(1_300_000)}"`))).not.toMatchObject({ problem });
});

function listOf(one: (n: number) => string, length: number): string {
  const parts: string[] = [];
  for (let size = 0, n = 0; size < length; n++) {
    const part = one(n);
    parts.push(part);
    size += part.length + 1;
  }
  return `[${parts.join()}]`;
}

/** What a process of its own holds more once it has decoded the text. */
function decodedBytes(text: string): number {
  const script = `
    const text = require('node:fs').readFileSync(0, 'utf8');
    gc();
    const before = process.memoryUsage().heapUsed;
    const value = JSON.parse(text);
    gc();
    console.log(process.memoryUsage().heapUsed - before, typeof value);`;
  const output = execFileSync(process.execPath, ['--expose-gc', '-e', script], { input: text, encoding: 'utf8' });
  return Number(output.split(' ')[0]);
}
