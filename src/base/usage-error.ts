/** A call that is not possible as written. Shown as one line on standard error; exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly code = 'MUSTER_USAGE';
}
