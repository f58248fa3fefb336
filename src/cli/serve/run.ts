/** The one assembly of the server: configuration, certificate, view, engine, listeners, watches, stop. */
import { type App, createApp, type Observer } from '../../server/app.ts';
import { createDrain, type Drain, stopOnSignal } from '../../server/drain.ts';
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
import { createMetrics, type Metrics } from '../../server/metrics.ts';
import { createOps } from '../../server/ops.ts';
import { CertificateError } from '../../tls/error.ts';
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
  const started: Listening[] = [];
  try {
    return await start(flags, started);
  } catch (error) {
    await stopListening(started);
    if (error instanceof CertificateError || error instanceof ListenError) {
      throw new UsageError(error.message, { cause: error });
    }
    throw error;
  }
}

async function start(flags: ServeFlags, started: Listening[]): Promise<string> {
  const log = createLog(flags.logLevel);
  const inputs = await readInputs(flags, log);
  for (const warning of inputs.warnings) log.warn(warning);
  const { held, files, surroundings } = inputs;
  const drain = createDrain();
  const lookout = lookOut(surroundings, log, () => metrics);
  const metrics = metricsOf(held, lookout);
  const host = hostOf(flags, files);
  const app = buildApp(held, lookout, drain, observe(log, metrics));
  const admission = await listen(app, { host, port: flags.port });
  started.push(admission);
  const opsApp = createOps({ metrics, health: healthOf(held, lookout, drain, admission) });
  const ops = await listen(opsApp, { host, port: flags.opsPort });
  started.push(ops);
  const watches = watchInputs(inputs, app.server, { log, metrics });
  const close = async () => {
    watches.close();
    await stopListening(started);
    // What is still judged while the listeners close may need the cluster.
    lookout.close();
  };
  stopOnSignal({ drain, drainSeconds: flags.drainSeconds, log, close });
  return announce({ ...files, host: admission.host, port: admission.port, opsPort: ops.port, view: surroundings.name });
}

function metricsOf(held: Held, { up }: Lookout): Metrics {
  return createMetrics({
    policy: () => held.engine.policy,
    certificateEnd: () => held.certificate.notAfter.getTime(),
    ...(up && { clusterUp: up }),
  });
}

function buildApp(held: Held, { world }: Lookout, drain: Drain, observer: Observer): App {
  return createApp({
    tls: held.certificate,
    current: () => held.engine,
    world,
    draining: drain.draining,
    observer,
  });
}

/** What the log and the metrics hear of each request. */
function observe(log: Log, metrics: Metrics): Observer {
  return {
    begin: () => {
      const began = performance.now();
      metrics.requestStarted();
      return (decision) => {
        metrics.requestEnded();
        if (decision === undefined) return;
        const milliseconds = performance.now() - began;
        metrics.decided(decision, milliseconds);
        log.decision(decision, milliseconds);
      };
    },
    shed: () => {
      metrics.shed();
      log.warn('too many requests at once: one was turned away');
    },
    broke: (reference, error) => log.error(`a request broke, reference ${reference}`, error),
  };
}

function healthOf(held: Held, { problems }: Lookout, drain: Drain, admission: Listening) {
  const validity = () => ({
    notBefore: held.certificate.notBefore.getTime(),
    notAfter: held.certificate.notAfter.getTime(),
  });
  return createHealth([
    configurationCheck(() => held.engine !== undefined),
    certificateCheck(validity),
    handshakeCheck({ address: () => admission }),
    drainCheck(drain.draining),
    ...(problems ? [clusterCheck(problems)] : []),
  ]);
}

/** Admission first, so that the ops port answers to the end. */
async function stopListening(started: readonly Listening[]): Promise<void> {
  for (const listening of started) await listening.close();
}
