/** What the server is given: configuration, certificate, state. Read once at the start, and watched from then on. */
import type { Server } from 'node:tls';
import { inPod } from '../../cluster/live/in-pod.ts';
import { type LoadedConfiguration, loadConfiguration } from '../../config/load.ts';
import { watchConfiguration } from '../../config/watch.ts';
import { createEngine, defaultPolicy, type Engine } from '../../engine/index.ts';
import { ruleIds, rules } from '../../rules/index.ts';
import type { Rule } from '../../rules/rule.ts';
import type { Log } from '../../server/log/log.ts';
import type { Metrics } from '../../server/ops/metrics.ts';
import { loadClientCa, tlsOptions } from '../../tls/callers.ts';
import { ensureDevelopmentCertificates } from '../../tls/development.ts';
import type { LoadedCertificate } from '../../tls/load.ts';
import { applyCertificate, watchCertificate, watchClientCa } from '../../tls/reload.ts';
import { refuseWayOut } from '../certs/development.ts';
import type { ServeFlags } from '../serve.ts';
import { UsageError } from '../shared.ts';
import { firstCertificate } from './first-certificate.ts';
import { type Surroundings, surroundingsOf } from './surroundings.ts';

/** What a reload replaces, between two requests. */
export interface Held {
  engine: Engine;
  certificate: LoadedCertificate;
  /** PEM; undefined where anyone may call. */
  clientCa: string | undefined;
}

export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
  /** The development CA; undefined where the certificate is the user's own. */
  readonly caFile: string | undefined;
}

export interface Inputs {
  readonly held: Held;
  readonly files: CertificateFiles;
  readonly clientCaFile: string | undefined;
  readonly config: { readonly file: string; readonly fingerprint: string } | undefined;
  readonly surroundings: Surroundings;
  readonly warnings: readonly string[];
}

/** Reads everything; in a pod, waits for a good certificate. @throws UsageError, ConfigError, CertificateError or ListenError */
export async function readInputs(flags: ServeFlags, log: Log): Promise<Inputs> {
  const file = flags.config || undefined;
  const { clientCaFile } = flags;
  if (clientCaFile === undefined && flags.clientName !== undefined) {
    throw new UsageError('--client-name needs --client-ca-file: without a CA, a name proves nothing');
  }
  const [files, loaded, surroundings, clientCa] = await Promise.all([
    certificateFiles(flags),
    file === undefined ? undefined : loadConfiguration(file, ruleIds, Date.now()),
    surroundingsOf(flags),
    clientCaFile === undefined ? undefined : loadClientCa(clientCaFile),
  ]);
  const ops = { host: hostOf(flags, files), port: flags.opsPort };
  return {
    held: {
      engine: engineFor(loaded, surroundings),
      certificate: await firstCertificate({ files, ops, log }),
      clientCa,
    },
    files,
    clientCaFile,
    config: file === undefined || loaded === undefined ? undefined : { file, fingerprint: loaded.fingerprint },
    surroundings,
    warnings: loaded === undefined ? [] : warningsOf(loaded, surroundings),
  };
}

/** Where to listen: development certificates are for this machine alone. */
export function hostOf({ host }: ServeFlags, { caFile }: CertificateFiles): string {
  return host || (caFile === undefined ? '::' : 'localhost');
}

/** From now on, good changes take effect and bad ones are told; what was good stays. */
export function watchInputs(inputs: Inputs, server: Server, told: Told): { close(): void } {
  const { held, config, surroundings } = inputs;
  const watches = [
    watchPair(inputs, server, told),
    watchCallers(inputs, server, told),
    config && watchPolicy(config, held, surroundings, told),
  ];
  return {
    close: () => {
      for (const watch of watches) watch?.close();
    },
  };
}

interface Told {
  readonly log: Log;
  readonly metrics: Metrics;
}

function watchPair({ held, files }: Inputs, server: Server, { log, metrics }: Told) {
  return watchCertificate({
    ...files,
    current: held.certificate,
    onChange: (certificate) => {
      applyCertificate(server, certificate, tlsOptions(held.clientCa));
      held.certificate = certificate;
      metrics.certificateReload('applied');
      log.info('a new certificate is in use', { until: certificate.notAfter.toISOString() });
    },
    onError: (error) => {
      metrics.certificateReload('refused');
      log.error('the changed certificate is refused; the old one stays', error);
    },
  });
}

function watchCallers({ held, clientCaFile }: Inputs, server: Server, { log, metrics }: Told) {
  if (clientCaFile === undefined || held.clientCa === undefined) return undefined;
  return watchClientCa({
    file: clientCaFile,
    current: held.clientCa,
    onChange: (ca) => {
      applyCertificate(server, held.certificate, tlsOptions(ca));
      held.clientCa = ca;
      metrics.certificateReload('applied');
      log.info('a new client CA is in use');
    },
    onError: (error) => {
      metrics.certificateReload('refused');
      log.error('the changed client CA is refused; the old one stays', error);
    },
  });
}

function watchPolicy(
  config: NonNullable<Inputs['config']>,
  held: Held,
  surroundings: Surroundings,
  { log, metrics }: Told,
) {
  return watchConfiguration(config.file, {
    ruleIds,
    fingerprint: config.fingerprint,
    onPolicy: (loaded) => {
      held.engine = engineFor(loaded, surroundings);
      metrics.configurationReload('applied');
      log.info('a new configuration is in effect');
      for (const warning of warningsOf(loaded, surroundings)) log.warn(warning);
    },
    onProblems: ({ problems }) => {
      metrics.configurationReload('refused');
      for (const problem of problems) log.error(`the changed configuration is refused, the old one stays: ${problem}`);
    },
  });
}

function engineFor(loaded: LoadedConfiguration | undefined, { live }: Surroundings): Engine {
  return createEngine({ policy: loaded?.policy ?? defaultPolicy, point: 'webhook', live: live !== undefined });
}

/** What the configuration itself gives rise to, and rules that it lets deny in vain. */
function warningsOf({ policy, warnings }: LoadedConfiguration, { live }: Surroundings): readonly string[] {
  const catalogue: readonly Rule[] = live === undefined ? [] : rules;
  const vain = catalogue.filter(({ id, unique }) => unique && policy.actions.get(id)?.webhook === 'deny');
  return [
    ...warnings,
    ...vain.map(({ id }) => `${id} denies nothing in a live cluster: it compares many objects, which is for scan`),
  ];
}

async function certificateFiles(flags: ServeFlags): Promise<CertificateFiles> {
  const certFile = flags.tlsCertFile || undefined;
  const keyFile = flags.tlsPrivateKeyFile || undefined;
  if (certFile !== undefined && keyFile !== undefined) return { certFile, keyFile, caFile: undefined };
  if (certFile !== keyFile) {
    const missing = certFile === undefined ? '--tls-cert-file' : '--tls-private-key-file';
    throw new UsageError(`${missing} is missing: a certificate and its key go together`);
  }
  if (inPod()) {
    throw new UsageError(
      'in a pod, --tls-cert-file and --tls-private-key-file are needed: development certificates are never made there',
    );
  }
  refuseWayOut(flags.certDir);
  return ensureDevelopmentCertificates(flags.certDir);
}
