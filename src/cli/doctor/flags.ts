/** The flags of `muster doctor`. */
import type { Command } from 'commander';
import { PLAIN_FORMATS } from '../../report/formats.ts';
import { colorFlag, contextFlag, Flag, kubeconfigFlag, namespaceName, outputFlag } from '../flags.ts';
import type { DoctorFlags } from './run.ts';

const HELP = `
Nothing is written: doctor reads, asks who may do what, and makes dry runs.

Exit codes:
  0  nothing failed (warnings are shown; with --strict they are 1)
  1  something differs, or a forbidden write is not denied
  2  bad usage, no connection to the cluster, a right is missing for some checks, or a Job or a rollout still runs

Examples:
  muster doctor
  muster doctor --context staging -o json | jq -r '.checks[] | select(.status == "fail" and .cause == null) | .remedy'
  muster doctor --strict`;

const NAMESPACE_HELP = 'the namespace of muster and its Leases (default: that of the registered Service)';

/** Adds `doctor` to the program. Sets the process's exit code. */
export function registerDoctor(program: Command): void {
  program
    .command('doctor')
    .summary('compare an installation with the expected one')
    .description(
      'Compares the objects of an installation, its certificates, rights and configuration with what they should be, ' +
        'and makes dry runs that should be denied. Says what differs, and how to fix it in the way it was installed.',
    )
    .addOption(kubeconfigFlag())
    .addOption(contextFlag())
    .addOption(new Flag('--namespace <name>', NAMESPACE_HELP).argParser(namespaceName))
    .option('--server-user <user>', 'the user name of the server (default: its service account)')
    .option('--config <file>', "the server's MusterConfiguration (default: that of the cluster's ConfigMap)")
    .addOption(outputFlag(PLAIN_FORMATS))
    .addOption(colorFlag())
    .option('--strict', 'a warning makes the exit code 1 too')
    .addHelpText('after', HELP)
    .action(async (flags: DoctorFlags) => (await import('./run.ts')).doctorCommand(flags));
}
