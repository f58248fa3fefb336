/** What can go wrong between us and an API server, told apart by what mends it. */
export type ClusterErrorCode =
  /** No kubeconfig, or one that can't be used. */
  | 'no-access'
  /** No connection, or one that broke. */
  | 'unreachable'
  /** No answer in time, or the one who asked has gone. */
  | 'timeout'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  /** Somebody else wrote first, or made the object first. */
  | 'conflict'
  /** The API server refuses what was written. */
  | 'invalid'
  /** 429 and 5xx: it may heal. */
  | 'unavailable'
  /** An answer that is none: no JSON, cut off, too long. */
  | 'unreadable';

export class ClusterError extends Error {
  readonly code: ClusterErrorCode;
  /** The HTTP status, where there was one. */
  readonly status: number | undefined;
  /** Of a `not-found`: whether the object is missing, or the API server does not serve such a kind at all. */
  readonly absent: 'object' | 'kind' | undefined;

  /** @param message one line, with the remedy where there is one; control characters are the caller's to strip */
  constructor(
    code: ClusterErrorCode,
    message: string,
    options: { readonly status?: number; readonly cause?: unknown; readonly absent?: 'object' | 'kind' } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'ClusterError';
    this.code = code;
    this.status = options.status;
    this.absent = options.absent;
  }
}

/** What a call may throw, as a value; any other error is a bug of ours, and thrown on. */
export function onlyClusterErrors(error: unknown): ClusterError {
  if (error instanceof ClusterError) return error;
  throw error;
}
