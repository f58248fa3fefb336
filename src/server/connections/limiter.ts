/**
 * Limits the number of open connections. When all are taken, a newcomer still gets in, and another connection is closed for it, never one with a
 * pending request. It is one of the more numerous kind (silent: never answered a request; or answered); of that kind, one of the address with the
 * most of them; of these, the one that has been idle the longest.
 *
 * So a flood from one address costs that address alone, and a flood from many costs no connection that is in use. `server.maxConnections` drops the
 * newcomer instead: 1,500 silent connections then shut the API server out.
 */
import type { Socket } from 'node:net';
import { addressKey } from './address.ts';

export interface Connection {
  readonly socket: Socket;
  /** The key of the caller's address. */
  readonly address: string;
  /** Whether a request on it got an answer. */
  answered: boolean;
  /** Complete requests without an answer yet. */
  pending: number;
}

export class ConnectionLimiter {
  readonly limit: number;
  readonly #open = new Set<Connection>();
  readonly #silent = new IdleConnections();
  readonly #answered = new IdleConnections();
  readonly #onEvicted: () => void;

  /** @param onEvicted is called for each connection that is closed for want of room */
  constructor(limit: number, onEvicted: () => void = () => {}) {
    this.limit = limit;
    this.#onEvicted = onEvicted;
  }

  /** Returns the connection of an accepted socket; undefined where it was closed, because every other one has a pending request. */
  admit(socket: Socket): Connection | undefined {
    const connection = { socket, address: addressKey(socket.remoteAddress ?? ''), answered: false, pending: 0 };
    if (this.#open.size >= this.limit) {
      const evicted = this.#leastWorthy() ?? connection;
      this.#remove(evicted);
      evicted.socket.destroy();
      this.#onEvicted();
      if (evicted === connection) return undefined;
    }
    this.#open.add(connection);
    this.#silent.add(connection);
    socket.once('close', () => this.#remove(connection));
    return connection;
  }

  /** Marks a complete request on the connection: until `requestEnded` it is not closed for a newcomer. */
  requestStarted(connection: Connection): void {
    if (connection.pending === 0) this.#idle(connection).remove(connection);
    connection.pending += 1;
  }

  /** Marks the end of a request, with an answer or without one. */
  requestEnded(connection: Connection, answered: boolean): void {
    connection.pending -= 1;
    connection.answered ||= answered;
    if (connection.pending === 0 && this.#open.has(connection)) this.#idle(connection).add(connection);
  }

  /** Returns the open connections, the oldest first. */
  all(): Iterable<Connection> {
    return this.#open;
  }

  /** Returns how many are open. */
  size(): number {
    return this.#open.size;
  }

  #leastWorthy(): Connection | undefined {
    return (this.#silent.size >= this.#answered.size ? this.#silent : this.#answered).oldestOfLargest();
  }

  #idle({ answered }: Connection): IdleConnections {
    return answered ? this.#answered : this.#silent;
  }

  #remove(connection: Connection): void {
    if (this.#open.delete(connection) && connection.pending === 0) this.#idle(connection).remove(connection);
  }
}

/** The connections of one kind without a pending request, by address. */
class IdleConnections {
  size = 0;
  /** Each set begins with the connection that has been idle the longest. */
  readonly #byAddress = new Map<string, Set<Connection>>();

  add(connection: Connection): void {
    const own = this.#byAddress.get(connection.address);
    if (own === undefined) this.#byAddress.set(connection.address, new Set([connection]));
    else own.add(connection);
    this.size += 1;
  }

  remove(connection: Connection): void {
    const own = this.#byAddress.get(connection.address);
    if (own?.delete(connection) !== true) return;
    this.size -= 1;
    if (own.size === 0) this.#byAddress.delete(connection.address);
  }

  oldestOfLargest(): Connection | undefined {
    let largest = new Set<Connection>();
    for (const own of this.#byAddress.values()) if (own.size > largest.size) largest = own;
    const [oldest] = largest;
    return oldest;
  }
}
