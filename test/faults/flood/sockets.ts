/** Connections of a flood: opened at a pace, counted, and opened again when the server ends them. */
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls, createSecureContext, type SecureContext } from 'node:tls';
import type { Tally } from './tally.ts';

export interface Target {
  readonly port: number;
  /** The flood's own addresses, used in turns. */
  readonly from: readonly string[];
}

/** One flood under way. */
export interface Flood extends Target {
  readonly tally: Tally;
  /** How many connections it keeps open, where it keeps any. */
  readonly count: number;
  /** New connections a second, at most. */
  readonly perSecond: number;
}

const TICK_MS = 50;

/** Keeps `count` connections open: those the server ends are opened again, at the pace of all. */
export function keepUp(flood: Flood, open: (flood: Flood) => Socket): void {
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

/** A TCP connection, counted from its beginning to its end. */
export function tcp(flood: Flood): Socket {
  return counted(flood.tally, connectTcp({ ...addresses(flood), noDelay: true }), 'connect');
}

/** A TLS connection, counted from the end of its handshake. */
export function tls(flood: Flood): Socket {
  const socket = connectTls({ ...addresses(flood), secureContext: context(), rejectUnauthorized: false });
  return counted(flood.tally, socket, 'secureConnect');
}

let turn = 0;

function addresses({ port, from }: Target): { host: string; port: number; localAddress: string } {
  turn += 1;
  return { host: '127.0.0.1', port, localAddress: from[turn % from.length] ?? '127.0.0.1' };
}

let made: SecureContext | undefined;

/** One for all: each takes milliseconds to make. */
function context(): SecureContext {
  made ??= createSecureContext();
  return made;
}

function counted(tally: Tally, socket: Socket, begun: 'connect' | 'secureConnect'): Socket {
  let counts = false;
  socket.once(begun, () => {
    counts = true;
    tally.opened += 1;
    tally.open += 1;
    tally.most = Math.max(tally.most, tally.open);
  });
  socket.on('error', () => {}); // 'close' follows, and is what counts
  socket.once('close', () => {
    if (!counts) tally.refused += 1;
    else {
      tally.open -= 1;
      if (!socketsGivenUp.has(socket)) tally.cut += 1;
    }
  });
  return socket;
}

const socketsGivenUp = new WeakSet<Socket>();

/** Ends a connection from our side, without the farewell that would keep its port for a minute. */
export function giveUp(socket: Socket): void {
  socketsGivenUp.add(socket);
  socket.resetAndDestroy();
}
