import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decodeReview, MARKS_LIMIT } from '../../../../src/server/admission/decode.ts';
import { bytesOf, claim, nested, reviewWith, UID } from '../../../support/reviews.ts';

const decode = (bytes: Buffer, tooLarge = false) => decodeReview({ bytes, tooLarge }).review;
const whole = bytesOf(reviewWith());
/** The review with `spec.deep` nested so deep; request, object and spec stand around it. */
const deep = (levels: number) =>
  Buffer.from(whole.toString().replace('"value":"apac"', `"value":"apac","deep":${nested(levels)}`));

describe('what is read', () => {
  test('a review', () => {
    expect(decode(whole)).toMatchObject({ kind: 'evaluate', request: { uid: UID } });
  });

  test('white space around it', () => {
    expect(decode(Buffer.from(`\n ${JSON.stringify(reviewWith(), null, 2)}\r\n`))).toMatchObject({ kind: 'evaluate' });
  });

  test.each([1, 150, 196])('%d levels within spec', (levels) => {
    expect(decode(deep(levels))).toMatchObject({ kind: 'evaluate' });
  });

  test('brackets in a text are no depth', () => {
    const spec = { value: '[{"\\'.repeat(5000) };
    expect(decode(bytesOf(reviewWith({ object: { ...claim, spec } })))).toMatchObject({
      kind: 'evaluate',
      subject: { object: { spec } },
    });
  });

  test('__proto__ supplies nothing', () => {
    const text = whole.toString().replace('"spec":{"value":"apac"}', '"spec":{"__proto__":{"value":"apac"}}');
    const read = decode(Buffer.from(text));
    const { spec } = (read.kind === 'evaluate' ? read.subject.object : {}) as { spec: { value?: unknown } };
    expect([Object.keys(spec), spec.value]).toEqual([['__proto__'], undefined]);
  });

  test('eight megabytes', () => {
    expect(decode(bytesOf(reviewWith({ object: { ...claim, filler: 'x'.repeat(8_000_000) } })))).toMatchObject({
      kind: 'evaluate',
    });
  });
});

describe('what is refused, under its uid', () => {
  test.each<[string, Buffer, string]>([
    ['197 levels within spec', deep(197), 'nests 201 levels deep'],
    ['9,000 levels', deep(9000), 'nests 9004 levels deep'],
    [
      'a million levels, never closed',
      Buffer.from(whole.toString().replace('"apac"', '['.repeat(1_000_000))),
      'levels deep',
    ],
    ['the last byte missing', whole.subarray(0, -1), 'not JSON'],
    ['cut in the object', whole.subarray(0, whole.indexOf('"apac"') + 3), 'not JSON'],
    ['a second value behind', Buffer.concat([whole, Buffer.from('{}')]), 'not JSON'],
    ['a byte order mark', Buffer.concat([Buffer.from('\ufeff'), whole]), 'not JSON'],
    ['garbage before', Buffer.concat([Buffer.from('"]}x'), whole]), 'not JSON'],
    ['a stray quote before', Buffer.concat([Buffer.from('"'), whole]), 'not JSON'],
    ['a list around', Buffer.from(`[${whole}]`), 'must be a JSON object'],
    [
      'an overlong slash',
      Buffer.from(whole.toString('latin1').replace('apac', '\xc0\xaf'), 'latin1'),
      'not valid UTF-8',
    ],
    [
      'a raw surrogate',
      Buffer.from(whole.toString('latin1').replace('apac', '\xed\xa0\x80'), 'latin1'),
      'not valid UTF-8',
    ],
    ['single quotes', Buffer.from(whole.toString().replace('"apac"', "'apac'")), 'not JSON'],
    ['NaN', Buffer.from(whole.toString().replace('"apac"', 'NaN')), 'not JSON'],
    ['a raw line break in a text', Buffer.from(whole.toString().replace('apac', 'a\nb')), 'not JSON'],
    [
      'the uid last and the object too deep',
      bytesOf({ request: { object: JSON.parse(nested(500)), uid: UID } }),
      'levels deep',
    ],
  ])('%s', (_, bytes, problem) => {
    const reading = decode(bytes);
    expect(reading).toMatchObject({ kind: 'refuse', problem: expect.stringContaining(problem) });
    // A list around shifts everything: the review is whole, yet none.
    if (!problem.startsWith('must')) expect(reading).toMatchObject({ uid: UID });
  });

  test('too large, of which only the head is kept', () => {
    expect(decode(whole.subarray(0, 300), true)).toEqual({
      kind: 'refuse',
      uid: UID,
      problem: 'the review is larger than 8 MiB',
      request: undefined,
    });
  });

  test('the uid of an object is not the uid of its request', () => {
    const broken = JSON.stringify({ request: { object: { metadata: { uid: 'object' } }, uid: UID } }).slice(0, -1);
    expect(decode(Buffer.from(broken))).toMatchObject({ uid: UID });
  });

  test('too many values: unparsed; text alone never is', () => {
    const review = (filler: string) => Buffer.from(`{"request":{"uid":"u-1","object":{"spec":[${filler}]}}}`);
    const problem = expect.stringContaining('too many values');
    expect(decode(review(`${'{},'.repeat(MARKS_LIMIT / 2)}{}`))).toMatchObject({ kind: 'refuse', uid: 'u-1', problem });
    expect(decode(review(`${'{},'.repeat(MARKS_LIMIT / 2 - 10)}{}`))).not.toMatchObject({ problem });
    expect(decode(review(`"${'{[,:\\"'.repeat(1_300_000)}"`))).not.toMatchObject({ problem });
  });

  test.each(['', '{', '[]', '"x"', 'hello', 'null', '{"request":{"uid":""', '{"request":{"uid":"cut of'])(
    '%j has none',
    (text) => {
      expect(decode(Buffer.from(text))).toMatchObject({ kind: 'refuse', uid: undefined });
    },
  );

  test('UTF-16', () => {
    expect(decode(Buffer.from(whole.toString(), 'utf16le'))).toMatchObject({ kind: 'refuse' });
  });
});

describe('properties', () => {
  test('a review cut anywhere behind its uid is refused under it', () => {
    const behind = whole.indexOf(UID) + UID.length + 1;
    fc.assert(
      fc.property(fc.integer({ min: behind, max: whole.length - 1 }), (end) => {
        expect(decode(whole.subarray(0, end))).toMatchObject({ kind: 'refuse', uid: UID });
      }),
    );
  });

  test('one flipped byte is never worse than a refusal', () => {
    const from = whole.indexOf(UID) + UID.length + 1;
    const place = fc.integer({ min: from, max: whole.length - 1 });
    fc.assert(
      fc.property(place, fc.integer({ min: 0, max: 255 }), (at, byte) => {
        const bytes = Buffer.from(whole);
        bytes[at] = byte;
        const reading = decode(bytes);
        const uid = reading.kind === 'refuse' ? reading.uid : reading.request.uid;
        expect(uid).toBe(UID);
      }),
    );
  });

  test('any uid comes back, whatever its characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }), (uid) => {
        const bytes = bytesOf(reviewWith({ uid }));
        expect(decode(bytes)).toMatchObject({ request: { uid } });
        expect(decode(bytes.subarray(0, -1))).toMatchObject({ uid });
      }),
    );
  });
});
