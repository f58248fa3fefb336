/** Every connection comes through here, on its way to TLS and HTTP, and is known until it ends. */
import type { Server } from 'node:https';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Bound, CutCause } from '../load/bounds.ts';
import { countedAs } from './address.ts';
import { type Connection, Connections } from './connections.ts';
import { type HandshakeLimits, Handshakes } from './handshakes.ts';

export interface DoorOptions {
  readonly connections: number;
  readonly handshakes: HandshakeLimits;
  readonly cut: (cause: CutCause) => void;
}

/** What stands for connections that did not come through the door: requests injected by tests. */
const nobody: Connection = { address: '', close: () => {}, pending: 0 };

interface Guest extends Connection {
  /** The plain one, then that of TLS. */
  socket: Socket;
  secured: boolean;
}

export class Door {
  readonly connections: Connections;
  readonly #cut: (cause: CutCause) => void;
  readonly #handshakes: Handshakes;
  readonly #handshake: (socket: Socket) => void;
  /** From the handshake's begin to its end, by the two ends of the connection. */
  readonly #unsecured = new Map<string, Guest>();
  readonly #secured = new WeakMap<object, Connection>();

  /** Stands before the listeners that the server has for connections by now. */
  constructor(server: Server, { connections, handshakes, cut }: DoorOptions) {
    const inner = server.listeners('connection') as ((socket: Socket) => void)[];
    this.#handshake = (socket) => {
      for (const listener of inner) listener.call(server, socket);
    };
    this.connections = new Connections(connections);
    this.#handshakes = new Handshakes({ limits: handshakes, cut });
    this.#cut = cut;
    server.removeAllListeners('connection');
    server.on('connection', (socket: Socket) => this.#accept(socket));
    server.prependListener('secureConnection', (socket: TLSSocket) => this.#secure(socket));
    server.prependListener('tlsClientError', (error: NodeJS.ErrnoException, socket: TLSSocket) => {
      if (error.code === 'ERR_TLS_HANDSHAKE_TIMEOUT') cut('slow_handshake');
      // Looked at once, it is remembered: who hears of the failure asks whose it was. An answer in HTTP could never be sent.
      if (socket.remotePort !== 0) socket.destroy();
    });
  }

  /** The connection that a request came on, by its socket. */
  of(socket: object): Connection {
    return this.#secured.get(socket) ?? { ...nobody };
  }

  bounds(): readonly Bound[] {
    return [...this.connections.bounds(), ...this.#handshakes.bounds()];
  }

  /** Closes what has sent no request yet: Node takes none of these for idle, so the server's end would wait for them. */
  closeSilent(): void {
    const guests = [...this.connections.all()] as Guest[];
    for (const each of guests) if (!each.secured || each.socket.bytesRead === 0) each.close();
  }

  /** Closes what has no request that is judged: idle, half-sent, or with an answer that nobody reads. */
  closeUnjudged(): void {
    for (const each of this.connections.unjudged()) each.close();
  }

  #accept(socket: Socket): void {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined) return void socket.destroy();
    const connection = guest(countedAs(remoteAddress), socket);
    const victim = this.connections.add(connection);
    victim?.close();
    if (victim !== undefined) this.#cut('connections');
    if (victim === connection) return;
    socket.once('close', () => this.connections.remove(connection));
    this.#handshakes.expect(connection.address, socket, () => this.#begin(connection));
  }

  #begin(connection: Guest): void {
    const { socket } = connection;
    const ends = endsOf(socket);
    this.#unsecured.set(ends, connection);
    socket.once('close', () => {
      if (this.#unsecured.get(ends) === connection) this.#unsecured.delete(ends);
    });
    this.#handshake(socket);
  }

  #secure(socket: TLSSocket): void {
    const ends = endsOf(socket);
    const connection = this.#unsecured.get(ends);
    if (connection === undefined) return;
    this.#unsecured.delete(ends);
    connection.socket = socket;
    connection.secured = true;
    this.#secured.set(socket, connection);
  }
}

function guest(address: string, socket: Socket): Guest {
  return {
    address,
    socket,
    secured: false,
    pending: 0,
    close() {
      this.socket.destroy();
    },
  };
}

function endsOf({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`;
}
