/** What the server is given: configuration, certificate, state. Read once at the start, and watched from then on. */
import type { Server } from 'node:tls';
import { createFilesView, readState } from '../../cluster/files/index.ts';
import { type LoadedConfiguration, loadConfiguration } from '../../config/load.ts';
import { watchConfiguration } from '../../config/watch.ts';
import { createEngine, defaultPolicy, type Engine } from '../../engine/index.ts';
import { rules } from '../../rules/index.ts';
import type { ClusterView } from '../../rules/rule.ts';
import type { Log } from '../../server/log.ts';
import type { Metrics } from '../../server/metrics.ts';
import { ensureDevelopmentCertificates } from '../../tls/development.ts';
import { type LoadedCertificate, loadCertificate } from '../../tls/load.ts';
import { applyCertificate, watchCertificate } from '../../tls/reload.ts';
import type { ServeFlags } from '../serve.ts';
import { UsageError } from '../usage-error.ts';

/** What a reload replaces, between two requests. */
export interface Held {
  engine: Engine;
  certificate: LoadedCertificate;
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
  readonly config: { readonly file: string; readonly fingerprint: string } | undefined;
  readonly view: { readonly cluster: ClusterView; readonly name: string };
  readonly warnings: readonly string[];
}

/** Reads everything at once, or throws `UsageError`, `ConfigError` or `CertificateError`. */
export async function readInputs(flags: ServeFlags): Promise<Inputs> {
  const file = flags.config || undefined;
  const [files, loaded, view] = await Promise.all([
    certificateFiles(flags),
    file === undefined ? undefined : loadConfiguration(file, ruleIds, Date.now()),
    viewOf(flags.state),
  ]);
  return {
    held: { engine: engineFor(loaded), certificate: await loadCertificate(files) },
    files,
    config: file === undefined || loaded === undefined ? undefined : { file, fingerprint: loaded.fingerprint },
    view,
    warnings: loaded?.warnings ?? [],
  };
}

/** From now on, good changes take effect and bad ones are told; what was good stays. */
export function watchInputs(
  { held, files, config }: Inputs,
  server: Server,
  { log, metrics }: { readonly log: Log; readonly metrics: Metrics },
): { close(): void } {
  const certificates = watchCertificate({
    ...files,
    current: held.certificate,
    onChange: (certificate) => {
      applyCertificate(server, certificate, { minVersion: 'TLSv1.2' });
      held.certificate = certificate;
      metrics.certificateReload('applied');
      log.info('a new certificate is in use', { until: certificate.notAfter.toISOString() });
    },
    onError: (error) => {
      metrics.certificateReload('refused');
      log.error('the changed certificate is refused; the old one stays', error);
    },
  });
  const configuration = config && watchPolicy(config, held, log, metrics);
  return {
    close: () => {
      certificates.close();
      configuration?.close();
    },
  };
}

const ruleIds: ReadonlySet<string> = new Set(rules.map(({ id }) => id));

function watchPolicy(config: NonNullable<Inputs['config']>, held: Held, log: Log, metrics: Metrics) {
  return watchConfiguration(config.file, {
    ruleIds,
    fingerprint: config.fingerprint,
    onPolicy: (loaded) => {
      held.engine = engineFor(loaded);
      metrics.configurationReload('applied');
      log.info('a new configuration is in effect');
      for (const warning of loaded.warnings) log.warn(warning);
    },
    onProblems: ({ problems }) => {
      metrics.configurationReload('refused');
      for (const problem of problems) log.error(`the changed configuration is refused, the old one stays: ${problem}`);
    },
  });
}

function engineFor(loaded: LoadedConfiguration | undefined): Engine {
  return createEngine({ policy: loaded?.policy ?? defaultPolicy, point: 'webhook' });
}

async function certificateFiles(flags: ServeFlags): Promise<CertificateFiles> {
  const certFile = flags.tlsCertFile || undefined;
  const keyFile = flags.tlsPrivateKeyFile || undefined;
  if (certFile !== undefined && keyFile !== undefined) return { certFile, keyFile, caFile: undefined };
  if (certFile !== keyFile) {
    const missing = certFile === undefined ? '--tls-cert-file' : '--tls-private-key-file';
    throw new UsageError(`${missing} is missing: a certificate and its key go together`);
  }
  if (process.env['KUBERNETES_SERVICE_HOST']) {
    throw new UsageError(
      'in a pod, --tls-cert-file and --tls-private-key-file are needed: development certificates are never made there',
    );
  }
  return ensureDevelopmentCertificates(flags.certDir);
}

async function viewOf(paths: readonly string[] | undefined): Promise<Inputs['view']> {
  if (paths === undefined) {
    return { cluster: createFilesView(), name: 'files (no --state: nothing is known of other objects)' };
  }
  const { objects, errors } = await readState(paths);
  if (errors.length > 0) {
    const lines = errors.map(({ source, line, column, message }) => `${source}:${line}:${column}: ${message}`);
    throw new UsageError(`--state can't be read: ${lines.join('; ')}`);
  }
  const count = objects.length === 0 ? 'an empty world' : `${objects.length} objects`;
  return { cluster: createFilesView({ state: objects }), name: `files (${count} from ${paths.join(', ')})` };
}
