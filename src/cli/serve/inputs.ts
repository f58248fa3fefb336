/** What the server reads from disk: configuration, certificate, client CA. Read once at the start, then watched and replaced. */
import type { Server } from 'node:tls';
import { inPod } from '../../cluster/live/access.ts';
import { type LoadedConfiguration, loadConfiguration } from '../../config/load.ts';
import { watchConfiguration } from '../../config/watch.ts';
import { createEngine, defaultPolicy, type Engine } from '../../engine/index.ts';
import { ruleIds, rules } from '../../rules/index.ts';
import type { Rule } from '../../rules/rule.ts';
import type { Log } from '../../server/log/log.ts';
import type { Metrics } from '../../server/ops/metrics.ts';
import { ensureDevelopmentCertificates } from '../../tls/development.ts';
import { type CertificateFiles, type LoadedCertificate, loadCertificate, loadClientCa } from '../../tls/load.ts';
import { tlsOptions } from '../../tls/server-options.ts';
import { watchLoaded } from '../../tls/watch.ts';
import { refuseWayOut } from '../certs/development.ts';
import { UsageError } from '../shared.ts';
import { type ClusterSource, findClusterSource } from './cluster-source.ts';
import { firstCertificate } from './first-certificate.ts';
import type { ServeFlags } from './options.ts';

export interface Inputs {
  /** The address to listen on. */
  readonly host: string;
  readonly files: CertificateFiles;
  /** The development CA; undefined where the certificate is the user's own. */
  readonly caFile: string | undefined;
  readonly clientCaFile: string | undefined;
  readonly config: { readonly file: string; readonly fingerprint: string } | undefined;
  readonly source: ClusterSource;
  /** What a reload replaces, between two requests. */
  readonly current: {
    engine: Engine;
    certificate: LoadedCertificate;
    /** PEM; undefined where anyone may call. */
    clientCa: string | undefined;
  };
  readonly warnings: readonly string[];
}

/** Reads everything; in a pod, waits for a good certificate. Throws UsageError, ConfigError, CertificateError or ListenError. */
export async function readInputs(flags: ServeFlags, log: Log): Promise<Inputs> {
  const { clientCaFile } = flags;
  const file = flags.config || undefined;
  if (clientCaFile === undefined && flags.clientName !== undefined) {
    throw new UsageError('--client-name needs --client-ca-file: without a CA, a name proves nothing');
  }
  const [{ caFile, ...files }, loaded, source, clientCa] = await Promise.all([
    certificateFiles(flags),
    file === undefined ? undefined : loadConfiguration(file, ruleIds, Date.now()),
    findClusterSource(flags),
    clientCaFile === undefined ? undefined : loadClientCa(clientCaFile),
  ]);
  // Development certificates are for this machine alone.
  const host = flags.host || (caFile === undefined ? '::' : 'localhost');
  return {
    host,
    files,
    caFile,
    clientCaFile,
    config: file === undefined || loaded === undefined ? undefined : { file, fingerprint: loaded.fingerprint },
    source,
    current: {
      engine: engineFor(loaded, source),
      certificate: await firstCertificate({ files, ops: { host, port: flags.opsPort }, log }),
      clientCa,
    },
    warnings: loaded === undefined ? [] : warningsOf(loaded, source),
  };
}

export interface WatchedInputs {
  /** Returns why the configuration on disk is refused; undefined while it is the one in force. */
  configurationProblem(): string | undefined;
  close(): void;
}

/** Applies each good change from now on; a bad one is logged and counted, and what was in force stays. */
export function watchInputs(inputs: Inputs, server: Server, log: Log, metrics: Metrics): WatchedInputs {
  const { current, files, clientCaFile, config, source } = inputs;
  const applyToServer = () => {
    const { cert, key } = current.certificate;
    server.setSecureContext({ ...tlsOptions(current.clientCa), cert, key });
    metrics.certificateReload('applied');
  };
  const refused = (what: string) => (error: Error) => {
    metrics.certificateReload('refused');
    log.error(`the changed ${what} is refused; the old one stays`, error);
  };
  const certificate = watchLoaded({
    files: [files.certFile, files.keyFile],
    load: () => loadCertificate(files),
    key: ({ cert, key }) => `${cert}${key}`,
    current: current.certificate,
    onChange: (loaded) => {
      current.certificate = loaded;
      applyToServer();
      log.info('a new certificate is in use', { until: loaded.notAfter.toISOString() });
    },
    onError: refused('certificate'),
  });
  const clientCa =
    clientCaFile &&
    watchLoaded({
      files: [clientCaFile],
      load: () => loadClientCa(clientCaFile),
      key: (ca) => ca,
      current: current.clientCa,
      onChange: (ca) => {
        current.clientCa = ca;
        applyToServer();
        log.info('a new client CA is in use');
      },
      onError: refused('client CA'),
    });
  const configuration =
    config &&
    watchConfiguration(config.file, {
      ruleIds,
      fingerprint: config.fingerprint,
      onPolicy: (loaded) => {
        current.engine = engineFor(loaded, source);
        metrics.configurationReload('applied');
        log.info('a new configuration is in effect');
        for (const warning of warningsOf(loaded, source)) log.warn(warning);
      },
      onProblems: ({ problems }) => {
        metrics.configurationReload('refused');
        for (const problem of problems) {
          log.error(`the changed configuration is refused, the old one stays: ${problem}`);
        }
      },
    });
  return {
    configurationProblem: () => {
      const problems = configuration?.refused?.problems.join('; ');
      return problems && `the configuration on disk is refused, the one before stays in force: ${problems}`;
    },
    close: () => {
      for (const watch of [certificate, clientCa, configuration]) if (watch) watch.close();
    },
  };
}

function engineFor(loaded: LoadedConfiguration | undefined, { live }: ClusterSource): Engine {
  return createEngine({ policy: loaded?.policy ?? defaultPolicy, point: 'webhook', live: live !== undefined });
}

/** The warnings of the configuration itself, and rules that it sets to deny without effect. */
function warningsOf({ policy, warnings }: LoadedConfiguration, { live }: ClusterSource): readonly string[] {
  const catalogue: readonly Rule[] = live === undefined ? [] : rules;
  const ineffective = catalogue.filter(({ id, unique }) => unique && policy.actions.get(id)?.webhook === 'deny');
  return [
    ...warnings,
    ...ineffective.map(
      ({ id }) => `${id} denies nothing in a live cluster: it compares many objects, which is for scan`,
    ),
  ];
}

async function certificateFiles(flags: ServeFlags): Promise<CertificateFiles & Pick<Inputs, 'caFile'>> {
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
