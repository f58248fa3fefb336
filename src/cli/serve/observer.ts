/**
 * Reports events other than decisions to the log, the metrics and the internal errors. Log lines that callers can cause
 * at will are limited.
 */
import { safeText } from '../../base/text.ts';
import type { InternalErrors } from '../../server/lifecycle/internal-errors.ts';
import type { Log } from '../../server/log/log.ts';
import { rateLimited } from '../../server/log/rate-limited.ts';
import type { AdmissionObserver } from '../../server/observer.ts';
import type { Metrics } from '../../server/ops/metrics.ts';
import type { DenialEvents } from './denial-events.ts';

interface ObserverOptions {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly errors: InternalErrors;
  /** Writes Events of denied writes. */
  readonly events?: Pick<DenialEvents, 'decided'> | undefined;
  /** Whether a connection from this port is the server's own, for its readiness. */
  readonly isOwnPort: (port: number | undefined) => boolean;
}

/** `acceptFailed`: connections can't be accepted, as when the process has no file descriptors left. */
type ServerObserver = AdmissionObserver & { acceptFailed(error: NodeJS.ErrnoException): void };

/** Returns the observer of a server. */
export function createObserver({ log, metrics, errors, events, isOwnPort }: ObserverOptions): ServerObserver {
  // One for each kind of line, so that many lines of one kind do not hide those of another.
  const warn = () => rateLimited(log.warn);
  const requests = warn();
  const connections = warn();
  const handshakes = warn();
  const callers = warn();
  const accepts = warn();
  return {
    decided: events?.decided,
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
      callers(() => {
        const shown = safeText(names.join(', '), 256);
        return [`a caller is rejected: its certificate has other names than --client-name: ${shown || 'none'}`];
      });
    },
    acceptFailed: (error) => accepts(() => [`connections can't be accepted (${error.code ?? error.message})`]),
  };
}
