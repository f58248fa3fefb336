/** The flags of every command that talks to a cluster. */
import { type Command, Option } from 'commander';

/** Adds --kubeconfig, --context and --namespace. */
export function addAccessFlags(command: Command): Command {
  return addReadingFlags(command).addOption(
    new Option('--namespace <name>', "where muster's Leases live (default: the pod's or the context's)"),
  );
}

/** Adds --kubeconfig and --context, for what has no need of our Leases. */
export function addReadingFlags(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--kubeconfig <file>',
        "which cluster, and as whom (default: KUBECONFIG, the pod's service account, the default file)",
      ),
    )
    .addOption(new Option('--context <name>', 'a context of it (default: its current one)'));
}
