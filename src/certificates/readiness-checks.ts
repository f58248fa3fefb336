/** The readiness checks of TLS: that the certificate and the client CA are in date, and a handshake with the server. */
import { connect } from 'node:tls';

/** How long the server's certificate, its issuer or the client CA is valid. */
export interface Validity {
  readonly name: 'certificate' | 'issuer of the certificate' | 'client CA';
  readonly notBefore?: Date;
  readonly notAfter: Date;
}

interface CertificateCheckOptions {
  readonly clock?: () => number;
  /** Returns why the files on disk are refused; undefined if they are in use. */
  readonly refused?: () => string | undefined;
}

/**
 * Creates the check that the certificates in use are in date. Like that of every check, `run` returns the problem, or
 * undefined. Certificates that expire soon, or are refused on disk, lead to advice: the server stays ready.
 */
export function certificateCheck(inUse: () => readonly Validity[], options: CertificateCheckOptions = {}) {
  const { clock = Date.now, refused = () => undefined } = options;
  const run = () => {
    const advice = [refused()];
    for (const validity of inUse()) {
      const { name, notBefore, notAfter } = validity;
      if (notBefore && clock() < notBefore.getTime())
        return `the ${name} is not valid before ${notBefore.toISOString()}`;
      if (clock() > notAfter.getTime()) return `the ${name} expired on ${notAfter.toISOString()}`;
      if (clock() > dueTime(validity)) advice.push(endsSoon(validity));
    }
    const given = advice.filter((each) => each !== undefined);
    return given.length === 0 ? undefined : { advice: given.join('; ') };
  };
  return { name: 'certificate', run };
}

const DAY = 24 * 3_600_000;
/** The time before the end at which to warn, or the part of a short life: by then, a certificate is usually renewed. */
const SOON_MS = 7 * DAY;
const SOON_PART = 1 / 5;

/** Returns when a certificate should have been renewed, in milliseconds since the epoch. */
export function dueTime({ notBefore, notAfter }: Validity): number {
  const end = notAfter.getTime();
  return end - Math.min(SOON_MS, notBefore ? (end - notBefore.getTime()) * SOON_PART : SOON_MS);
}

const endsSoon = ({ name, notAfter }: Validity) => `the ${name} expires on ${notAfter.toISOString()}: renew it`;

const CONSEQUENCE = {
  certificate: 'callers refuse it',
  'issuer of the certificate': 'callers refuse both',
  'client CA': 'no caller is accepted',
};

/**
 * Returns a function that reports the end of the certificates in use. It calls `warn` once when a certificate should
 * have been renewed, and again on its last day; and `expired` once. The caller has to call it from time to time.
 */
export function expiryReporter(
  inUse: () => readonly Validity[],
  report: { warn(message: string): void; expired(message: string): void },
  clock = Date.now,
): () => void {
  const last = new Map<string, { notAfter: number; steps: number }>();
  const check = (validity: Validity) => {
    const { name, notAfter } = validity;
    const left = notAfter.getTime() - clock();
    const soon = notAfter.getTime() - dueTime(validity);
    const steps = [soon, Math.min(DAY, soon), 0].filter((limit) => left < limit).length;
    const before = last.get(name);
    const isNew = before?.notAfter !== notAfter.getTime() || steps > before.steps;
    last.set(name, { notAfter: notAfter.getTime(), steps });
    if (steps === 0 || !isNew) return;
    if (left >= 0) report.warn(`${endsSoon(validity)}; the new files take effect without a restart`);
    else report.expired(`the ${name} expired on ${notAfter.toISOString()}, so ${CONSEQUENCE[name]}: renew it`);
  };
  return () => inUse().forEach(check);
}

interface HandshakeCheckOptions {
  /** Returns where the server listens; undefined if it does not yet. */
  readonly address: () => { readonly host: string; readonly port: number } | undefined;
  readonly timeoutMs?: number;
  /** Milliseconds for which a result is reused: probes are frequent, and a handshake is expensive. */
  readonly cacheMs?: number;
  /** A monotonic clock, in milliseconds. */
  readonly clock?: () => number;
}

/** The number of local ports of our own probes that are remembered, to ignore their failures. */
const OWN_PORTS = 16;

/** Creates the check that makes a TLS handshake with the server itself: it accepts connections, and its key fits. */
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
  /** Whether a connection from this port is a recent one of this check, whose failure is not that of a caller. */
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
