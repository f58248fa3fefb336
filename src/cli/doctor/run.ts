/** Makes all checks, in the order in which an operator would, by reads, access reviews and dry runs. */
import type { AccessFlags } from '../../cluster/live/access-source.ts';
import type { ApiClient } from '../../cluster/live/client.ts';
import { emit, parseOutputs, refuseInputs } from '../../report/emit.ts';
import { PLAIN_FORMATS } from '../../report/formats.ts';
import { jsonPieces } from '../../report/json.ts';
import { loadSettings, openClient } from '../shared.ts';
import { checkCertificates } from './certificates.ts';
import { checkCluster, checkInstalled, checkInstalledVersion } from './cluster.ts';
import { checkComparison, compareObjects, optionsOf } from './expected.ts';
import { readInstalled } from './installed.ts';
import { checkCrds, checkParts } from './parts.ts';
import { checkPermissions, defaultUser } from './permissions.ts';
import { checkProbes, showsUntrusted } from './probe-checks.ts';
import { probe } from './probes.ts';
import { programsOf } from './programs.ts';
import { checkRegistrar } from './registrar.ts';
import { readReleased } from './release.ts';
import type { DoctorContext } from './remedies.ts';
import { type DoctorReport, doctorExitCode, doctorReportOf, doctorText, withCauses } from './report.ts';
import { type ConfigurationFile, checkConfiguration, checkWorkload } from './server.ts';
import { checkRegistration } from './webhooks.ts';

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
  const outputs = parseOutputs(output, PLAIN_FORMATS, [config]);
  const policy = (await loadSettings(config))?.policy;
  const configuration = config !== undefined && policy ? { file: config, policy } : undefined;
  const client = await openClient(flags);
  try {
    refuseInputs(client.files, outputs);
    const report = await diagnose(client, { ...flags, configuration });
    emit(outputs, { text: (paint) => doctorText(report, paint), json: () => jsonPieces(report) });
    process.exitCode = doctorExitCode(report, strict);
  } finally {
    client.close();
  }
}

/** `namespace` is that of muster and its Leases. Default: that of the Service or the context, or `muster-system`. */
interface DiagnoseOptions extends AccessFlags, Pick<DoctorFlags, 'serverUser'> {
  /** The server's configuration; default: that of the cluster's ConfigMap. */
  readonly configuration?: ConfigurationFile | undefined;
  /** This machine's clock, in milliseconds since the epoch. Default: the system's. */
  readonly clock?: () => number;
}

/** Makes all checks. Errors of the cluster are checks of the report; it rejects only for a bug in muster. */
export async function diagnose(client: ApiClient, options: DiagnoseOptions = {}): Promise<DoctorReport> {
  const programs = programsOf(options);
  const { checks, isReachable } = await checkCluster(client, programs);
  if (!isReachable) return doctorReportOf(client.server, checks);
  const installed = await readInstalled(client, options.namespace, programs);
  const absent = checkInstalled(installed);
  if (absent) return doctorReportOf(client.server, [...checks, absent]);
  const { clock = Date.now, configuration: file, serverUser = defaultUser(installed) } = options;
  const base = { ...installed, client, clock, serverUser, configFile: file?.file };
  const [configuration, released] = await Promise.all([
    checkConfiguration({ ...base, options: optionsOf(installed) }, file),
    readReleased(client, installed),
  ]);
  const mode = configuration.policy?.mode;
  const context: DoctorContext = { ...base, released, mode, options: optionsOf(installed, configuration) };
  const [comparisons, probes] = await Promise.all([compareObjects(context), probe(context)]);
  const all = await Promise.all([
    checks,
    checkComparison(comparisons),
    checkInstalledVersion(context, comparisons),
    checkCrds(context, comparisons),
    checkRegistration(context, comparisons),
    checkParts(context, comparisons),
    checkCertificates(context, showsUntrusted(probes)),
    checkWorkload(context),
    checkPermissions(context),
    configuration.checks,
    checkRegistrar(context),
    checkProbes(context, probes),
  ]);
  return doctorReportOf(client.server, withCauses(all.flat()));
}
