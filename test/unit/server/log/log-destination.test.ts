/** On real descriptors; a closed pipe is tested with a process of its own in test/system/contract/survival.test.ts. */
import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { LogDestination, openLog } from '../../../../src/server/log/log.ts';
import { newFolder } from '../../../support/folder.ts';
import { until } from '../../../support/until.ts';

const { path: folder } = newFolder();

test('all lines are written, in order, whatever their size', async () => {
  const file = join(folder, 'lines');
  const destination = new LogDestination(file);
  const lines = Array.from({ length: 2000 }, (_, nth) => `${nth} ${'é'.repeat(nth % 400)}\n`);
  lines.splice(1000, 0, `${'x'.repeat(200_000)}\n`);
  for (const line of lines) destination.write(line);
  await destination.flush(10_000);
  expect(readFileSync(file, 'utf8')).toBe(lines.join(''));
  expect([destination.buffered(), destination.dropped()]).toEqual([0, 0]);
});

test('a full pipe: the buffer stays below its limit, later lines are dropped and counted, and a line says how many', async () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const fd = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
  const { destination } = openLog('info', fd, 100_000);
  const line = `${'€'.repeat(333)}\n`; // 1,000 bytes
  for (let n = 0; n < 300; n++) destination.write(line);
  expect([destination.buffered(), destination.dropped()]).toEqual([100_000, 200]);
  await destination.flush(200);
  expect(destination.buffered()).toBeGreaterThan(0);
  const read = Buffer.alloc(1_000_000);
  const pieces: Buffer[] = [];
  await until(() => {
    try {
      pieces.push(Buffer.from(read.subarray(0, readSync(fd, read))));
    } catch {
      // Nothing to read now.
    }
    return Buffer.concat(pieces).toString().endsWith('}\n');
  });
  await until(() => destination.buffered() === 0);
  const text = Buffer.concat(pieces).toString();
  const kept = line.repeat(100);
  expect(text.slice(0, kept.length)).toBe(kept);
  const lost = { level: 'warn', lines: 200, msg: 'lines of the log before this one were lost' };
  expect(JSON.parse(text.slice(kept.length))).toMatchObject(lost);
  closeSync(fd);
});

test('a full disk: lines are lost and counted, and the next ones are tried', async () => {
  const destination = new LogDestination('/dev/full');
  for (const [nth, line] of ['a\n', 'b\n', 'c\n'].entries()) {
    destination.write(line);
    await until(() => destination.dropped() > nth);
  }
  expect([destination.buffered(), destination.dropped()]).toEqual([0, 3]);
});
