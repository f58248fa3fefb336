/** Assembles the server, once: log, inputs, cluster, admission, operations port, watches, stop. */

import { inPod } from '../../base/pod.ts';
import { UsageError } from '../../base/usage-error.ts';
import { dueTime, handshakeCheck } from '../../certificates/readiness-checks.ts';
import { createApp } from '../../server/app.ts';
import { createInternalErrors } from '../../server/lifecycle/internal-errors.ts';
import { listen } from '../../server/lifecycle/listen.ts';
import { handleProcessEvents, stopLimit } from '../../server/lifecycle/process-events.ts';
import type { Bound } from '../../server/limits.ts';
import { type Log, openLog } from '../../server/log/log.ts';
import { createMetrics, memoryBounds } from '../../server/ops/metrics.ts';
import { createOps } from '../../server/ops/ops.ts';
import { reportFailure, version } from '../shared.ts';
import { announce, announceAsJson } from './announce.ts';
import { createDenialEvents } from './denial-events.ts';
import { readInputs, validities, watchInputs } from './inputs.ts';
import { createObserver } from './observer.ts';
import type { ServeFlags } from './options.ts';
import { checkTracingFlags, openTracing } from './tracing.ts';

/** What runs until the server stops. */
interface Closable {
  close(timeoutMs: number): Promise<void> | void;
}

/**
 * The order of closing. Probes and scrapes are answered until the admission port is closed; the last requests may need
 * the cluster, and make spans.
 */
const CLOSING = ['watches', 'admission', 'ops', 'cluster', 'tracing'] as const;
type Closables = Partial<Record<(typeof CLOSING)[number], Closable>>;

/** The most milliseconds to wait for probes and scrapes, which are short. */
const OPS_CLOSING_MS = 1000;
/** The grace period of the Deployment of `muster manifests`, after which a kubelet kills the server. */
const GRACE_SECONDS = 60;

interface RunningServer {
  /** The port of the admission webhooks. */
  readonly port: number;
  /** What to print: where it listens. */
  readonly announcement: string;
  /** Closes the listeners in order; cuts off what still runs after so many milliseconds. */
  close(timeoutMs: number): Promise<void>;
}

/**
 * Starts the server, which runs until a signal or `close`.
 * @throws UsageError or ConfigError for flags or files that can't be used
 */
export async function startServing(flags: ServeFlags): Promise<RunningServer> {
  const running: Closables = {};
  try {
    return await start(flags, running);
  } catch (error) {
    await closeAll(running, 0);
    throw error;
  }
}

async function closeAll(running: Closables, timeoutMs: number): Promise<void> {
  for (const name of CLOSING) await running[name]?.close(timeoutMs);
}

async function start(flags: ServeFlags, running: Closables): Promise<RunningServer> {
  checkTracingFlags(flags);
  if (flags.port === flags.opsPort && flags.port !== 0)
    throw new UsageError(`--port and --ops-port are both ${flags.port}: give each its own (0 picks a free one)`);
  const { log, destination } = openLog(flags.logLevel, 2);
  const events = handleProcessEvents({ log, flush: destination.flush, reportFailure });

  const inputs = await readInputs(flags, log);
  const { current, source, host } = inputs;
  if (flags.events && !source.isLive)
    throw new UsageError('--events needs a cluster to write Events to: name one with --kubeconfig, or leave it out');
  logStopLimit(flags, log);
  const metrics = createMetrics({
    version: version(),
    policy: () => current.engine.policy,
    configuration: () => current.fingerprint,
    certificate: () => ({
      end: Math.min(...validities(inputs).map(({ notAfter }) => notAfter.getTime())),
      due: Math.min(...validities(inputs).map(dueTime)),
      refused: watches.certificateProblem() !== undefined,
    }),
    logDropped: destination.dropped,
    tracing: flags.tracingEndpoint !== undefined,
    events: flags.events === true,
    ...(source.isLive && { clusterUp: () => cluster.up() }),
  });
  const errors = createInternalErrors({ log, count: metrics.internalError });
  const tracing = await openTracing(flags, log, metrics);
  if (tracing) running.tracing = tracing;
  const onError = (error: unknown) => errors.report('rejection', error);
  const cluster = source.open({ log, metrics, tracing, hub: inputs.configuration?.hub, onError });
  running.cluster = cluster;

  const decided =
    flags.events && cluster.client ? createDenialEvents({ client: cluster.client, metrics, log }) : undefined;
  const selfCheck = handshakeCheck({ address: () => admission });
  const observer = createObserver({ log, metrics, errors, decided, isOwnPort: selfCheck.isOwnPort });
  const app = createApp({
    tls: current.certificate,
    callers: current.clientCa === undefined ? undefined : { ca: current.clientCa.pem, names: flags.clientName ?? [] },
    current,
    clusterState: cluster.clusterState,
    metrics,
    log,
    observer,
    tracing,
  });
  const admission = await listen(app, { host, port: flags.port, onError: observer.acceptFailed });
  running.admission = admission;
  const watches = watchInputs(inputs, app.fastify.server, cluster.registrar, log, metrics);
  running.watches = watches;

  const clusterProblem = () => cluster.problems().join('; ') || undefined;
  const opsApp = createOps({
    metrics,
    checks: [
      ...watches.checks,
      selfCheck,
      { name: 'not-draining', run: () => (app.closing.begun ? 'the server is shutting down' : undefined) },
      { name: 'internal-errors', advisory: true, run: errors.problem },
      ...(source.isLive ? [{ name: 'cluster', advisory: true, run: clusterProblem }] : []),
    ],
    draining: app.closing,
    onError: (error) => errors.report('ops', error),
  });
  const ops = await listen(opsApp, { host, port: flags.opsPort });
  running.ops = { close: (timeoutMs) => ops.close(Math.min(timeoutMs, OPS_CLOSING_MS)) };
  const bounds = (): readonly Bound[] => [
    ...app.bounds(),
    ...opsApp.bounds(),
    ...memoryBounds(),
    { name: 'log_buffer_bytes', held: destination.buffered(), limit: destination.limit },
    ...(tracing ? [tracing.bound()] : []),
    ...(cluster.client?.connections ? [{ name: 'cluster_connections' as const, ...cluster.client.connections() }] : []),
  ];
  metrics.watch({ requestsInFlight: app.requestsInFlight, bounds });
  const close = (timeoutMs: number) => closeAll(running, timeoutMs);
  events.serving({ drain: app.drain, drainSeconds: flags.drainSeconds, log, errors, close });
  const { files, clientCaFile } = inputs;
  log.info('muster has started', {
    version: version(),
    node: process.version,
    config: inputs.configFile ?? 'none',
    sha256: current.fingerprint,
  });
  const listening = { at: admission, opsPort: ops.port, source: source.name, files, clientCaFile };
  // With development certificates, a person reads this text. Otherwise a log may get it, whose other lines are JSON.
  const isLogged = files.caFile === undefined && !process.stdout.isTTY;
  const announcement = isLogged ? announceAsJson(listening) : announce(listening);
  return { port: admission.port, announcement, close };
}

/** Logs how long a stop may take where a pod's default grace period may be too short. The chart's allows for it. */
function logStopLimit({ drainSeconds }: ServeFlags, log: Log): void {
  const seconds = stopLimit('SIGTERM', drainSeconds) / 1000;
  if (!inPod() || seconds < GRACE_SECONDS) return;
  log.info(
    `with --drain-seconds ${drainSeconds} a stop takes up to ${seconds} s, so the pod needs a longer ` +
      'terminationGracePeriodSeconds; the chart sets it',
  );
}
