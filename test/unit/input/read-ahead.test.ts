/** The files of a run, one after another: each reading of a slow disk is begun ahead of its turn, within bounds. */
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { FileReader, readSmallFile } from '../../../src/input/read-ahead.ts';
import { newFolder } from '../../support/folder.ts';

const LARGE = 2 ** 20 + 1;
const folder = newFolder();
const files = Array.from({ length: 60 }, (_, index) =>
  folder.put(`${index}.yaml`, index === 33 ? 'x'.repeat(LARGE) : `file ${index}`),
);
files[40] = join(folder.path, 'missing.yaml');
files[41] = folder.path;

/** Reads all files. `ahead` has, for each, how many files after it were begun when it was read. */
async function readAll(msPerFile: number) {
  let time = 0;
  const begun: string[] = [];
  const now = () => (time += msPerFile);
  const reader = new FileReader(files, now, (file) => {
    begun.push(file);
    return readSmallFile(file);
  });
  const found: string[] = [];
  const ahead: number[] = [];
  for (const file of files) {
    const text = reader.read(file).then((bytes) => Buffer.from(bytes).toString());
    found.push(await text.catch((error: NodeJS.ErrnoException) => error.code ?? ''));
    ahead.push(begun.filter((other) => files.indexOf(other) > files.indexOf(file)).length);
  }
  return { found, ahead, begun };
}

const expected = () => {
  const special: Record<number, string> = { 33: 'x'.repeat(LARGE), 40: 'ENOENT', 41: 'EISDIR' };
  return files.map((_, index) => special[index] ?? `file ${index}`);
};

test('on a fast disk none is read ahead', async () => {
  expect(await readAll(0.01)).toEqual({ found: expected(), ahead: files.map(() => 0), begun: [] });
});

test('once the disk has proved slow, 15 files after the current one are read, each once', async () => {
  const { found, ahead, begun } = await readAll(5);
  expect(found).toEqual(expected());
  expect(ahead).toEqual(files.map((_, index) => (index < 8 ? 0 : Math.min(15, files.length - 1 - index))));
  expect(begun).toEqual(files.slice(8));
});

test('large files, folders and missing files are not read ahead', async () => {
  const [small, large, missing, none] = await Promise.all(
    [7, 33, 40, 41].map((index) => readSmallFile(files[index] ?? '')),
  );
  expect({ small: String(small), large, missing, none }).toEqual({ small: 'file 7' });
});
