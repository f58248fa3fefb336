/**
 * Reports events other than decisions to the log, the metrics and the internal errors. Log lines that callers can cause
 * at will are limited.
 */
import type { InternalErrors } from '../../server/lifecycle/internal-errors.ts';
import type { Log } from '../../server/log/log.ts';
import { rateLimited } from '../../server/log/rate-limited.ts';
import type { AdmissionObserver } from '../../server/observer.ts';
import type { Metrics } from '../../server/ops/metrics.ts';

interface ObserverOptions {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly errors: InternalErrors;
  /** Writes Events of denied writes. */
  readonly decided: AdmissionObserver['decided'];
  /** Whether a connection from this port is the server's own, for its readiness. */
  readonly isOwnPort: (port: number | undefined) => boolean;
}

/** `acceptFailed`: connections can't be accepted, as when the process has no file descriptors left. */
type ServerObserver = AdmissionObserver & { acceptFailed(error: NodeJS.ErrnoException): void };

/** Returns the observer of a server. */
export function createObserver({ log, metrics, errors, decided, isOwnPort }: ObserverOptions): ServerObserver {
  // One for each kind of line, so that many lines of one kind do not hide those of another.
  const warn = () => rateLimited(log.warn);
  const requests = warn();
  const connections = warn();
  const handshakes = warn();
  const callers = warn();
  const accepts = warn();
  return {
    decided,
    evaluationsCrashed: errors.countEvaluation,
    rejected: (cause) => {
      metrics.requestRejected(cause);
      requests(() => ['too many requests at once: one was rejected', { cause }]);
    },
    connectionClosed: (cause) => {
      metrics.connectionClosed(cause);
      connections(() => ['a connection was closed for load, or for being slow', { cause }]);
    },
    internalError: (reference, error) => errors.report('request', error, reference),
    handshakeFailed: (cause, error, socket) => {
      if (isOwnPort(socket.remotePort)) return;
      metrics.handshakeFailed(cause);
      if (cause === 'gone') return;
      handshakes(() => ['a TLS handshake failed', { cause, code: error.code, from: socket.remoteAddress }]);
    },
    callerRejected: (names) => {
      metrics.callerRejected();
      const line = 'a caller is rejected: its certificate has other names than --client-name';
      callers(() => [`${line}: ${names.join(', ') || 'none'}`]);
    },
    acceptFailed: (error) => accepts(() => [`connections can't be accepted (${error.code ?? error.message})`]),
  };
}
