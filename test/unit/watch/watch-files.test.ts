/** Watches real files: by an event where there is one, else by polling. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type FileWatch, type FileWatchOptions, watchFiles } from '../../../src/watch/watch-files.ts';
import { newFolder } from '../../support/folder.ts';
import { until } from '../../support/until.ts';

let folder: string;
let file: string;
let watching: FileWatch | undefined;
/** What the watch reported, in order: contents, and problems after "!". */
let reported: string[];

beforeEach(() => {
  folder = newFolder().path;
  file = join(folder, 'file');
  reported = [];
});
afterEach(() => watching?.close());

/** Watches the file; a text that begins with "bad" is refused. */
function start(options: Partial<FileWatchOptions<string>> = {}): FileWatch {
  watching = watchFiles({
    files: [file],
    load: async () => checked(readFileSync(file, 'utf8')),
    key: (text) => text,
    current: 'first',
    onChange: (text) => reported.push(text),
    onError: (error) => reported.push(`!${(error as NodeJS.ErrnoException).code ?? error.message}`),
    pollMs: 20,
    settle: () => sleep(10),
    ...options,
  });
  return watching;
}

function checked(text: string): string {
  if (text.startsWith('bad')) throw new Error(text);
  return text;
}

/** Waits until so many reports were made. */
async function reports(count: number): Promise<string[]> {
  await until(() => reported.length >= count);
  return reported;
}

/** Puts a content in place at once, as editors do. */
function put(content: string): void {
  writeFileSync(`${file}.new`, content);
  renameSync(`${file}.new`, file);
}

describe.each([
  ['reported by the folder', { pollMs: 3_600_000 }],
  ['found by polling', { pollMs: 20 }],
])('a change %s', (_, options) => {
  test('is passed on when good and reported when bad; `problem` says which', async () => {
    put('first');
    const watch = start(options);
    put('second');
    expect(await reports(1)).toEqual(['second']);
    put('bad');
    expect(await reports(2)).toEqual(['second', '!bad']);
    expect(watch.problem?.message).toBe('bad');
    // Back to what is in use: that is reported too.
    put('second');
    expect(await reports(3)).toEqual(['second', '!bad', 'second']);
    expect(watch.problem).toBeUndefined();
  });

  test('is noticed in a file written in place', async () => {
    put('first');
    start(options);
    writeFileSync(file, 'second');
    expect(await reports(1)).toEqual(['second']);
  });

  test('is noticed where a kubelet swaps a symlink beside the file', async () => {
    for (const version of ['first', 'second']) {
      mkdirSync(join(folder, version));
      writeFileSync(join(folder, version, 'file'), version);
    }
    symlinkSync('first', join(folder, '..data'));
    symlinkSync(join('..data', 'file'), file);
    start(options);
    symlinkSync('second', join(folder, '..data_tmp'));
    renameSync(join(folder, '..data_tmp'), join(folder, '..data'));
    expect(await reports(1)).toEqual(['second']);
  });
});

describe('the watch', () => {
  test.each([
    ['passes on the first content where nothing is in use', undefined],
    ['finds a change made between loading and watching', 'before'],
  ])('%s', async (_, current) => {
    put('first');
    start({ current, pollMs: 3_600_000 });
    expect(await reports(1)).toEqual(['first']);
  });

  test('reports a problem once, however often it reads', async () => {
    put('bad');
    let reads = 0;
    const load = async () => {
      reads++;
      return checked(readFileSync(file, 'utf8'));
    };
    start({ pollMs: 1, load });
    await reports(1);
    const after = reads + 5;
    await until(() => reads >= after);
    put('bad again');
    await reports(2);
    put('second');
    expect(await reports(3)).toEqual(['!bad', '!bad again', 'second']);
  });

  test('survives the loss of its folder', async () => {
    put('first');
    start();
    rmSync(folder, { recursive: true });
    await reports(1);
    mkdirSync(folder);
    put('second');
    expect(await reports(2)).toEqual(['!ENOENT', 'second']);
  });

  test('never takes a file half-written', async () => {
    put('first');
    // One piece after the other, while the watch waits for the last to settle.
    const pieces = ['s', 'sec', 'bad', 'second'];
    const settle = async () => {
      const piece = pieces.shift();
      if (piece !== undefined) writeFileSync(file, piece);
    };
    start({ pollMs: 1, settle });
    writeFileSync(file, '');
    expect(await reports(1)).toEqual(['second']);
    expect(pieces).toEqual([]);
  });

  test('does not open a pipe, which would wait forever', async () => {
    execFileSync('mkfifo', [file]);
    start({ pollMs: 1 });
    await sleep(20);
    put('second');
    expect(await reports(1)).toEqual(['second']);
  });

  test('reports what the receiver throws, once, and tries again', async () => {
    put('second');
    let calls = 0;
    const onChange = (text: string) => {
      if (++calls < 3) throw new Error('not now');
      reported.push(text);
    };
    const watch = start({ onChange });
    expect(await reports(2)).toEqual(['!not now', 'second']);
    expect(watch.problem).toBeUndefined();
  });

  test('reports nothing after it is closed, not even what it is reading', async () => {
    put('second');
    const { promise, resolve } = Promise.withResolvers<Promise<void>>();
    const watch = start({
      settle: async () => {
        void watch.close();
        resolve(watch.close());
      },
    });
    await promise;
    expect(reported).toEqual([]);
  });
});
