/** The connection layer: limits connections and paces their TLS handshakes, before Node's TLS and HTTP, and Fastify. */
import type { Server } from 'node:https';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { callerNames } from '../../certificates/server-options.ts';
import type { Bound, Limits } from '../limits.ts';
import type { AdmissionObserver, HandshakeFailure } from '../observer.ts';
import { type Connection, ConnectionLimiter } from './connection-limiter.ts';
import { HandshakePacer } from './pacing.ts';

interface ConnectionLayerOptions {
  readonly limits: Pick<Limits, 'connections' | 'silentMs'>;
  /**
   * A caller's certificate must have one of these names; empty: any certificate of the client CA, or none if no CA is
   * set.
   */
  readonly clientNames: readonly string[];
  readonly observer: AdmissionObserver;
}

/** Bytes of a TLS record: a client sends no more before it waits for an answer. */
const LONGEST_HELLO = 16_384 + 5;

export class ConnectionLayer {
  readonly limiter: ConnectionLimiter;
  readonly #server: Server;
  readonly #options: ConnectionLayerOptions;
  readonly #pacer = new HandshakePacer();
  /** Connections in their handshake, by both ends: a TLS socket does not give access to its TCP socket. */
  readonly #handshaking = new Map<string, Connection>();

  /** @param server gets the connections that pass; it does not listen by itself */
  constructor(server: Server, options: ConnectionLayerOptions) {
    const { limits, observer } = options;
    this.#server = server;
    this.#options = options;
    this.limiter = new ConnectionLimiter(limits.connections, () => observer.connectionClosed('connections'));
    server.prependListener('secureConnection', (socket: TLSSocket) => this.#secure(socket));
    server.prependListener('tlsClientError', (error: NodeJS.ErrnoException, socket: TLSSocket) => {
      if (error.code === 'ERR_TLS_HANDSHAKE_TIMEOUT') observer.connectionClosed('slow_handshake');
      observer.handshakeFailed(classifyHandshakeFailure(error, socket), error, socket);
      socket.destroy();
    });
  }

  /** Takes an accepted TCP connection; hands it to the server once it has sent something and its turn has come. */
  readonly accept = (socket: Socket): void => {
    const { limits, observer } = this.#options;
    socket.on('error', () => {});
    if (socket.remoteAddress === undefined) return void socket.destroy();
    const connection = this.limiter.admit(socket);
    this.#pacer.arrived();
    if (connection === undefined) return;
    const tooSilent = () => {
      if (socket.readableLength > 0 || socket.destroyed) return;
      socket.destroy();
      observer.connectionClosed('slow_handshake');
    };
    // Checked a turn later: if the event loop was late, bytes of the caller may not have been read yet.
    const timer = setTimeout(() => setImmediate(tooSilent), limits.silentMs);
    socket.once('close', () => clearTimeout(timer));
    socket.once('readable', () => {
      clearTimeout(timer);
      if (socket.readableLength === 0 || socket.readableLength > LONGEST_HELLO) socket.destroy();
      else this.#pacer.add(connection.address, () => this.#handshake(connection));
    });
  };

  /** Closes connections without any request. Node does not count these as idle, so its `close` would wait for them. */
  closeUnused(): void {
    for (const { socket, tls } of this.limiter.all()) if (tls === undefined || tls.bytesRead === 0) socket.destroy();
  }

  /** Closes connections without a complete request: idle, half-sent, or with an answer that nobody reads. */
  closeIncomplete(): void {
    for (const { socket, pending } of this.limiter.all()) if (pending === 0) socket.destroy();
  }

  /** Returns the number of requests without an answer yet. */
  unanswered(): number {
    return this.limiter.all().reduce((sum, connection) => sum + connection.unanswered, 0);
  }

  /** Returns how much of each limit is in use now. */
  bounds(): readonly Bound[] {
    const { limit } = this.limiter;
    return [
      { name: 'connections', held: this.limiter.size(), limit },
      { name: 'waiting_handshakes', held: this.#pacer.size(), limit },
    ];
  }

  #handshake(connection: Connection): void {
    const { socket } = connection;
    if (socket.destroyed) return;
    const ends = endsOf(socket);
    this.#handshaking.set(ends, connection);
    socket.once('close', () => {
      if (this.#handshaking.get(ends) === connection) this.#handshaking.delete(ends);
    });
    this.#server.emit('connection', socket);
  }

  #secure(tls: TLSSocket): void {
    const ends = endsOf(tls);
    const connection = this.#handshaking.get(ends);
    if (connection === undefined) return void tls.destroy();
    this.#handshaking.delete(ends);
    this.limiter.secured(tls, connection);
    this.#checkName(tls);
  }

  /** Closes a connection whose certificate has none of the names, before HTTP sees it. */
  #checkName(tls: TLSSocket): void {
    const { clientNames, observer } = this.#options;
    if (clientNames.length === 0) return;
    const names = callerNames(tls.getPeerCertificate());
    if (names.some((name) => clientNames.includes(name))) return;
    tls.destroy();
    observer.callerRejected(names);
  }
}

const CODES: readonly (readonly [RegExp, HandshakeFailure])[] = [
  [/ALERT_(?:BAD_|UNSUPPORTED_)?(?:CERTIFICATE|UNKNOWN_CA)/, 'our_certificate'],
  [/CERTIFICATE/, 'caller_certificate'],
  [/^(?:ECONNRESET|EPIPE|ETIMEDOUT|ERR_TLS_HANDSHAKE_TIMEOUT)$/, 'gone'],
];

/** Returns the cause of a `tlsClientError`, from its error and its socket, which knows of a rejected certificate. */
export function classifyHandshakeFailure(
  error: { readonly code?: unknown },
  socket: { readonly authorizationError?: unknown },
): HandshakeFailure {
  if (socket.authorizationError) return 'caller_certificate';
  const code = String(error.code ?? '');
  return CODES.find(([pattern]) => pattern.test(code))?.[1] ?? 'protocol';
}

function endsOf({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`;
}
