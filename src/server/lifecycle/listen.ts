/** Binding an app to where it listens. `localhost` means both loopback addresses, `::` every address there is. */
import { lookup } from 'node:dns/promises';
import { createServer, type Server as NetServer } from 'node:net';
import type { FastifyInstance, RawServerBase } from 'fastify';

export interface ListenOptions {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** The addresses that `localhost` stands for; default: as this machine resolves it. */
  readonly loopbacks?: () => Promise<readonly string[]>;
}

export interface Listening {
  /** A name or address under which this machine reaches the listener. */
  readonly host: string;
  readonly port: number;
  /** Stops accepting, lets running requests end (for `patienceMs` at most), then closes what is left. */
  close(patienceMs?: number): Promise<void>;
}

/** The port or address can't be had. The message is one line for people. */
export class ListenError extends Error {
  readonly code = 'LISTEN';
}

type AnyApp = Pick<FastifyInstance<RawServerBase>, 'listen' | 'close' | 'server'>;

/**
 * Connections that the kernel holds until they are accepted, one a turn of the event loop. Beyond it drops their first packet, which is sent again
 * only after a second. Kernels allow 4,096 (`net.core.somaxconn`).
 */
const BACKLOG = 4096;

/** Codes with which a kernel without IPv6 answers for `::`. */
const NO_IPV6: readonly unknown[] = ['EAFNOSUPPORT', 'EADDRNOTAVAIL'];

/** Starts listening, or throws `ListenError`. */
export async function listen(
  app: AnyApp,
  { host, port, loopbacks = resolveLocalhost }: ListenOptions,
): Promise<Listening> {
  const [first = host, ...others] = host === 'localhost' ? await loopbacks() : [host];
  await bind(app, first, port);
  const bound = portOf(app.server);
  const extras: NetServer[] = [];
  for (const other of others) {
    const extra = await passOn(app.server, other, bound).catch(() => undefined);
    if (extra !== undefined) extras.push(extra);
  }
  return { host: reachable(host), port: bound, close: (patienceMs = 5000) => close(app, extras, patienceMs) };
}

async function resolveLocalhost(): Promise<string[]> {
  const found = await lookup('localhost', { all: true }).catch(() => [{ address: '127.0.0.1' }]);
  return [...new Set(found.map(({ address }) => address))];
}

async function bind(app: AnyApp, host: string, port: number): Promise<void> {
  try {
    await app.listen({ host, port, backlog: BACKLOG });
  } catch (error) {
    if (host !== '::' || !NO_IPV6.includes(codeOf(error))) throw listenError(error, host, port);
    await app.listen({ host: '0.0.0.0', port, backlog: BACKLOG }).catch((again: unknown) => {
      throw listenError(again, '0.0.0.0', port);
    });
  }
}

/**
 * A second address for the same server: certificates, limits and routes stay those of the one server, which a
 * server of its own would have to be told about at each reload.
 */
function passOn(server: RawServerBase, host: string, port: number): Promise<NetServer> {
  return new Promise((resolve, reject) => {
    const extra = createServer({ noDelay: true }, (socket) => server.emit('connection', socket));
    extra.once('error', reject);
    extra.listen({ host, port, backlog: BACKLOG }, () => resolve(extra));
  });
}

async function close(app: AnyApp, extras: readonly NetServer[], patienceMs: number): Promise<void> {
  const server = app.server as Partial<{ closeAllConnections(): void }>;
  const timer = setTimeout(() => server.closeAllConnections?.(), patienceMs);
  const closings = extras.map((extra) => new Promise((resolve) => extra.close(resolve)));
  try {
    await Promise.all([app.close(), ...closings]);
  } finally {
    clearTimeout(timer);
  }
}

function listenError(error: unknown, host: string, port: number): ListenError {
  const why = reasons[String(codeOf(error))] ?? (error instanceof Error ? error.message : String(error));
  return new ListenError(`can't listen on ${host} port ${port}: ${why}`, { cause: error });
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use; stop what uses it, or choose another (0 picks a free one)',
  EACCES: 'not permitted; choose a port above 1023',
  EADDRNOTAVAIL: 'no such address on this machine',
  ENOTFOUND: 'no such host name',
};

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

function portOf(server: RawServerBase): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function reachable(host: string): string {
  return host === '::' || host === '0.0.0.0' ? 'localhost' : host;
}
