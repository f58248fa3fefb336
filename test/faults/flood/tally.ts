/** What a flood has done so far, and what the server did about it; reported as one line of JSON. */

export interface Tally {
  /** Connections that came about. */
  opened: number;
  /** Of those, still open. */
  open: number;
  /** The most that were open at once. */
  most: number;
  /** Ended by the server; a flood that closes by itself does not count here. */
  cut: number;
  /** Never came about. */
  refused: number;
  /** Requests sent whole. */
  requests: number;
  /** Answers seen, by HTTP status. */
  readonly answers: Record<string, number>;
}

export function newTally(): Tally {
  return { opened: 0, open: 0, most: 0, cut: 0, refused: 0, requests: 0, answers: {} };
}

/** Connections tried, whether they came about or not. */
export function tried({ opened, refused }: Tally): number {
  return opened + refused;
}
