import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { CallerGone, readBody } from '../../src/server/body.ts';

const limits = { kept: 10, read: 30 };
const stream = (...chunks: string[]) =>
  Readable.from(
    chunks.map((chunk) => Buffer.from(chunk)),
    { objectMode: false },
  );

test('all of it, in order', async () => {
  expect(await readBody(stream('abc', 'def'), limits)).toEqual({ bytes: Buffer.from('abcdef'), tooLarge: false });
});

test('nothing at all', async () => {
  expect(await readBody(stream(), limits)).toEqual({ bytes: Buffer.alloc(0), tooLarge: false });
});

test('exactly the limit', async () => {
  expect(await readBody(stream('0123456789'), limits)).toMatchObject({ tooLarge: false });
});

test('one byte more: the beginning is kept, the rest is read and dropped', async () => {
  const source = stream('0123456789', 'a', 'bcdef');
  const body = await readBody(source, limits);
  expect(body).toEqual({ bytes: Buffer.from('0123456789a'), tooLarge: true });
  expect(source.readableEnded).toBe(true);
});

test('far too much is not read to its end', async () => {
  let given = 0;
  const endless = Readable.from(
    (async function* () {
      for (;;) {
        given += 1;
        yield Buffer.from('0123456789');
      }
    })(),
    { objectMode: false, highWaterMark: 10 },
  );
  expect(await readBody(endless, limits)).toMatchObject({ tooLarge: true });
  expect(given).toBeLessThan(20);
});

test('a caller that hangs up', async () => {
  const broken = new Readable({
    read() {
      this.destroy(new Error('aborted'));
    },
  });
  await expect(readBody(broken, limits)).rejects.toThrow(CallerGone);
});
