import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { blobs, errorIn, type GitContext, GitError, parts } from '../../src/cli/check/git/process.ts';
import { type GitFolder, newRepository } from './git-world.ts';

// Each call of git is a process, which is slow on a busy machine.
jest.setTimeout(60_000);

let repository: GitFolder;
let context: GitContext;
beforeAll(() => {
  repository = newRepository();
  context = { folder: repository.path, env: { ...process.env, LC_ALL: 'C' } };
});
afterAll(() => repository.remove());

/** Stores a content; returns its id. */
function stored(text: string): string {
  return repository.git('hash-object', '-w', repository.put('x', text)).trim();
}

async function read(ids: readonly string[]): Promise<string[]> {
  const found = [];
  for await (const bytes of blobs(context, ids)) found.push(bytes.toString());
  return found;
}

describe('contents', () => {
  test('in the order asked, whatever is in them', async () => {
    const texts = [
      ...Array.from({ length: 70 }, String),
      '',
      '\n',
      'a',
      'a\n',
      '0123 blob 5\n',
      'x'.repeat(300_000),
      `${'ä\n'.repeat(70_000)}`,
      'end',
    ];
    expect(await read([...texts, ...texts.toReversed()].map(stored))).toEqual([...texts, ...texts.toReversed()]);
    expect(await read([])).toEqual([]);
  });

  test('one that is missing, one that is no file', async () => {
    const missing = '0'.repeat(39).concat('1');
    await expect(read([stored('a'), missing])).rejects.toThrow(GitError);
    await expect(read([repository.commit()])).rejects.toThrow("can't be had");
  });
});

test('the error of git is the last line that is no hint, escaped', () => {
  expect(errorIn('warning: x\nfatal: first\nfatal: bad \u001b[31m\nhint: try y\n')).toBe('bad \\u001b[31m');
  expect(errorIn('')).toBe('');
  expect(parts(Buffer.from('a\0b\n\0'))).toEqual(['a', 'b\n']);
  expect(parts(Buffer.from(''))).toEqual([]);
});
