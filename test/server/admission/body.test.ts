import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import {
  type Body,
  BodyCrumbs,
  type BodyLimits,
  BodyShed,
  CallerGone,
  readBody as readThen,
} from '../../../src/server/admission/body.ts';
import { HeldBytes, type Holding } from '../../../src/server/load/held-bytes.ts';

const limits = { kept: 10, read: 30 };
const readHeldBody = (source: Readable, room: BodyLimits, holding: Holding) =>
  new Promise<Body>((resolve, reject) => {
    readThen(source, room, holding, (read) => (read instanceof Error ? reject(read) : resolve(read)));
  });
const readBody = (source: Readable, bytes = new HeldBytes(1000)) => readHeldBody(source, limits, bytes.open('a'));
const stream = (...chunks: string[]) =>
  Readable.from(
    chunks.map((chunk) => Buffer.from(chunk)),
    { objectMode: false },
  );

test('all of it, in order', async () => {
  expect(await readBody(stream('abc', 'def'))).toEqual({ bytes: Buffer.from('abcdef'), tooLarge: false });
});

test('nothing at all', async () => {
  expect(await readBody(stream())).toEqual({ bytes: Buffer.alloc(0), tooLarge: false });
});

test('exactly the limit', async () => {
  expect(await readBody(stream('0123456789'))).toMatchObject({ tooLarge: false });
});

test('one byte more: the beginning is kept, the rest is read and dropped', async () => {
  const source = stream('0123456789', 'a', 'bcdef');
  const body = await readBody(source);
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
  expect(await readBody(endless)).toMatchObject({ tooLarge: true });
  expect(given).toBeLessThan(20);
});

test('a caller that hangs up', async () => {
  const broken = new Readable({
    read() {
      this.destroy(new Error('aborted'));
    },
  });
  await expect(readBody(broken)).rejects.toThrow(CallerGone);
});

test('what is held of it is told, and the beginning alone of one that is too large', async () => {
  const bytes = new HeldBytes(1000);
  await readBody(stream('abc', 'def'), bytes);
  expect(bytes.bounds()[0]?.held).toBe(6);
  await readBody(stream('0123456789', 'a', 'bcdef'), bytes);
  expect(bytes.bounds()[0]?.held).toBe(6 + 11);
});

test('for one that can not be held it waits to its end, and keeps nothing', async () => {
  const bytes = new HeldBytes(5);
  const source = stream('abc', 'def', 'ghi');
  await expect(readBody(source, bytes)).rejects.toThrow(BodyShed);
  expect(source.readableEnded).toBe(true);
  expect(bytes.bounds()[0]?.held).toBe(0);
});

test('many small pieces are one', async () => {
  const pieces = Array.from('0123456789');
  expect((await readBody(stream(...pieces))).bytes.toString()).toBe('0123456789');
});

test('crumbs without end are not read to their end, a handful and larger pieces are', async () => {
  const held = () => new HeldBytes(100_000).open('a');
  const room = { kept: 50_000, read: 50_000 };
  const crumbs = stream(...Array.from({ length: 257 }, () => 'a'));
  await expect(readHeldBody(crumbs, room, held())).rejects.toThrow(BodyCrumbs);
  expect(crumbs.destroyed).toBe(true);
  const few = await readHeldBody(stream(...Array.from({ length: 256 }, () => 'a')), room, held());
  expect(few.bytes.length).toBe(256);
  const pieces = stream(...Array.from({ length: 300 }, () => 'a'.repeat(64)));
  expect((await readHeldBody(pieces, room, held())).bytes.length).toBe(300 * 64);
});

test('a caller that has hung up before', async () => {
  const gone = new Readable({ read() {} });
  gone.destroy();
  await expect(readBody(gone)).rejects.toThrow(CallerGone);
});
