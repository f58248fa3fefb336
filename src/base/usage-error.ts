/**
 * An error that the user can fix: wrong flags, or a file that can't be used. The message names the fix. The command
 * prints it as one line on standard error and ends with exit code 2.
 */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}
