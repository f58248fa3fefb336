/** Assembles the server, once: log, inputs, cluster, admission, operations port, watches, stop. */
import { inPod } from '../../cluster/live/access.ts';
import { createApp } from '../../server/app.ts';
import { createInternalErrors, repeatedErrors } from '../../server/lifecycle/internal-errors.ts';
import { ListenError, listen } from '../../server/lifecycle/listen.ts';
import { handleProcessEvents, stopLimit } from '../../server/lifecycle/process-events.ts';
import { createLog, type Log, LogDestination } from '../../server/log/log.ts';
import { createMetrics, memoryBounds } from '../../server/ops/metrics.ts';
import { createOps } from '../../server/ops/ops.ts';
import { certificateCheck, handshakeCheck } from '../../tls/checks.ts';
import { CertificateError } from '../../tls/error.ts';
import { reportFailure, UsageError, version } from '../shared.ts';
import { announce } from './announce.ts';
import { readInputs, watchInputs } from './inputs.ts';
import { createObserver } from './observer.ts';
import type { ServeFlags } from './options.ts';

/** Whatever runs until the server stops. */
interface Closable {
  close(timeoutMs: number): Promise<void> | void;
}

/** Probes and scrapes are short: none is worth waiting for longer. */
const OPS_CLOSING_MS = 1000;
/** What the Deployment of `muster manifests` allows for a stop; after that a kubelet kills. */
const GRACE_SECONDS = 60;

/** Starts the server and leaves it running; returns what to print. Throws UsageError or ConfigError on what can't be used. */
export async function startServing(flags: ServeFlags): Promise<string> {
  const running: Closable[] = [];
  try {
    return await start(flags, running);
  } catch (error) {
    for (const each of running) await each.close(0);
    if (error instanceof CertificateError || error instanceof ListenError) {
      throw new UsageError(error.message, { cause: error });
    }
    throw error;
  }
}

async function start(flags: ServeFlags, running: Closable[]): Promise<string> {
  const onRecovered = (lines: number) => log.warn('lines of the log before this one were lost', { lines });
  const destination = new LogDestination(2, onRecovered);
  const log = createLog(flags.logLevel, destination);
  const events = handleProcessEvents({ log, flush: destination.flush, reportFailure });

  const inputs = await readInputs(flags, log);
  const { current, source, host } = inputs;
  warnOfGrace(flags, log);
  const metrics = createMetrics({
    version: version(),
    policy: () => current.engine.policy,
    certificateEnd: () => current.certificate.notAfter.getTime(),
    logDropped: destination.dropped,
    ...(source.isLive && { clusterUp: () => cluster.up() }),
  });
  const cluster = source.open(log, metrics);
  running.push(cluster);

  const errors = createInternalErrors({ log, count: metrics.internalError });
  const selfCheck = handshakeCheck({ address: () => admission });
  const observer = createObserver({ log, metrics, errors, isOwnPort: selfCheck.isOwnPort });
  const app = createApp({
    tls: current.certificate,
    callers: current.clientCa === undefined ? undefined : { ca: current.clientCa, names: flags.clientName ?? [] },
    current,
    clusterState: cluster.clusterState,
    metrics,
    log,
    observer,
  });
  const admission = await listen(app, { host, port: flags.port, onError: observer.acceptFailed });
  // In the order of closing: what is evaluated while the listeners close may need the cluster.
  running.unshift(admission);
  const watches = watchInputs(inputs, app.server, log, metrics);
  running.unshift(watches);

  const opsApp = createOps({
    metrics,
    checks: [
      { name: 'configuration', advisory: true, run: watches.configurationProblem },
      certificateCheck(() => current.certificate),
      selfCheck,
      { name: 'not-draining', run: () => (app.closing.begun ? 'the server is shutting down' : undefined) },
      { name: 'internal-errors', advisory: true, run: () => repeatedErrors(errors) },
      ...(source.isLive
        ? [{ name: 'cluster', advisory: true, run: () => cluster.problems().join('; ') || undefined }]
        : []),
    ],
    draining: app.closing,
    onError: (error) => errors.report('ops', error),
  });
  const ops = await listen(opsApp, { host, port: flags.opsPort });
  // It answers until the admission port is closed.
  running.splice(2, 0, { close: (timeoutMs) => ops.close(Math.min(timeoutMs, OPS_CLOSING_MS)) });
  metrics.watchBounds(() => [
    ...app.bounds(),
    ...opsApp.bounds(),
    ...memoryBounds(),
    { name: 'log_buffer_bytes', held: destination.buffered(), limit: destination.limit },
    ...(cluster.connections ? [{ name: 'cluster_connections', ...cluster.connections() }] : []),
  ]);
  const close = async (timeoutMs: number) => {
    for (const each of running) await each.close(timeoutMs);
  };
  events.serving({ drain: app.drain, drainSeconds: flags.drainSeconds, log, errors, close });
  const { files, clientCaFile } = inputs;
  return announce({ at: admission, opsPort: ops.port, source: source.name, files, clientCaFile });
}

function warnOfGrace({ drainSeconds }: ServeFlags, log: Log): void {
  const seconds = stopLimit('SIGTERM', drainSeconds) / 1000;
  if (!inPod() || seconds < GRACE_SECONDS) return;
  log.warn(
    `with --drain-seconds ${drainSeconds} a stop takes up to ${seconds} s: set terminationGracePeriodSeconds above that`,
  );
}
