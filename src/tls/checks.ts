/** What readiness checks of TLS: the certificate in use, and a handshake with the server itself. */
import { connect } from 'node:tls';

/** Whether the certificate in use is in date. Like each check, `run` returns why not, in a few words; undefined when all is well. */
export function certificateCheck(validity: () => { notBefore: Date; notAfter: Date }, clock = Date.now) {
  const run = () => {
    const { notBefore, notAfter } = validity();
    if (clock() < notBefore.getTime()) return `the certificate is not valid before ${notBefore.toISOString()}`;
    return clock() > notAfter.getTime() ? `the certificate expired on ${notAfter.toISOString()}` : undefined;
  };
  return { name: 'certificate', run };
}

export interface HandshakeCheckOptions {
  /** Where the server listens, asked at each check. */
  readonly address: () => { readonly host: string; readonly port: number } | undefined;
  readonly timeoutMs?: number;
  /** Milliseconds for which a result is used again: probes come often, and a handshake costs. */
  readonly cacheMs?: number;
  /** Milliseconds of a clock that never goes back. */
  readonly clock?: () => number;
}

/** More than one check needs, and few enough that a caller hardly ever comes from one of them. */
const OWN_PORTS = 16;

/** A TLS handshake with the server itself: proves that it accepts connections, and that certificate and key fit. */
export function handshakeCheck(options: HandshakeCheckOptions) {
  const { address, timeoutMs = 2000, cacheMs = 5000, clock = () => performance.now() } = options;
  const ports: number[] = [];
  let latest: { readonly at: number; readonly result: Promise<string | undefined> } | undefined;
  const run = () => {
    if (latest !== undefined && clock() - latest.at < cacheMs) return latest.result;
    const target = address();
    const result = target === undefined ? Promise.resolve('not listening yet') : handshake(target, timeoutMs, ports);
    latest = { at: clock(), result };
    void result.then((problem) => {
      if (problem !== undefined) latest = undefined;
    });
    return result;
  };
  /** Whether a connection from this port is one of the latest of this check: its failure says nothing of callers. */
  const isOwnPort = (port: number | undefined) => port !== undefined && ports.includes(port);
  return { name: 'tls-handshake', run, isOwnPort };
}

/** Resolves with undefined when the handshake completes in time. Which names the certificate has is for callers to check. */
function handshake(target: { host: string; port: number }, timeoutMs: number, ports: number[]) {
  return new Promise<string | undefined>((resolve) => {
    const socket = connect({ ...target, servername: 'localhost', rejectUnauthorized: false });
    const fail = (problem: string) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(problem);
    };
    const timer = setTimeout(() => fail(`no TLS handshake within ${timeoutMs} ms`), timeoutMs);
    socket.on('error', (error) => fail(`the TLS handshake failed: ${error.message}`));
    socket.once('connect', () => {
      if (ports.push(socket.localPort ?? 0) > OWN_PORTS) ports.shift();
    });
    socket.once('close', () => fail('the connection was closed during the TLS handshake'));
    socket.once('secureConnect', () => {
      resolve(undefined);
      // Ended rather than cut off, so that the server does not see its handshake fail; the timer cuts it off in the end.
      socket.end();
    });
  });
}
