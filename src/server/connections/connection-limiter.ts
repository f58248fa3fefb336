/**
 * Limits the number of open connections. At the limit, a new connection evicts an idle one, never one with a pending
 * request. Eviction order: the larger group (silent connections, on which no request was answered yet, or the others),
 * in it the address with the most idle ones, of these the one that has been idle the longest.
 *
 * So a flood from one address costs that address alone, and a flood from many costs no connection in use. Node's
 * `server.maxConnections` drops the new connection instead: 1,500 silent ones would then lock out the API server.
 */
import { isIPv6, type Socket } from 'node:net';
import { getOrInsert } from '../../base/collections.ts';

export class Connection {
  /** The TCP socket. */
  readonly socket: Socket;
  /** Its TLS socket, once the handshake is done. */
  tls: Socket | undefined;
  /** The key of the caller's address. */
  readonly address: string;
  /** Whether a request on it got an answer. */
  answered = false;
  /** Complete requests without an answer yet. */
  pending = 0;
  /** Requests without an answer yet, complete or not. */
  unanswered = 0;
  /** When it became idle, as the value of `#idleEvents` then. */
  idleSince = 0;

  constructor(socket: Socket) {
    this.socket = socket;
    this.address = addressKey(socket.remoteAddress ?? '');
  }

  /** Called when the response of a request has been sent, or never will be. */
  readonly responseClosed = (): void => {
    this.unanswered -= 1;
  };
}

export class ConnectionLimiter {
  readonly limit: number;
  readonly #open = new Set<Connection>();
  readonly #callers = new Map<string, Caller>();
  readonly #idle: IdleCounts = { silent: 0, answered: 0 };
  /** A counter in place of a clock: how many times a connection has become idle. */
  #idleEvents = 0;
  /** By TLS socket, which is what HTTP sees. */
  readonly #secured = new WeakMap<object, Connection>();
  readonly #onEvicted: () => void;

  /** @param onEvicted called for each connection that is closed because of the limit */
  constructor(limit: number, onEvicted: () => void = () => {}) {
    this.limit = limit;
    this.#onEvicted = onEvicted;
  }

  /**
   * Returns the connection of an accepted socket; undefined if it was closed, because every other one has a pending
   * request.
   */
  admit(socket: Socket): Connection | undefined {
    const connection = new Connection(socket);
    if (this.#open.size >= this.limit) {
      const evicted = this.#evictionCandidate() ?? connection;
      this.#remove(evicted);
      evicted.socket.destroy();
      this.#onEvicted();
      if (evicted === connection) return undefined;
    }
    this.#open.add(connection);
    getOrInsert(this.#callers, connection.address, newCaller).connections.add(connection);
    this.#becameIdle(connection);
    socket.once('close', () => this.#remove(connection));
    return connection;
  }

  /** Notes that `tls` is the TLS socket of a connection. */
  secured(tls: Socket, connection: Connection): void {
    connection.tls = tls;
    this.#secured.set(tls, connection);
  }

  /**
   * Returns the connection of a request's socket; a new one, without limits, if the request was injected into Fastify.
   */
  of(socket: Socket): Connection {
    return getOrInsert(this.#secured, socket, () => new Connection(socket));
  }

  /** Marks a complete request on the connection, which is not evicted until `requestEnded`. */
  requestStarted(connection: Connection): void {
    if (connection.pending === 0 && this.#open.has(connection)) this.#count(connection, -1);
    connection.pending += 1;
  }

  /** Marks the end of a request; `answered` with a verdict, or not (rejected, or the caller left). */
  requestEnded(connection: Connection, answered: boolean): void {
    connection.pending -= 1;
    connection.answered ||= answered;
    if (connection.pending === 0 && this.#open.has(connection)) this.#becameIdle(connection);
  }

  /** Returns the open connections, the oldest first. */
  all(): readonly Connection[] {
    return [...this.#open];
  }

  /** Returns the number of open connections. */
  size(): number {
    return this.#open.size;
  }

  #becameIdle(connection: Connection): void {
    this.#idleEvents += 1;
    connection.idleSince = this.#idleEvents;
    this.#count(connection, 1);
  }

  /** Counts a connection that became idle (1), or is no longer idle (-1). */
  #count(connection: Connection, change: 1 | -1): void {
    const kind = kindOf(connection);
    this.#idle[kind] += change;
    const caller = this.#callers.get(connection.address);
    if (caller !== undefined) caller.idle[kind] += change;
  }

  #evictionCandidate(): Connection | undefined {
    const kind = this.#idle.silent >= this.#idle.answered ? 'silent' : 'answered';
    let busiest: Caller | undefined;
    for (const caller of this.#callers.values()) if (caller.idle[kind] > (busiest?.idle[kind] ?? 0)) busiest = caller;
    let oldest: Connection | undefined;
    for (const connection of busiest?.connections ?? []) {
      if (connection.pending > 0 || kindOf(connection) !== kind) continue;
      if (oldest === undefined || connection.idleSince < oldest.idleSince) oldest = connection;
    }
    return oldest;
  }

  #remove(connection: Connection): void {
    if (!this.#open.delete(connection)) return;
    if (connection.pending === 0) this.#count(connection, -1);
    const caller = this.#callers.get(connection.address);
    caller?.connections.delete(connection);
    if (caller?.connections.size === 0) this.#callers.delete(connection.address);
  }
}

/** The number of idle connections: those on which no request was answered yet, and the others. */
type IdleCounts = Record<'silent' | 'answered', number>;

/** The open connections of one address. */
interface Caller {
  readonly connections: Set<Connection>;
  readonly idle: IdleCounts;
}

function newCaller(): Caller {
  return { connections: new Set(), idle: { silent: 0, answered: 0 } };
}

function kindOf({ answered }: Connection): keyof IdleCounts {
  return answered ? 'answered' : 'silent';
}

/**
 * Returns the key under which the connections of one caller are counted: an IPv4 address, also when written as IPv6,
 * or the first 64 bits of an IPv6 address, since a caller with one address of a /64 can use all of them (Kubernetes
 * gives each node a /64 for its pods).
 */
export function addressKey(address: string): string {
  const v4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (v4 !== undefined) return v4;
  return isIPv6(address) ? networkOf(address) : address;
}

function networkOf(address: string): string {
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? [];
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  const groups = tail === undefined ? before : [...before, ...zeros, ...after];
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}
