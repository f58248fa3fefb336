import { expect, test } from '@jest/globals';
import { toGitError } from '../../../../src/input/git/isolation.ts';
import { errorIn, GitError, parts } from '../../../../src/input/git/process.ts';

test('the error of git is the last line that is no hint, escaped', () => {
  expect(errorIn('warning: x\nfatal: first\nfatal: bad \u001b[31m\nhint: try y\n')).toBe('bad \\u001b[31m');
  expect(errorIn('')).toBe('');
  expect(parts(Buffer.from('a\0b\n\0'))).toEqual(['a', 'b\n']);
  expect(parts(Buffer.from(''))).toEqual([]);
});

test('an error of the file system names the private folder, or a file of the repository that can not be read', () => {
  const failed = (code: string, path?: string) =>
    Object.assign(new Error(code), { code, syscall: 'copyfile', ...(path !== undefined && { path }) });
  const unreadable = new GitError("/r/.git/FETCH_HEAD can't be read: permission denied");
  expect(toGitError(failed('EACCES', '/r/.git/FETCH_HEAD'), '/tmp/git')).toEqual(unreadable);
  const full = new GitError("the temporary folder /tmp/git can't be written: no space is left");
  expect(toGitError(failed('ENOSPC', '/r/.git/FETCH_HEAD'), '/tmp/git')).toEqual(full);
  const refused = new GitError("the temporary folder /tmp/git can't be written: permission denied");
  expect(toGitError(failed('EACCES', '/tmp/git/config'), '/tmp/git')).toEqual(refused);
  const bug = new TypeError('x');
  expect(toGitError(bug)).toBe(bug);
});
