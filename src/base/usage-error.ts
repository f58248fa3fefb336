/**
 * An error that the user can fix: wrong flags, or a file that can't be used. The message names the fix. The command
 * prints it as one line on standard error and ends with exit code 2.
 */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}

/** Why a file, a connection or a program can't be opened if the code of the error is EMFILE or ENFILE. */
export const TOO_MANY_FILES = 'too many files are open: raise the limit (ulimit -n)';
