/** What readiness checks of TLS: the certificate in use, and a handshake with the server itself. */
import { connect } from 'node:tls';

interface CertificateCheckOptions {
  readonly clock?: () => number;
  /** Returns why the certificate on disk is refused; undefined while it is the one in use. */
  readonly refused?: () => string | undefined;
}

/**
 * Checks that the certificate in use is in date. Like each check, `run` returns the problem in a few words, and
 * undefined if there is none. A certificate that ends soon, or one on disk that is refused, is advice: readiness does
 * not fail.
 */
export function certificateCheck(validity: () => { notBefore: Date; notAfter: Date }, options = {}) {
  const { clock = Date.now, refused = () => undefined }: CertificateCheckOptions = options;
  const run = () => {
    const { notBefore, notAfter } = validity();
    if (clock() < notBefore.getTime()) return `the certificate is not valid before ${notBefore.toISOString()}`;
    if (clock() > notAfter.getTime()) return `the certificate expired on ${notAfter.toISOString()}`;
    const advice = [refused(), clock() > notAfter.getTime() - SOON_MS ? endsSoon(notAfter) : undefined];
    const given = advice.filter((each) => each !== undefined);
    return given.length === 0 ? undefined : { advice: given.join('; ') };
  };
  return { name: 'certificate', run };
}

const DAY = 24 * 3_600_000;
/** Certificates of 90 days and more are renewed well before. */
const SOON_MS = 7 * DAY;

const endsSoon = (notAfter: Date) => `the certificate expires on ${notAfter.toISOString()}: renew it`;

/**
 * Watches the end of the certificate in use: calls `warn` once when less than 7 days are left, and once more on the
 * last day; `expired` once when it has ended. Call `look` now and then.
 */
export function certificateEnd(
  validity: () => { notAfter: Date },
  report: { warn(message: string): void; expired(message: string): void },
  clock = Date.now,
) {
  let last = { notAfter: 0, steps: 0 };
  const look = () => {
    const { notAfter } = validity();
    const left = notAfter.getTime() - clock();
    const steps = [SOON_MS, DAY, 0].filter((limit) => left < limit).length;
    const isNew = last.notAfter !== notAfter.getTime() || steps > last.steps;
    last = { notAfter: notAfter.getTime(), steps };
    if (steps === 0 || !isNew) return;
    if (left >= 0) report.warn(`${endsSoon(notAfter)}; the new files take effect without a restart`);
    else report.expired(`the certificate expired on ${notAfter.toISOString()}, so callers refuse it: renew it`);
  };
  return { look };
}

interface HandshakeCheckOptions {
  /** Where the server listens, asked at each check. */
  readonly address: () => { readonly host: string; readonly port: number } | undefined;
  readonly timeoutMs?: number;
  /** Milliseconds for which a result is used again: probes come often, and a handshake costs. */
  readonly cacheMs?: number;
  /** A monotonic clock, in milliseconds. */
  readonly clock?: () => number;
}

/** The most recent local ports of our own probes that are remembered, to ignore their failures. */
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

/** Resolves with undefined if the handshake completes in time. It does not check names. */
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
      // `end` lets the server complete its handshake; the timer destroys the socket if it does not.
      socket.end();
    });
  });
}
