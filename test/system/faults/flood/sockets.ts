/** Connections of a flood: opened at a pace, counted, and opened again when the server ends them. */
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls';

/** What a flood has done so far, and what the server did about it. */
export interface Counts {
  /** Connections that were tried, and those that came about. */
  tried: number;
  opened: number;
  /** Of those, still open, and the most at once. */
  open: number;
  most: number;
  /** Answers seen, by HTTP status. */
  readonly answers: Record<string, number>;
}

export function newCounts(): Counts {
  return { tried: 0, opened: 0, open: 0, most: 0, answers: {} };
}

/** One flood under way. */
export interface Flood {
  readonly port: number;
  /** The flood's own addresses, used in turns. */
  readonly from: readonly string[];
  /** Connections it keeps open, and opens a second at most. */
  readonly count: number;
  readonly perSecond: number;
  readonly counts: Counts;
}

const TICK_MS = 50;

/** Keeps `count` connections open: those the server ends are opened again, at the pace of all. */
export function keepOpen(flood: Flood, open: (flood: Flood) => Socket): void {
  let live = 0;
  let due = 0;
  setInterval(() => {
    due = Math.min(due + (flood.perSecond * TICK_MS) / 1000, flood.perSecond);
    for (; due >= 1 && live < flood.count; due -= 1) {
      live += 1;
      open(flood).once('close', () => {
        live -= 1;
      });
    }
  }, TICK_MS);
}

/** Opens a TCP connection, counted from its beginning to its end. */
export function openTcp(flood: Flood): Socket {
  return counted(flood, connectTcp({ ...addresses(flood), noDelay: true }), 'connect');
}

let context: SecureContext | undefined;

/** Opens a TLS connection, counted from the end of its handshake. */
export function openTls(flood: Flood): TLSSocket {
  // One context for all: each takes milliseconds to make.
  context ??= createSecureContext();
  const socket = connectTls({ ...addresses(flood), secureContext: context, rejectUnauthorized: false });
  return counted(flood, socket, 'secureConnect');
}

let turn = 0;

function addresses({ port, from }: Flood): { host: string; port: number; localAddress: string } {
  turn += 1;
  return { host: '127.0.0.1', port, localAddress: from[turn % from.length] ?? '127.0.0.1' };
}

function counted<S extends Socket>({ counts }: Flood, socket: S, begun: 'connect' | 'secureConnect'): S {
  socket.once(begun, () => {
    counts.opened += 1;
    counts.open += 1;
    counts.most = Math.max(counts.most, counts.open);
    socket.once('close', () => {
      counts.open -= 1;
    });
  });
  socket.on('error', () => {}); // 'close' follows, and is what counts
  counts.tried += 1;
  return socket;
}
