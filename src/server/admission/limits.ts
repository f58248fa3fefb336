/** The numbers of the admission server, each with its reason. Together they fit into the 512 MB that the manifests allow. */

import type { ConnectionLimits } from '../connections/layer.ts';
import type { JudgingLimits } from '../load/judging.ts';
import { type BodyLimits, bodyLimits } from './body.ts';

export interface AppLimits extends ConnectionLimits {
  readonly body: BodyLimits;
  /** Bytes of all bodies, from the first that is read until the verdict. */
  readonly bodyBytes: number;
  readonly judging: JudgingLimits;
  /** Milliseconds from the first byte of a connection to the end of its TLS handshake. */
  readonly handshakeMs: number;
  /** Requests of one connection that are not answered. HTTP/1.1 clients send one at a time, the API server among them. */
  readonly pipelined: number;
  /** Requests of one address that begin in one turn of the event loop: 64 small reviews take some 4 ms, and the next turn comes at once. */
  readonly eachTurn: number;
  /** Milliseconds for a request's head, and for all of it: a slow sender is cut off. */
  readonly headMs: number;
  readonly requestMs: number;
  /**
   * The API server keeps idle connections for 90 s and does not repeat a POST on one that was just closed: ours must
   * outlive that.
   */
  readonly keepAliveMs: number;
}

/**
 * Memory at the worst: 160 MB of the server itself, 1,024 connections of 66 kB, twice that when they come and go (135 MB), 64 MiB of bodies, and
 * 96 MiB of what is decoded of them (`judging.ts`), which is garbage in a moment, but for the few that wait for reads.
 *
 * Places: an identity write waits for reads, at most 4.5 s of the 5 s that its webhook may take. One address has 256 of 512 (`Shares`), that is 57 such
 * writes a second while the API server hangs, where a cluster has one identity; all others take a place for a millisecond. In the queue nobody
 * waits for more than a second, a fifth of the caller's patience: it does better to come again, to another replica.
 *
 * Connections: an API server has 200 writes in flight by default, and each may be a call: room for five that are all busy with us.
 *
 * Handshakes: the API server speaks at once, and gives one 10 s. Heads and bodies: the API server sends
 * a request at once, and by default gives up after 10 s.
 */
export const appLimits: AppLimits = {
  body: bodyLimits,
  bodyBytes: 64 * 1024 * 1024,
  judging: { places: 512, queue: 256, waitMs: 1000 },
  connections: 1024,
  silentMs: 5000,
  handshakeMs: 10_000,
  pipelined: 4,
  eachTurn: 64,
  headMs: 10_000,
  requestMs: 10_000,
  keepAliveMs: 120_000,
};
