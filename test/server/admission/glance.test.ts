import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { glance } from '../../../src/server/admission/glance.ts';
import { DEPTH_LIMIT } from '../../../src/server/admission/review.ts';
import { survey } from '../../../src/server/admission/survey.ts';
import { weightOf } from '../../../src/server/admission/weight.ts';
import { WEIGHT_A_PLACE } from '../../../src/server/load/judging.ts';
import { bytesOf, nested, reviewOf, UID } from '../reviews.ts';

const whole = bytesOf(reviewOf());
const isBounded = (bytes: Buffer) => glance(bytes).text !== undefined;

test('a review is not walked, and its uid is found all the same', () => {
  const seen = glance(whole);
  expect(seen.text).toBe(whole.toString());
  expect(seen.uid).toBe(UID);
});

test('nothing at all', () => {
  expect(glance(Buffer.alloc(0))).toMatchObject({ depth: 0, marks: 0, uid: undefined });
});

test('whatever is JSON is neither deeper nor heavier than the bounds say', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 20 }), (json) => {
      const bytes = Buffer.from(json);
      const exact = survey(bytes);
      expect(glance(bytes).depth).toBeGreaterThanOrEqual(exact.depth);
      expect(glance(bytes).marks).toBeGreaterThanOrEqual(exact.marks);
    }),
  );
});

describe('what is not walked is not deep and has one place, the most of it too', () => {
  const fill = (text: string, size: number) => Buffer.from(text + ' '.repeat(size - text.length));

  test.each<[string, Buffer]>([
    ['levels', Buffer.from(nested(200))],
    ['a small body of nothing but marks', Buffer.from(','.repeat(2900))],
    ['a large one with as many entries as may be', fill(`[${'1,'.repeat(499)}1]`, 16 * 1024)],
    ['objects in it', fill(`[${'{},'.repeat(199)}1]`, 16 * 1024)],
  ])('%s', (_, bytes) => {
    const seen = glance(bytes);
    expect(isBounded(bytes)).toBe(true);
    expect(seen.depth).toBeLessThanOrEqual(DEPTH_LIMIT);
    expect(weightOf(bytes, seen)).toBeLessThanOrEqual(WEIGHT_A_PLACE);
  });
});

test.each<[string, Buffer]>([
  ['201 levels', Buffer.from(nested(201))],
  ['201 brackets, in a text', Buffer.from(`"${'[{'.repeat(100)}["`)],
  ['too many entries', Buffer.from(`[${'1,'.repeat(500)}1${' '.repeat(2900)}]`)],
  ['a large body', Buffer.from(' '.repeat(16 * 1024 + 1))],
])('%s: all is told exactly', (_, bytes) => {
  expect(isBounded(bytes)).toBe(false);
  expect(glance(bytes)).toEqual(survey(bytes));
});
