/** What the log and the metrics hear of requests, callers and connections. Whatever others can repeat at will is told seldom. */
import { plain, shorten } from '../../engine/text.ts';
import type { AdmissionObserver, Decision } from '../../server/admission/observer.ts';
import type { Faults } from '../../server/lifecycle/faults.ts';
import type { Log } from '../../server/log/log.ts';
import { seldom } from '../../server/log/seldom.ts';
import type { OwnPorts } from '../../server/ops/health.ts';
import type { Metrics } from '../../server/ops/metrics.ts';

export interface Told {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly faults: Faults;
  readonly own: OwnPorts;
}

/** Of each request: counted and told once decided. That telling fails changes no verdict. */
export function observerOf(told: Told): AdmissionObserver {
  const { log, metrics, faults, own } = told;
  const failed = seldom(log.warn);
  const rejected = seldom(log.warn);
  const turnedAway = seldom(log.warn);
  const cutOff = seldom(log.warn);
  return {
    requestStarted: metrics.requestStarted,
    requestEnded: (milliseconds, decision) => {
      metrics.requestEnded();
      if (decision === undefined) return;
      try {
        tell(told, decision, milliseconds);
      } catch (error) {
        faults.happened('request', error);
      }
    },
    rejected: (cause) => {
      metrics.shed(cause);
      turnedAway(() => ['too many requests at once: one was turned away', { cause }]);
    },
    connectionClosed: (cause) => {
      metrics.cut(cause);
      cutOff(() => ['a connection was closed for load, or for being slow', { cause }]);
    },
    internalError: (reference, error) => faults.happened('request', error, reference),
    handshakeFailed: (cause, error, socket) => {
      if (own.has(socket.remotePort)) return;
      metrics.handshakeFailed(cause);
      if (cause === 'gone') return;
      failed(() => ['a TLS handshake failed', { cause, code: error.code, from: socket.remoteAddress }]);
    },
    callerRejected: (names) => {
      metrics.callerRefused();
      rejected(() => {
        const called = plain(shorten(names.join(', '), 256));
        return [`a caller is refused: its certificate names no --client-name, but ${called || 'nobody'}`];
      });
    },
  };
}

function tell({ log, metrics, faults }: Told, decision: Decision, milliseconds: number): void {
  metrics.decided(decision, milliseconds);
  log.decision(decision, milliseconds);
  const crashes = (decision.verdict?.crashes.length ?? 0) + (decision.failure === undefined ? 0 : 1);
  if (crashes > 0) faults.crashed(crashes);
}

/** Warns when connections can't be accepted, such as for want of file descriptors. */
export function acceptErrors({ log }: Pick<Told, 'log'>): (error: NodeJS.ErrnoException) => void {
  const warn = seldom(log.warn);
  return (error) => warn(() => [`connections can't be accepted (${error.code ?? error.message})`]);
}

/** A stall of the event loop keeps everybody waiting; one of a second is worth a line. */
export function lagOf({ log, metrics }: Pick<Told, 'log' | 'metrics'>): (seconds: number) => void {
  const warn = seldom(log.warn);
  return (seconds) => {
    metrics.lagged(seconds);
    if (seconds >= 1) warn(() => ['the event loop stood still: nobody was answered meanwhile', { seconds }]);
  };
}
