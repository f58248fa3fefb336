/** The flags of `muster doctor`. */
import { type Command, Option } from 'commander';
import type { AccessFlags } from '../../cluster/live/access.ts';
import { addAccessFlags, outputFlag } from '../flags.ts';
import { FORMATS } from '../output/formats.ts';
import { loadPolicy, openClient } from '../shared.ts';

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
    .addOption(new Option('--server-user <user>', 'the user name of the server (default: its service account)'))
    .addOption(
      new Option('--config <file>', "the server's MusterConfiguration (default: that of the cluster's ConfigMap)"),
    )
    .addOption(outputFlag(FORMATS))
    .addOption(new Option('--strict', 'a warning makes the exit code 1 too'))
    .addHelpText('after', HELP)
    .action(doctor);
}

interface Flags extends AccessFlags {
  readonly serverUser?: string;
  readonly config?: string;
  readonly output?: readonly string[];
  readonly strict?: boolean;
}

async function doctor({ output, strict = false, config, ...flags }: Flags): Promise<void> {
  const [{ diagnose }, { doctorText, exitCodeOf }, { emit, parseOutputs }, { jsonPieces }] = await Promise.all([
    import('./run.ts'),
    import('./report.ts'),
    import('../output/emit.ts'),
    import('../output/json.ts'),
  ]);
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
