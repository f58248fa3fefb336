/** Readiness: checks with names, each of which can say why not. */
import { connect } from 'node:tls';

export interface Check {
  readonly name: string;
  /** A failure is told, and makes nobody unready: what does not need it goes on. */
  readonly advisory?: boolean;
  /** Undefined when all is well, else why not, in a few words. */
  run(): string | undefined | Promise<string | undefined>;
}

export interface CheckResult {
  readonly name: string;
  readonly advisory?: boolean;
  readonly problem: string | undefined;
}

export interface Health {
  /** The result of each check, in their order. Never rejects. */
  look(): Promise<readonly CheckResult[]>;
}

export function createHealth(checks: readonly Check[]): Health {
  return { look: () => Promise.all(checks.map(runCheck)) };
}

export function configurationCheck(loaded: () => boolean): Check {
  return { name: 'configuration', run: () => (loaded() ? undefined : 'no configuration is loaded') };
}

/** The cluster behind the server: only identity writes of claims need it, so it makes nobody unready. */
export function clusterCheck(problems: () => readonly string[]): Check {
  return { name: 'cluster', advisory: true, run: () => problems().join('; ') || undefined };
}

/** Bounds in milliseconds since the epoch. */
export interface Validity {
  readonly notBefore: number;
  readonly notAfter: number;
}

export function certificateCheck(validity: () => Validity, clock: () => number = Date.now): Check {
  const run = () => {
    const { notBefore, notAfter } = validity();
    if (clock() < notBefore) return `the certificate is not valid before ${new Date(notBefore).toISOString()}`;
    return clock() > notAfter ? `the certificate expired on ${new Date(notAfter).toISOString()}` : undefined;
  };
  return { name: 'certificate', run };
}

export function drainCheck(draining: () => boolean): Check {
  return { name: 'not-draining', run: () => (draining() ? 'the server is shutting down' : undefined) };
}

export interface HandshakeOptions {
  /** Where the server listens; asked at each look. */
  readonly address: () => { readonly host: string; readonly port: number } | undefined;
  readonly timeoutMs?: number;
  /** How long an answer is good for: probes come often, and a handshake costs. */
  readonly cacheMs?: number;
  readonly clock?: () => number;
  /** Hears the port that a handshake comes from. */
  readonly from?: (port: number | undefined) => void;
}

/** A TLS handshake with the server itself: proves that it accepts connections and that certificate and key work together. */
export function handshakeCheck({
  address,
  timeoutMs = 2000,
  cacheMs = 5000,
  // Not the wall clock: set back by half an hour, it would keep an answer for as long.
  clock = () => performance.now(),
  from = () => {},
}: HandshakeOptions): Check {
  let latest: { readonly at: number; readonly result: Promise<string | undefined> } | undefined;
  const run = () => {
    if (latest === undefined || clock() - latest.at >= cacheMs) {
      const target = address();
      const result = target === undefined ? Promise.resolve('not listening yet') : handshake(target, timeoutMs, from);
      latest = { at: clock(), result };
      result.then((problem) => {
        if (problem !== undefined) latest = undefined;
      });
    }
    return latest.result;
  };
  return { name: 'tls-handshake', run };
}

/** Undefined when the handshake completes in time. Whom the certificate names is the caller's to check, not ours. */
function handshake(
  target: { host: string; port: number },
  timeoutMs: number,
  from: (port: number | undefined) => void,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ ...target, servername: 'localhost', rejectUnauthorized: false });
    const fail = (problem: string) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(problem);
    };
    const timer = setTimeout(() => fail(`no TLS handshake within ${timeoutMs} ms`), timeoutMs);
    socket.on('error', (error) => fail(`the TLS handshake failed: ${error.message}`));
    socket.once('connect', () => from(socket.localPort));
    socket.once('close', () => fail('the connection was closed during the TLS handshake'));
    socket.once('secureConnect', () => {
      resolve(undefined);
      // Ended rather than cut off, so that the server does not see its handshake fail; the timer cuts it off in the end.
      socket.end();
    });
  });
}

async function runCheck(check: Check): Promise<CheckResult> {
  const { name, advisory } = check;
  const settle = (problem: string | undefined) => ({ name, problem, ...(advisory && { advisory }) });
  try {
    return settle(await check.run());
  } catch (error) {
    return settle(error instanceof Error ? error.message : String(error));
  }
}

/** The ports of the latest connections that the server made to itself: those handshakes are nobody else's. */
export interface OwnPorts {
  add(port: number | undefined): void;
  has(port: number | undefined): boolean;
}

/** More than one probe makes, and few enough that a stranger hardly ever comes from one of them. */
const REMEMBERED = 16;

export function createOwnPorts(): OwnPorts {
  const latest: number[] = [];
  return {
    add: (port) => {
      if (port !== undefined && latest.push(port) > REMEMBERED) latest.shift();
    },
    has: (port) => port !== undefined && latest.includes(port),
  };
}
