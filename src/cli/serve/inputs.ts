/** The files of the server: configuration, certificate, client CA. Reads them once at the start, then watches them. */
import type { Server } from 'node:tls';
import { UsageError } from '../../base/usage-error.ts';
import { CertificateError } from '../../certificates/error.ts';
import { type ClientCa, type LoadedCertificate, loadClientCa } from '../../certificates/load-certificate.ts';
import { certificateCheck, expiryReporter, type Validity } from '../../certificates/readiness-checks.ts';
import { tlsOptions } from '../../certificates/server-options.ts';
import { ConfigError, type LoadedConfiguration, loadConfiguration } from '../../config/load.ts';
import { createEngine, type Engine, type Policy } from '../../engine/index.ts';
import { ruleIds, rules } from '../../rules/index.ts';
import type { Rule } from '../../rules/rule.ts';
import type { Log } from '../../server/log/log.ts';
import type { Metrics } from '../../server/ops/metrics.ts';
import { watchFiles } from '../../watch/watch-files.ts';
import { type HubAccess, readHub } from '../hub.ts';
import {
  certificateFiles,
  firstCertificate,
  loadUnlessInUse,
  type ServerCertificate,
  watchCertificate,
} from './certificate.ts';
import { type ClusterSource, findClusterSource } from './cluster-source.ts';
import type { ServeFlags } from './options.ts';
import type { ServerRegistrar } from './registrar.ts';

interface ServeInputs {
  readonly host: string;
  readonly files: ServerCertificate;
  readonly configFile: string | undefined;
  readonly clientCaFile: string | undefined;
  readonly source: ClusterSource;
  /** The configuration of the start, if there is one. */
  readonly configuration: LoadedInputs | undefined;
  readonly current: Current;
}

/** What a reload replaces. Requests read it, so a change takes effect between two of them. */
interface Current {
  engine: Engine;
  certificate: LoadedCertificate;
  clientCa: ClientCa | undefined;
  fingerprint: string;
}

/** A configuration, and the hub that it names. */
interface LoadedInputs extends LoadedConfiguration {
  readonly hub: HubAccess | undefined;
}

/**
 * Reads all files; in a pod, waits for a valid certificate.
 * @throws UsageError or ConfigError
 */
export async function readInputs(flags: ServeFlags, log: Log): Promise<ServeInputs> {
  const { clientCaFile, clientName, opsPort } = flags;
  const configFile = flags.config || undefined;
  if (clientCaFile === undefined && clientName !== undefined) {
    throw new UsageError('--client-name needs --client-ca-file: without a CA, a name proves nothing');
  }
  const [files, configuration, source, clientCa] = await Promise.all([
    certificateFiles(flags),
    configFile === undefined ? undefined : readConfigured(configFile),
    findClusterSource(flags),
    clientCaFile === undefined ? undefined : loadClientCa(clientCaFile),
  ]);
  // Development certificates are for this machine alone.
  const host = flags.host || (files.caFile === undefined ? '::' : 'localhost');
  const engine = engineFor(configuration, source);
  const fingerprint = configuration?.fingerprint ?? '';
  const certificate = await firstCertificate(files, { host, port: opsPort }, log, fingerprint);
  if (configuration) logWarnings(configuration, source, log);
  const current = { engine, certificate, clientCa, fingerprint };
  return { host, files, configFile, clientCaFile, source, configuration, current };
}

/** Returns until when the certificate and the client CA in use are valid. */
export function validities({ current: { certificate, clientCa } }: Pick<ServeInputs, 'current'>): readonly Validity[] {
  const { notBefore, notAfter, issuerEndsFirst } = certificate;
  const name = issuerEndsFirst ? 'issuer of the certificate' : 'certificate';
  const ca = clientCa && { name: 'client CA' as const, notAfter: clientCa.notAfter };
  return [{ name, notBefore, notAfter }, ...(ca ? [ca] : [])];
}

/** Milliseconds between two checks whether a certificate ends, which are cheap. */
const BETWEEN_REPORTS_MS = 10_000;

/**
 * Applies each valid change of a file. An invalid one is logged, counted and shown by /readyz, and the previous content
 * stays in force.
 */
export function watchInputs(
  inputs: ServeInputs,
  server: Server,
  registrar: Pick<ServerRegistrar, 'use' | 'fileProblem'> | undefined,
  log: Log,
  metrics: Metrics,
) {
  const { current, files, clientCaFile, configFile, source } = inputs;
  const applyToServer = (changed: Partial<Pick<Current, 'certificate' | 'clientCa'>>, message: string, until: Date) => {
    const { certificate, clientCa } = { ...current, ...changed };
    const { cert, key } = certificate;
    server.setSecureContext({ ...tlsOptions(clientCa?.pem), cert, key });
    Object.assign(current, changed);
    metrics.certificateReload('applied');
    log.info(message, { until: until.toISOString() });
    reportEnds();
  };
  const refused = (what: string) => (error: Error) => {
    metrics.certificateReload('refused');
    const message = `the changed ${what} is refused; the old one stays`;
    // An error that the user can fix needs no stack.
    if (error instanceof CertificateError) log.error(message, undefined, { error: error.message });
    else log.error(message, error);
  };
  const reportEnds = expiryReporter(() => validities(inputs), { warn: log.warn, expired: log.error });
  reportEnds();
  const endTimer = setInterval(reportEnds, BETWEEN_REPORTS_MS).unref();
  const certificate = watchCertificate(files, {
    inUse: () => current.certificate,
    current: current.certificate, // as loaded at the start
    onChange: (loaded) => applyToServer({ certificate: loaded }, 'a new certificate is in use', loaded.notAfter),
    onError: refused('certificate'),
  });
  const caText = ({ pem }: ClientCa) => pem;
  const clientCa =
    clientCaFile === undefined
      ? undefined
      : watchFiles({
          files: [clientCaFile],
          load: () => loadUnlessInUse((now) => loadClientCa(clientCaFile, now), caText, current.clientCa),
          key: caText,
          current: current.clientCa,
          onChange: (ca) => applyToServer({ clientCa: ca }, 'a new client CA is in use', ca.notAfter),
          onError: refused('client CA'),
        });
  const configuration =
    configFile === undefined
      ? undefined
      : watchFiles({
          files: [configFile],
          load: () => readConfigured(configFile),
          key: ({ fingerprint }) => fingerprint,
          current: inputs.configuration,
          onChange: (loaded) => {
            current.engine = engineFor(loaded, source);
            registrar?.use(loaded.hub);
            metrics.configurationReload('applied');
            current.fingerprint = loaded.fingerprint;
            log.info('a new configuration is in effect', { sha256: loaded.fingerprint });
            logWarnings(loaded, source, log);
          },
          onError: (error) => {
            metrics.configurationReload('refused');
            for (const problem of problemsOf(error)) {
              log.error(`the changed configuration is refused, the old one stays: ${problem}`);
            }
          },
        });
  /** Returns why the configuration or the hub's kubeconfig on disk is not used; undefined while both are used. */
  const configurationProblem = (): string | undefined => {
    if (configuration?.problem === undefined) return registrar?.fileProblem();
    const problems = problemsOf(configuration.problem).join('; ');
    return `the configuration on disk is refused, the previous one stays in force: ${problems}`;
  };
  /** Returns why the certificate or the client CA on disk is refused; undefined while those in use are there. */
  const certificateProblem = (): string | undefined => {
    const messages = [certificate, clientCa].flatMap((watch) => watch?.problem?.message ?? []);
    return messages.length === 0
      ? undefined
      : `the files on disk are refused, the previous ones stay in use: ${messages.join('; ')}`;
  };
  return {
    /** The checks of /readyz on these files. A refused file is shown, and the server stays ready. */
    checks: [
      { name: 'configuration', advisory: true, run: configurationProblem },
      certificateCheck(() => validities(inputs), { refused: certificateProblem }),
    ],
    certificateProblem,
    close() {
      clearInterval(endTimer);
      for (const watch of [certificate, clientCa, configuration]) void watch?.close();
    },
  };
}

/** Reads a configuration and its hub. If the hub can't be used, the configuration is refused as a whole. */
async function readConfigured(file: string): Promise<LoadedInputs> {
  const loaded = await loadConfiguration(file, ruleIds, Date.now());
  return { ...loaded, hub: await readHub(file, loaded) };
}

function problemsOf(error: Error): readonly string[] {
  return error instanceof ConfigError ? error.problems : [`a bug in muster: ${error}`];
}

function engineFor(configuration: LoadedConfiguration | undefined, { isLive }: ClusterSource): Engine {
  return createEngine({ policy: configuration?.policy, point: 'webhook', live: isLive });
}

/** Logs the warnings of the configuration itself, and rules that it sets to deny without effect. */
function logWarnings({ policy, warnings }: LoadedConfiguration, { isLive }: ClusterSource, log: Log): void {
  for (const warning of warnings) log.warn(warning);
  if (policy.settings.registrar && !isLive)
    log.warn('registrar has no effect without a cluster: name one with --kubeconfig, or run in a pod');
  for (const warning of warningsOfIdleRules(policy, isLive)) log.warn(warning);
}

/** Returns a warning for each rule that compares objects, is set to deny, and is not evaluated by this server. */
export function warningsOfIdleRules(policy: Policy, isLive: boolean): readonly string[] {
  const catalogue: readonly Rule[] = rules;
  return catalogue.flatMap(({ id, on, comparison, readsLists }) => {
    if (comparison === undefined || policy.actions.get(id)?.webhook !== 'deny') return [];
    if (comparison.acrossOnly) return `${id} denies nothing here: it compares clusters, which is for check and scan`;
    if (on.length === 0) return `${id} denies nothing here: it compares many objects, which is for check and scan`;
    if (!isLive || !readsLists) return [];
    return `${id} denies nothing in a live cluster: it compares many objects, which is for scan`;
  });
}
