/** The flags of every command that talks to a cluster. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { isDnsLabel } from '../rules/syntax.ts';

/** Adds --kubeconfig, --context and --namespace. */
export function addAccessFlags(command: Command): Command {
  return addReadingFlags(command).addOption(
    new Option('--namespace <name>', "where muster's Leases live (default: the pod's or the context's)").argParser(
      namespaceName,
    ),
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

/** It becomes a part of paths in requests, so nothing but a DNS label is let through. */
function namespaceName(text: string): string {
  if (isDnsLabel(text)) return text;
  throw new InvalidArgumentError(
    'It takes the name of a namespace: 1 to 63 of a-z, 0-9 and "-", such as muster-system.',
  );
}
