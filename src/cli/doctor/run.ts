/** Makes all checks, in the order in which an operator would. Nothing is written: reads, access reviews and dry runs. */
import type { AccessFlags } from '../../cluster/live/access-flags.ts';
import type { ApiClient } from '../../cluster/live/client.ts';
import { enforcementOf, readsOf } from '../../engine/plan.ts';
import { NAMESPACE, SERVER } from '../../manifests/names.ts';
import { emit, parseOutputs } from '../output/emit.ts';
import { jsonPieces } from '../output/json.ts';
import { loadPolicy, openClient } from '../shared.ts';
import { checkBundle, checkSecret } from './certificates.ts';
import { checkCluster, checkInstalled } from './cluster.ts';
import { type ConfigurationFile, checkConfiguration } from './configuration.ts';
import type { DoctorContext } from './context.ts';
import { checkCrds, checkLeases } from './definitions.ts';
import { checkPermissions } from './permissions.ts';
import { checkProbes } from './probes.ts';
import { certManagerOf, checkRegistration, readRegistration, targetOf, webhooksOf } from './registration.ts';
import { type DoctorReport, doctorText, exitCodeOf, reportOf } from './report.ts';
import { checkWorkload } from './workload.ts';

/** The flags of `muster doctor`. */
export interface DoctorFlags extends AccessFlags {
  /** The user name of the server; default: its service account. */
  readonly serverUser?: string;
  readonly config?: string;
  readonly output?: readonly string[];
  readonly strict?: boolean;
}

/** Runs `muster doctor`. Sets the process's exit code. Throws UsageError or ConfigError. */
export async function doctorCommand({ output, strict = false, config, ...flags }: DoctorFlags): Promise<void> {
  const outputs = parseOutputs(output);
  const policy = await loadPolicy(config);
  const configuration = config !== undefined && policy ? { file: config, policy } : undefined;
  const client = await openClient(flags);
  try {
    const report = await diagnose(client, { ...flags, configuration });
    emit(outputs, { text: (paint) => doctorText(report, paint), json: () => jsonPieces(report) });
    process.exitCode = exitCodeOf(report, strict ? 'warning' : 'failure');
  } finally {
    client.close();
  }
}

/** `namespace` is where muster and its Leases live. Default: the registered Service's, the context's, `muster-system`. */
export interface DiagnoseOptions extends Pick<DoctorFlags, 'namespace' | 'serverUser'> {
  /** The server's configuration; default: that of the cluster's ConfigMap. */
  readonly configuration?: ConfigurationFile | undefined;
  /** This machine's, in milliseconds since the epoch. Default: the system's. */
  readonly clock?: () => number;
}

/** Makes all checks. Rejects for bugs of muster alone: whatever the cluster answers is in the report. */
export async function diagnose(client: ApiClient, options: DiagnoseOptions = {}): Promise<DoctorReport> {
  const { checks, isReachable } = await checkCluster(client);
  if (!isReachable) return reportOf(client.server, checks);
  const { clock = Date.now, configuration: file } = options;
  const registration = await readRegistration(client);
  const webhooks = webhooksOf(registration);
  const target = targetOf(webhooks);
  const registered = target !== undefined && 'service' in target ? target.service.namespace : undefined;
  const fromClient = client.namespace === 'default' ? NAMESPACE : client.namespace;
  const namespace = options.namespace ?? registered ?? fromClient;
  const absent = await checkInstalled(client, registration, namespace);
  if (absent) return reportOf(client.server, [...checks, absent]);
  const configuration = await checkConfiguration({ client, namespace, clock }, file);
  const context: DoctorContext = {
    ...{ client, clock, namespace, target },
    serverUser: options.serverUser ?? `system:serviceaccount:${namespace}:${SERVER}`,
    certManager: certManagerOf(registration),
    enforcement: configuration.policy && enforcementOf(configuration.policy),
    reads: configuration.policy && readsOf(configuration.policy),
    mode: configuration.policy?.mode,
    configFile: file?.file,
  };
  const bundle = checkBundle(context, webhooks);
  const all = await Promise.all([
    checkCrds(context),
    checkRegistration(context, registration),
    bundle.check ?? [],
    checkSecret(context, bundle.roots),
    checkWorkload(context),
    checkLeases(context),
    checkPermissions(context),
    configuration.checks,
    checkProbes(context),
  ]);
  return reportOf(client.server, [...checks, ...all.flat()]);
}
