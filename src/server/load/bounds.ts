/** What is held in memory against its limit, and the few reasons for which something is turned away. */

export interface Bound {
  /** A bounded set of names in snake_case, fit for a metric's label. */
  readonly name: string;
  readonly held: number;
  readonly limit: number;
}

/** Why a request got HTTP 503 in place of a verdict. The caller is asked to come again. */
export const shedCauses = ['queue_full', 'queue_wait', 'body_bytes', 'pipelined'] as const;
export type ShedCause = (typeof shedCauses)[number];

/** Why a connection was closed with no verdict on it. */
export const cutCauses = ['connections', 'handshakes', 'slow_handshake', 'slow_request'] as const;
export type CutCause = (typeof cutCauses)[number];
