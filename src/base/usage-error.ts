/**
 * What the user can fix: a call that is not possible as written, or a file that can't be used. Its message names the
 * fix; shown as one line on standard error; exit code 2.
 */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}
