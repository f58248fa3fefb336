/** What the log and the metrics hear of requests, callers and connections. Whatever others can repeat at will is told seldom. */
import type { TLSSocket } from 'node:tls';
import { plain, shorten } from '../../engine/text.ts';
import type { Decision } from '../../server/admission/admission.ts';
import type { App, Observer } from '../../server/app.ts';
import type { Callers } from '../../server/connections/callers.ts';
import { handshakeFailureOf, type OwnPorts } from '../../server/connections/handshake-failure.ts';
import type { Faults } from '../../server/lifecycle/faults.ts';
import type { Log } from '../../server/log/log.ts';
import { seldom } from '../../server/log/seldom.ts';
import type { Metrics } from '../../server/ops/metrics.ts';

export interface Told {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly faults: Faults;
}

/** Of each request: counted and told once decided. That telling fails changes no verdict. */
export function observerOf(told: Told): Observer {
  const { log, metrics, faults } = told;
  const turnedAway = seldom(log.warn);
  const cutOff = seldom(log.warn);
  return {
    begin: (waitedMs = 0) => {
      metrics.requestStarted();
      return performance.now() - waitedMs;
    },
    ended: (began, decision) => {
      metrics.requestEnded();
      if (decision === undefined) return;
      try {
        tell(told, decision, performance.now() - began);
      } catch (error) {
        faults.happened('request', error);
      }
    },
    shed: (cause) => {
      metrics.shed(cause);
      turnedAway(() => ['too many requests at once: one was turned away', { cause }]);
    },
    cut: (cause) => {
      metrics.cut(cause);
      cutOff(() => ['a connection was closed for load, or for being slow', { cause }]);
    },
    broke: (reference, error) => faults.happened('request', error, reference),
  };
}

function tell({ log, metrics, faults }: Told, decision: Decision, milliseconds: number): void {
  metrics.decided(decision, milliseconds);
  log.decision(decision, milliseconds);
  const crashes = (decision.verdict?.crashes.length ?? 0) + (decision.failure === undefined ? 0 : 1);
  if (crashes > 0) faults.crashed(crashes);
}

/** Who must show a certificate, where a CA is given. */
export function callersOf(
  ca: string | undefined,
  names: readonly string[],
  { log, metrics }: Told,
): Callers | undefined {
  if (ca === undefined) return undefined;
  const warn = seldom(log.warn);
  const refused = (shown: readonly string[]) => {
    metrics.callerRefused();
    warn(() => {
      const called = plain(shorten(shown.join(', '), 256));
      return [`a caller is refused: its certificate names no --client-name, but ${called || 'nobody'}`];
    });
  };
  return { ca, names, refused };
}

/** Failed handshakes but the server's own, and trouble with accepting, such as no more file descriptors. */
export function watchListener(server: App['server'], own: OwnPorts, { log, metrics }: Told): void {
  const failed = seldom(log.warn);
  const trouble = seldom(log.warn);
  server.on('tlsClientError', (error: NodeJS.ErrnoException, socket: TLSSocket) => {
    if (own.has(socket.remotePort)) return;
    const cause = handshakeFailureOf(error, socket);
    metrics.handshakeFailed(cause);
    if (cause !== 'gone')
      failed(() => ['a TLS handshake failed', { cause, code: error.code, from: socket.remoteAddress }]);
  });
  server.on('error', (error: NodeJS.ErrnoException) => {
    trouble(() => [`connections can't be accepted (${error.code ?? error.message})`]);
  });
}

/** A stall of the event loop keeps everybody waiting; one of a second is worth a line. */
export function lagOf({ log, metrics }: Pick<Told, 'log' | 'metrics'>): (seconds: number) => void {
  const warn = seldom(log.warn);
  return (seconds) => {
    metrics.lagged(seconds);
    if (seconds >= 1) warn(() => ['the event loop stood still: nobody was answered meanwhile', { seconds }]);
  };
}
