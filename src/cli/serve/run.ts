/** The one assembly of the server: configuration, certificate, view, engine, listeners, watches, stop. */
import { inPod } from '../../cluster/live/in-pod.ts';
import type { Bound } from '../../server/admission/observer.ts';
import { type App, type AppOptions, createApp } from '../../server/app.ts';
import { createDrain, type Drain, stopLimit } from '../../server/lifecycle/drain.ts';
import { createFaults, type Faults, faultsCheck } from '../../server/lifecycle/faults.ts';
import { guardProcess } from '../../server/lifecycle/guard.ts';
import { ListenError, listen } from '../../server/lifecycle/listen.ts';
import { createLog } from '../../server/log/log.ts';
import { createLogWriter, type LogWriter } from '../../server/log/log-writer.ts';
import {
  certificateCheck,
  clusterCheck,
  configurationCheck,
  createHealth,
  createOwnPorts,
  drainCheck,
  type HandshakeOptions,
  type Health,
  handshakeCheck,
} from '../../server/ops/health.ts';
import { watchLag } from '../../server/ops/lag.ts';
import { createMetrics, type Metrics } from '../../server/ops/metrics.ts';
import { createOps } from '../../server/ops/ops.ts';
import { memoryBounds, type SelfMetricsOptions } from '../../server/ops/self-metrics.ts';
import { CertificateError } from '../../tls/error.ts';
import type { ServeFlags } from '../serve.ts';
import { reportFailure, UsageError } from '../shared.ts';
import { announce } from './announce.ts';
import { type Held, hostOf, readInputs, watchInputs } from './inputs.ts';
import { acceptErrors, lagOf, observerOf } from './observe.ts';
import { type Lookout, lookOut } from './surroundings.ts';
import { keepYoungSmall } from './young.ts';

/**
 * Starts the server and leaves it running; returns what to tell whoever started it.
 * @throws {UsageError | ConfigError} what can't be used, in one line each
 */
export async function startServing(flags: ServeFlags): Promise<string> {
  const started: Closing[] = [];
  try {
    return await start(flags, started);
  } catch (error) {
    await closeAll(started);
    if (error instanceof CertificateError || error instanceof ListenError) {
      throw new UsageError(error.message, { cause: error });
    }
    throw error;
  }
}

async function start(flags: ServeFlags, started: Closing[]): Promise<string> {
  const recovered = (lines: number) => log.warn('lines of the log before this one were lost', { lines });
  const writer = createLogWriter(2, { recovered });
  const log = createLog(flags.logLevel, writer);
  const guard = guardProcess({ log, flush: writer.flush, tell: reportFailure });
  const inputs = await readInputs(flags, log);
  for (const warning of [...inputs.warnings, ...graceWarnings(flags)]) log.warn(warning);
  const { held, files, surroundings } = inputs;
  const drain = createDrain();
  const lookout = lookOut(surroundings, log, () => metrics);
  started.push(lookout);
  const bounds = () => [...app.bounds(), ...opsApp.bounds(), ...memoryBounds(), ...boundsOf(writer, lookout)];
  const metrics = metricsOf(held, lookout, { bounds, logDropped: writer.dropped });
  const faults = createFaults({ log, count: metrics.internalError });
  const own = createOwnPorts();
  const told = { log, metrics, faults, own };
  const host = hostOf(flags, files);
  const callers = held.clientCa === undefined ? undefined : { ca: held.clientCa, names: flags.clientName ?? [] };
  const app = buildApp(held, lookout, drain, { observer: observerOf(told), callers });
  const admission = await listen(app, { host, port: flags.port, onError: acceptErrors(told) });
  // In the order of their end: what is still judged while the listeners close may need the cluster, and the ops port
  // answers to the end.
  started.unshift(admission);
  const health = healthOf(held, lookout, drain, faults, { address: () => admission, from: own.add });
  const broke = (error: unknown) => faults.happened('ops', error);
  const opsApp = createOps({ metrics, health, draining: drain.draining, broke });
  const ops = await listen(opsApp, { host, port: flags.opsPort });
  started.splice(1, 0, { close: (patienceMs = OPS_PATIENCE_MS) => ops.close(Math.min(patienceMs, OPS_PATIENCE_MS)) });
  started.unshift(watchInputs(inputs, app.server, told), watchLag({ observe: lagOf(told) }), keepYoungSmall());
  const close = (patienceMs: number) => closeAll(started, patienceMs);
  guard.serving({ drain, drainSeconds: flags.drainSeconds, log, faults, close });
  return announce({
    ...files,
    clientCaFile: flags.clientCaFile,
    host: admission.host,
    port: admission.port,
    opsPort: ops.port,
    view: surroundings.name,
  });
}

/** Of the Deployment that `muster manifests` prints: after that a kubelet kills. */
const GRACE_SECONDS = 60;

function graceWarnings({ drainSeconds }: ServeFlags): readonly string[] {
  const seconds = stopLimit('SIGTERM', drainSeconds) / 1000;
  if (!inPod() || seconds < GRACE_SECONDS) return [];
  return [
    `with --drain-seconds ${drainSeconds} a stop takes up to ${seconds} s: set terminationGracePeriodSeconds above that`,
  ];
}

/** Probes and scrapes are short, and none of them is worth waiting for. */
const OPS_PATIENCE_MS = 1000;

/** Whatever runs until the server stops. */
interface Closing {
  close(patienceMs?: number): Promise<void> | void;
}

function metricsOf(held: Held, { up }: Lookout, own: SelfMetricsOptions): Metrics {
  return createMetrics({
    policy: () => held.engine.policy,
    certificateEnd: () => held.certificate.notAfter.getTime(),
    ...(up && { clusterUp: up }),
    ...own,
  });
}

function boundsOf(writer: LogWriter, { connections }: Lookout): readonly Bound[] {
  const log = { name: 'log_bytes', held: writer.held(), limit: writer.limit };
  return connections === undefined ? [log] : [log, { name: 'cluster_connections', ...connections() }];
}

type Outside = Pick<AppOptions, 'observer' | 'callers'>;

function buildApp(held: Held, { clusterState }: Lookout, drain: Drain, outside: Outside): App {
  return createApp({
    tls: held.certificate,
    current: () => held.engine,
    clusterState,
    draining: drain.draining,
    ...outside,
  });
}

function healthOf(
  held: Held,
  { problems }: Lookout,
  drain: Drain,
  faults: Faults,
  handshake: HandshakeOptions,
): Health {
  const validity = () => ({
    notBefore: held.certificate.notBefore.getTime(),
    notAfter: held.certificate.notAfter.getTime(),
  });
  return createHealth([
    configurationCheck(() => held.engine !== undefined),
    certificateCheck(validity),
    handshakeCheck(handshake),
    drainCheck(drain.draining),
    faultsCheck(faults),
    ...(problems ? [clusterCheck(problems)] : []),
  ]);
}

async function closeAll(started: readonly Closing[], patienceMs?: number): Promise<void> {
  for (const closing of started) await closing.close(patienceMs);
}
