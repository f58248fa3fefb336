/** A call that can't be done as written. Shown as one line, exit 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly code = 'MUSTER_USAGE';
}
