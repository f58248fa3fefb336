/** The one assembly of the server: configuration, certificate, view, engine, listeners, watches, stop. */
import { plain, shorten } from '../../engine/text.ts';
import { type App, type AppOptions, createApp, type Observer } from '../../server/app.ts';
import type { Callers } from '../../server/callers.ts';
import { createDrain, type Drain } from '../../server/drain.ts';
import { createFaults, type Faults, faultsCheck } from '../../server/faults.ts';
import { guardProcess } from '../../server/guard.ts';
import {
  certificateCheck,
  clusterCheck,
  configurationCheck,
  createHealth,
  drainCheck,
  handshakeCheck,
} from '../../server/health.ts';
import { ListenError, type Listening, listen } from '../../server/listen.ts';
import { createLog, type Log } from '../../server/log.ts';
import { createLogWriter } from '../../server/log-writer.ts';
import { createMetrics, type Metrics } from '../../server/metrics.ts';
import { createOps } from '../../server/ops.ts';
import { CertificateError } from '../../tls/error.ts';
import { tellFailure } from '../failure.ts';
import type { ServeFlags } from '../serve.ts';
import { UsageError } from '../usage-error.ts';
import { announce } from './announce.ts';
import { type Held, hostOf, readInputs, watchInputs } from './inputs.ts';
import { type Lookout, lookOut } from './surroundings.ts';

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
  const writer = createLogWriter(2);
  const log = createLog(flags.logLevel, writer);
  const guard = guardProcess({ log, flush: writer.flush, tell: tellFailure });
  const inputs = await readInputs(flags, log);
  for (const warning of inputs.warnings) log.warn(warning);
  const { held, files, surroundings } = inputs;
  const drain = createDrain();
  const lookout = lookOut(surroundings, log, () => metrics);
  started.push(lookout);
  const metrics = metricsOf(held, lookout);
  const faults = createFaults({ log, count: () => {} });
  const host = hostOf(flags, files);
  const callers = callersOf(held, flags.clientName, log);
  const app = buildApp(held, lookout, drain, { observer: observe(log, metrics, faults), callers });
  const admission = await listen(app, { host, port: flags.port });
  // In the order of their end: what is still judged while the listeners close may need the cluster, and the ops port answers to the end.
  started.unshift(admission);
  const health = healthOf(held, lookout, drain, admission, faults);
  const broke = (error: unknown) => faults.happened('ops', error);
  const ops = await listen(createOps({ metrics, health, draining: drain.draining, broke }), {
    host,
    port: flags.opsPort,
  });
  started.splice(1, 0, ops);
  started.unshift(watchInputs(inputs, app.server, { log, metrics }));
  guard.serving({
    drain,
    drainSeconds: flags.drainSeconds,
    log,
    faults,
    close: (patience) => closeAll(started, patience),
  });
  app.server.once('close', () => guard.lost('the listener has closed'));
  return announce({
    ...files,
    clientCaFile: flags.clientCaFile,
    host: admission.host,
    port: admission.port,
    opsPort: ops.port,
    view: surroundings.name,
  });
}

/** Whatever runs until the server stops. */
interface Closing {
  close(patienceMs?: number): Promise<void> | void;
}

function metricsOf(held: Held, { up }: Lookout): Metrics {
  return createMetrics({
    policy: () => held.engine.policy,
    certificateEnd: () => held.certificate.notAfter.getTime(),
    ...(up && { clusterUp: up }),
  });
}

type Outside = Pick<AppOptions, 'observer' | 'callers'>;

function buildApp(held: Held, { world }: Lookout, drain: Drain, outside: Outside): App {
  return createApp({
    tls: held.certificate,
    current: () => held.engine,
    world,
    draining: drain.draining,
    ...outside,
  });
}

const REFUSAL_EVERY_MS = 10_000;

function callersOf({ clientCa: ca }: Held, names: readonly string[] = [], log: Log): Callers | undefined {
  if (ca === undefined) return undefined;
  let told = Number.NEGATIVE_INFINITY;
  const refused = (shown: readonly string[]) => {
    // Callers come as often as they please; the log need not follow.
    if (performance.now() - told < REFUSAL_EVERY_MS) return;
    told = performance.now();
    const called = plain(shorten(shown.join(', '), 256));
    log.warn(`a caller is refused: its certificate names no --client-name, but ${called || 'nobody'}`);
  };
  return { ca, names, refused };
}

/** What the log and the metrics hear of each request. */
function observe(log: Log, metrics: Metrics, faults: Faults): Observer {
  return {
    begin: () => {
      const began = performance.now();
      metrics.requestStarted();
      return (decision) => {
        metrics.requestEnded();
        if (decision === undefined) return;
        const milliseconds = performance.now() - began;
        metrics.decided(decision, milliseconds);
        const crashes = (decision.verdict?.crashes.length ?? 0) + (decision.failure === undefined ? 0 : 1);
        if (crashes > 0) faults.crashed(crashes);
        log.decision(decision, milliseconds);
      };
    },
    cut: () => {},
    shed: () => {
      metrics.shed();
      log.warn('too many requests at once: one was turned away');
    },
    broke: (reference, error) => faults.happened('request', error, reference),
  };
}

function healthOf(held: Held, { problems }: Lookout, drain: Drain, admission: Listening, faults: Faults) {
  const validity = () => ({
    notBefore: held.certificate.notBefore.getTime(),
    notAfter: held.certificate.notAfter.getTime(),
  });
  return createHealth([
    configurationCheck(() => held.engine !== undefined),
    certificateCheck(validity),
    handshakeCheck({ address: () => admission }),
    drainCheck(drain.draining),
    faultsCheck(faults),
    ...(problems ? [clusterCheck(problems)] : []),
  ]);
}

async function closeAll(started: readonly Closing[], patienceMs?: number): Promise<void> {
  for (const closing of started) await closing.close(patienceMs);
}
