/**
 * Listens for an app that does not listen itself: accepted connections go to its `accept`, which may limit and pace
 * them.
 */
import { lookup } from 'node:dns/promises';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { UsageError } from '../../base/usage-error.ts';

interface ListenOptions {
  /** `localhost` is every loopback address of this machine, `::` are all its addresses. */
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** Returns the addresses of `localhost`; default: as this machine resolves it. */
  readonly loopbacks?: () => Promise<readonly string[]>;
  /** Called if connections can't be accepted, as when the process has no file descriptors left. */
  readonly onError?: (error: NodeJS.ErrnoException) => void;
}

export interface Listening {
  /** A name or address under which this machine reaches the listener. */
  readonly host: string;
  readonly port: number;
  /** Stops accepting, waits up to `timeoutMs` for running requests, then closes what is left. */
  close(timeoutMs?: number): Promise<void>;
}

/** A Fastify instance that does not listen by itself, and the function that takes its connections. */
interface ListeningApp {
  readonly fastify: {
    readonly server: { emit(event: 'listening'): boolean; closeAllConnections(): void };
    ready(): PromiseLike<unknown>;
    close(): PromiseLike<unknown>;
  };
  accept(socket: Socket): void;
}

/**
 * Connections that wait in the kernel until they are accepted, one in a turn of the event loop. The kernel drops the
 * first packet of any more, which is sent again only after a second. Kernels allow 4,096 (`net.core.somaxconn`).
 */
const BACKLOG = 4096;

/** Codes for `::` on a kernel without IPv6. */
const NO_IPV6: readonly unknown[] = ['EAFNOSUPPORT', 'EADDRNOTAVAIL'];

/** Starts to listen. @throws UsageError for a port or an address that can't be used */
export async function listen(app: ListeningApp, options: ListenOptions): Promise<Listening> {
  const { host, loopbacks = resolveLocalhost } = options;
  await app.fastify.ready();
  const [first = host, ...others] = host === 'localhost' ? await loopbacks() : [host];
  const server = await bindFirst(app, first, options);
  const bound = (server.address() as AddressInfo).port;
  const servers = [server];
  for (const other of others) {
    const extra = await bind(app, other, { ...options, port: bound }).catch((error: NodeJS.ErrnoException) => {
      // A machine may lack the address. If another program has the port there, callers of localhost could reach that.
      if (error.code !== 'EADDRINUSE' || options.port === 0) return undefined;
      for (const each of servers) each.close();
      throw listenError(error, other, bound);
    });
    if (extra !== undefined) servers.push(extra);
  }
  // With this event Node begins to enforce the timeouts of heads and requests.
  app.fastify.server.emit('listening');
  const reachable = host === '::' || host === '0.0.0.0' ? 'localhost' : host;
  return { host: reachable, port: bound, close: (timeoutMs = 5000) => close(app, servers, timeoutMs) };
}

/** Returns a host name or address as a URL has it. */
export function inUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

async function resolveLocalhost(): Promise<string[]> {
  const found = await lookup('localhost', { all: true }).catch(() => [{ address: '127.0.0.1' }]);
  return [...new Set(found.map(({ address }) => address))];
}

async function bindFirst(app: ListeningApp, host: string, options: ListenOptions): Promise<Server> {
  try {
    return await bind(app, host, options);
  } catch (error) {
    if (host === '::' && NO_IPV6.includes((error as NodeJS.ErrnoException).code))
      return bindFirst(app, '0.0.0.0', options);
    throw listenError(error, host, options.port);
  }
}

function bind(app: ListeningApp, host: string, { port, onError = () => {} }: ListenOptions): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer({ noDelay: true }, (socket) => app.accept(socket));
    server.once('error', reject);
    server.listen({ host, port, backlog: BACKLOG }, () => {
      server.off('error', reject);
      server.on('error', onError);
      resolve(server);
    });
  });
}

async function close(app: ListeningApp, servers: readonly Server[], timeoutMs: number): Promise<void> {
  const timer = setTimeout(() => app.fastify.server.closeAllConnections(), timeoutMs);
  const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)));
  try {
    await Promise.all([app.fastify.close(), ...closed]);
  } finally {
    clearTimeout(timer);
  }
}

function listenError(error: unknown, host: string, port: number): UsageError {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return new UsageError(`can't listen on ${host} port ${port}: ${reasons[code] ?? message}`, { cause: error });
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use; stop what uses it, or choose another (0 picks a free one)',
  EACCES: 'not permitted; choose a port above 1023',
  EADDRNOTAVAIL: 'no such address on this machine',
  ENOTFOUND: 'no such host name',
};
