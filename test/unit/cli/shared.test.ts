/** Why a command failed, on standard error. */
import { afterEach, expect, jest, test } from '@jest/globals';
import { UsageError } from '../../../src/base/usage-error.ts';
import { reportFailure } from '../../../src/cli/shared.ts';
import { reasonOf } from '../../../src/documents/files.ts';

const { exitCode } = process;
afterEach(() => {
  process.exitCode = exitCode;
});

/** As the file system reports it. */
const failure = (code: string, syscall: string) => Object.assign(new Error(`${code}: ${syscall}`), { code, syscall });
const TOO_MANY = 'too many files are open: raise the limit (ulimit -n)';

test.each([
  ['what the user can fix', new UsageError('give a file'), /^error: give a file\n$/],
  ['a current folder that is gone', failure('ENOENT', 'uv_cwd'), /^error: the current folder was deleted: cd to /],
  ['no more files for the process', failure('EMFILE', 'open'), `error: ${TOO_MANY}\n`],
  ['no more files for the machine', failure('ENFILE', 'spawn'), `error: ${TOO_MANY}\n`],
  ['anything else, with its stack', failure('ENOENT', 'open'), /^error: a bug in muster: Error: ENOENT: open\n {4}at /],
])('%s', (_, error, message) => {
  const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  reportFailure(error);
  const [[written] = []] = write.mock.calls;
  write.mockRestore();
  if (typeof message === 'string') expect(written).toBe(message);
  else expect(written).toMatch(message);
  expect(process.exitCode).toBe(2);
});

test('a file that can not be opened, since too many are', () => {
  expect(reasonOf(failure('EMFILE', 'open'))).toBe(TOO_MANY);
});
