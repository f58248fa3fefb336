import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createLogWriter } from '../../../src/server/log/log-writer.ts';

type Done = (error: NodeJS.ErrnoException | null, written: number) => void;

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1));
}

/** A descriptor whose writes end when the test says so. */
function slowDescriptor() {
  const writes: { text: string; done: Done }[] = [];
  const write = (_fd: number, bytes: Buffer, offset: number, done: Done) => {
    writes.push({ text: bytes.subarray(offset).toString(), done });
  };
  const failure = (code: string): NodeJS.ErrnoException => Object.assign(new Error(code), { code });
  return { write, writes, failure };
}

/** Until what was gathered is written. */
const gathered = (writes: readonly unknown[], many: number) => until(() => writes.length >= many);

test('a line is written at once, those that follow together and a little later', async () => {
  const { write, writes } = slowDescriptor();
  const writer = createLogWriter(7, { write, gatherMs: 5 });
  for (const line of ['a\n', 'b\n']) writer.write(line);
  expect(writes.map(({ text }) => text)).toEqual(['a\n']);
  writes[0]?.done(null, 2);
  writer.write('c\n');
  expect(writes).toHaveLength(1);
  await gathered(writes, 2);
  expect(writes.map(({ text }) => text)).toEqual(['a\n', 'b\nc\n']);
  expect(writer.held()).toBe(4);
  writes[1]?.done(null, 4);
  expect(writer.held()).toBe(0);
  expect(writes).toHaveLength(2);
});

test('many lines wait for nothing', () => {
  const { write, writes } = slowDescriptor();
  const writer = createLogWriter(7, { write, gatherMs: 60_000 });
  writer.write('a\n');
  writes[0]?.done(null, 2);
  writer.write('b\n');
  expect(writes).toHaveLength(1);
  writer.write('c'.repeat(64 * 1024));
  expect(writes).toHaveLength(2);
  writes[1]?.done(null, 64 * 1024 + 2);
  expect(writer.held()).toBe(0);
});

test('whatever gathers while a write will not end is written after it, whole and in its order', () => {
  const { write, writes } = slowDescriptor();
  const writer = createLogWriter(7, { write });
  const lines = Array.from({ length: 2000 }, (_, nth) => `${nth} ${'é'.repeat(nth % 400)}\n`);
  lines.splice(1000, 0, `${'x'.repeat(200_000)}\n`);
  for (const line of lines) writer.write(line);
  expect(writes).toHaveLength(1);
  expect(writer.held()).toBe(Buffer.byteLength(lines.join('')));
  writes[0]?.done(null, Buffer.byteLength(lines[0] ?? ''));
  expect(writes.map(({ text }) => text).join('')).toBe(lines.join(''));
  writes[1]?.done(null, writer.held());
  expect([writer.held(), writer.dropped()]).toEqual([0, 0]);
});

test('what is written in part goes on where it ended', () => {
  const { write, writes } = slowDescriptor();
  const writer = createLogWriter(7, { write });
  writer.write('abcdef\n');
  writes[0]?.done(null, 3);
  expect(writes[1]?.text).toBe('def\n');
  writes[1]?.done(null, 4);
  expect([writer.held(), writer.dropped()]).toEqual([0, 0]);
});

test('beyond the bound, lines are dropped and counted; the older ones stay', async () => {
  const { write, writes } = slowDescriptor();
  const writer = createLogWriter(7, { write, limit: 10, gatherMs: 1 });
  for (const line of ['1234\n', '6789\n', 'x\n', 'y\n']) writer.write(line);
  expect([writer.held(), writer.limit, writer.dropped()]).toEqual([10, 10, 2]);
  writes[0]?.done(null, 5);
  writer.write('z\n');
  await gathered(writes, 2);
  expect(writes.map(({ text }) => text)).toEqual(['1234\n', '6789\nz\n']);
});

test('bytes are counted, not characters', () => {
  const { write } = slowDescriptor();
  const writer = createLogWriter(7, { write, limit: 10 });
  writer.write('€€€\n');
  expect(writer.held()).toBe(10);
});

test('whatever the lines: all that is taken is written, in its order, and what waits is never more than the limit', () => {
  const line = fc.string({ unit: fc.constantFrom('a', 'é', '€', '🚀'), maxLength: 30 }).map((text) => `${text}\n`);
  const steps = fc.array(fc.record({ line, written: fc.boolean() }), { maxLength: 60 });
  fc.assert(
    fc.property(steps, (all) => {
      const { write, writes } = slowDescriptor();
      const writer = createLogWriter(7, { write, limit: 200 });
      const [taken, lost]: [string[], string[]] = [[], []];
      let done = 0;
      const finish = () => {
        const next = writes[done];
        if (next === undefined) return false;
        done += 1;
        next.done(null, Buffer.byteLength(next.text));
        return true;
      };
      for (const { line: each, written } of all) {
        const room = writer.held() + Buffer.byteLength(each) <= writer.limit;
        (room ? taken : lost).push(each);
        writer.write(each);
        expect(writer.dropped()).toBe(lost.length);
        if (written) finish();
      }
      while (writer.held() > 0) {
        void writer.flush(1);
        if (!finish()) break;
      }
      expect(writes.map(({ text }) => text).join('')).toBe(taken.join(''));
      expect(writer.held()).toBe(0);
    }),
  );
});

test.each(['ENOSPC', 'EPIPE', 'EBADF', 'EIO'])(
  '%s: the lines are lost and counted, and the next are tried',
  async (code) => {
    const { write, writes, failure } = slowDescriptor();
    const writer = createLogWriter(7, { write, gatherMs: 1 });
    for (const line of ['a\n', 'b\n', 'c\n']) writer.write(line);
    writes[0]?.done(null, 2);
    await gathered(writes, 2);
    writes[1]?.done(failure(code), 0);
    expect([writer.held(), writer.dropped()]).toEqual([0, 2]);
    writer.write('d\n');
    await gathered(writes, 3);
    expect(writes[2]?.text).toBe('d\n');
  },
);

test('once lines are written again, it is told how many were lost, once', async () => {
  const { write, writes, failure } = slowDescriptor();
  const lost: number[] = [];
  const writer = createLogWriter(7, { write, recovered: (lines) => void lost.push(lines) });
  writer.write('a\n');
  writes[0]?.done(failure('ENOSPC'), 0);
  expect(lost).toEqual([]);
  for (const nth of [1, 2]) {
    writer.write('b\n');
    await gathered(writes, nth + 1);
    writes[nth]?.done(null, 2);
  }
  expect(lost).toEqual([1]);
});

test('a full pipe is tried again, and nothing is lost', async () => {
  const { write, writes, failure } = slowDescriptor();
  const writer = createLogWriter(7, { write, retryMs: 1 });
  writer.write('a\n');
  writes[0]?.done(failure('EAGAIN'), 0);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(writes.map(({ text }) => text)).toEqual(['a\n', 'a\n']);
  expect([writer.held(), writer.dropped()]).toEqual([2, 0]);
});

test('a flush ends when all is written, or when patience does', async () => {
  const { write, writes } = slowDescriptor();
  const writer = createLogWriter(7, { write });
  await writer.flush(10_000);
  writer.write('a\n');
  await writer.flush(20);
  expect(writer.held()).toBe(2);
  const flushed = writer.flush(10_000);
  writes[0]?.done(null, 2);
  await flushed;
  expect(writer.held()).toBe(0);
});
