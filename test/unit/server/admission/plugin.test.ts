import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { type BodyFailure, readBody } from '../../../../src/server/admission/plugin.ts';
import { LoadLimiter } from '../../../../src/server/load/load-limiter.ts';

const limits = { bodyLimit: 10, readBytes: 30 };

function read(stream: Readable, { bodyBytes = 1000, room = limits } = {}) {
  const limiter = new LoadLimiter({ bodyBytes, bodyLimit: room.bodyLimit, permits: 1 });
  const body = limiter.newBody('a');
  return new Promise<{
    result: BodyFailure | 'dropped' | { bytes: Buffer; tooLarge: boolean };
    held: number | undefined;
  }>((resolve) => {
    readBody(stream as IncomingMessage, body, room.readBytes, (failure) => {
      const held = limiter.bounds().find(({ name }) => name === 'body_bytes')?.held;
      const { bytes, tooLarge, dropped } = body;
      resolve({ result: failure ?? (dropped ? 'dropped' : { bytes, tooLarge }), held });
    });
  });
}

const stream = (...chunks: string[]) =>
  Readable.from(
    chunks.map((chunk) => Buffer.from(chunk)),
    { objectMode: false },
  );
const body = (text: string, tooLarge = false) => ({ bytes: Buffer.from(text), tooLarge });

test.each<[string, string[], string, boolean]>([
  ['several chunks, in their order', ['abc', 'def'], 'abcdef', false],
  ['nothing', [], '', false],
  ['chunks of one byte', [...'0123456789'], '0123456789', false],
  ['one byte too many: the beginning is kept, and the rest is read', ['0123456789', 'a', 'bcdef'], '0123456789a', true],
])('%s', async (_, chunks, text, tooLarge) => {
  const source = stream(...chunks);
  expect(await read(source)).toEqual({ result: body(text, tooLarge), held: text.length });
  expect(source.readableEnded).toBe(true);
});

test('a body beyond any measure is not read to its end', async () => {
  let sent = 0;
  // Far more than is read of it; without an end, a fault would never end the test.
  const large = Readable.from(
    (async function* () {
      while (sent < 1000) {
        sent += 1;
        yield Buffer.from('0123456789');
      }
    })(),
    { objectMode: false, highWaterMark: 10 },
  );
  expect((await read(large)).result).toMatchObject({ tooLarge: true });
  expect(sent).toBeLessThan(20);
});

test('a body without memory is read to its end and dropped, so that the caller sees the answer', async () => {
  const source = stream('abc', 'def', 'ghi');
  expect(await read(source, { bodyBytes: 5 })).toEqual({ result: 'dropped', held: 0 });
  expect(source.readableEnded).toBe(true);
});

test('a caller that leaves is noticed, and nothing of its body is held', async () => {
  const broken = new Readable({
    read() {
      this.push('abc');
      this.destroy(new Error('aborted'));
    },
  });
  expect(await read(broken)).toMatchObject({ result: 'gone' });
});

test('hundreds of tiny chunks end the connection; a few, and many of a sensible size, do not', async () => {
  const room = { bodyLimit: 50_000, readBytes: 50_000 };
  const chunks = (count: number, size: number) => stream(...Array.from({ length: count }, () => 'a'.repeat(size)));
  const tiny = chunks(257, 1);
  expect(await read(tiny, { bodyBytes: 100_000, room })).toMatchObject({ result: 'tiny_chunks' });
  expect(tiny.destroyed).toBe(true);
  expect((await read(chunks(256, 1), { bodyBytes: 100_000, room })).held).toBe(256);
  expect((await read(chunks(300, 64), { bodyBytes: 100_000, room })).held).toBe(300 * 64);
});
