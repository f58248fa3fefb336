/** The flags of `muster doctor`. */
import { type Command, Option } from 'commander';
import type { ApiClient } from '../../cluster/live/client.ts';
import { ClusterError } from '../../cluster/live/errors.ts';
import { addAccessFlags, outputFlag } from '../flags.ts';
import { FORMATS } from '../output/formats.ts';
import { loadPolicy, UsageError } from '../shared.ts';
import { isName } from './context.ts';

const HELP = `
Nothing is written: doctor reads, asks who may do what, and makes dry runs.

Exit codes:
  0  nothing failed (warnings are shown; with --strict they are 1)
  1  something differs, or a forbidden write is not denied
  2  bad usage, no connection to the cluster, or a right is missing for some checks

Examples:
  muster doctor
  muster doctor --context staging -o json | jq -r '.checks[] | select(.status == "fail") | .remedy'
  muster doctor --strict`;

/** Adds `doctor` to the program. Sets the process's exit code. */
export function registerDoctor(program: Command): void {
  const command = program
    .command('doctor')
    .summary('compare a live registration with what it should be')
    .description(
      'Checks the CRDs, webhook configurations, CA bundle, certificate, Service, Leases, rights and configuration of a cluster, and makes dry runs that should be denied. Says what differs, and how to fix it.',
    );
  addAccessFlags(command)
    .addOption(new Option('--webhook <name>', 'of the webhook configurations').default('muster'))
    .addOption(
      new Option('--tls-secret <name>', "with the server's certificate, in the namespace").default('muster-tls'),
    )
    .addOption(new Option('--server-user <user>', 'the user name of the server (default: its service account)'))
    .addOption(
      new Option('--config <file>', "the server's MusterConfiguration (default: that of the cluster's ConfigMap)"),
    )
    .addOption(outputFlag(FORMATS))
    .addOption(new Option('--strict', 'a warning makes the exit code 1 too'))
    .addHelpText('after', HELP)
    .action(doctor);
}

interface Flags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace?: string;
  readonly webhook: string;
  readonly tlsSecret: string;
  readonly serverUser?: string;
  readonly config?: string;
  readonly output?: readonly string[];
  readonly strict?: boolean;
}

async function doctor({ output, strict = false, tlsSecret: secret, config, ...flags }: Flags): Promise<void> {
  const [{ openCluster }, { diagnose }, { doctorText, exitCodeOf }, { emit, parseOutputs }, { jsonPieces }] =
    await Promise.all([
      import('../../cluster/live/client.ts'),
      import('./run.ts'),
      import('./report.ts'),
      import('../output/emit.ts'),
      import('../output/json.ts'),
    ]);
  const outputs = parseOutputs(output);
  checkNames({ namespace: flags.namespace, webhook: flags.webhook, 'tls-secret': secret });
  const policy = await loadPolicy(config || undefined);
  const configuration = config && policy ? { file: config, policy } : undefined;
  const client = await opened(() => openCluster(flags));
  try {
    const report = await diagnose(client, { ...flags, secret, configuration });
    emit(outputs, { text: (paint) => doctorText(report, paint), json: () => jsonPieces(report) });
    process.exitCode = exitCodeOf(report, strict ? 'warning' : 'failure');
  } finally {
    client.close();
  }
}

/** The names become parts of paths and of the suggested commands. */
function checkNames(names: Readonly<Record<string, string | undefined>>): void {
  for (const [flag, name] of Object.entries(names)) {
    if (name === undefined || isName(name)) continue;
    throw new UsageError(`--${flag} ${name}: no object of a cluster can have this name`);
  }
}

/** A kubeconfig that can't be used is an error of usage. */
async function opened(open: () => Promise<ApiClient>): Promise<ApiClient> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof ClusterError) throw new UsageError(error.message);
    throw error;
  }
}
