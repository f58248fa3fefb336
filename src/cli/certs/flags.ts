/** `muster certs`: makes certificates for development, without `muster serve`, or for a cluster. */
import type { Command } from 'commander';
import { contextFlag, Flag, kubeconfigFlag, refuseIdle, timeUpTo } from '../flags.ts';
import type { SecretFlags } from './run.ts';

type Flags = Omit<SecretFlags, 'secret'> & {
  readonly dir: string;
  readonly force?: boolean;
  readonly secret?: string;
};

const EXAMPLES = `
Examples:
  muster certs --dir certs
  muster serve --cert-dir certs

  muster certs --secret muster-system/muster-tls --service muster-system/muster --webhook muster

Exit codes: 0 done, 1 a later run takes the next step, 2 bad usage, or a file or cluster that can't be read or
written.`;

/**
 * Adds `certs` to the program. Exit code 0: the certificates are valid and no step is due; 1: a later run takes the
 * next step; 2: it failed, with the reason in one line on stderr.
 */
export function registerCerts(program: Command): void {
  program
    .command('certs')
    .summary('make certificates')
    .description(
      'Makes a CA and a server certificate under it, unless there are good ones: in a folder for development, or ' +
        'in a Secret of a cluster, where each run does the next due step of a rotation.',
    )
    .option('--dir <folder>', 'the folder of ca.crt, tls.crt and tls.key', 'certs')
    .option('--force', 'make new ones, even if there are good ones')
    .addOption(
      new Flag('--secret <ns/name>', 'the Secret of a cluster for the certificates').excluding(
        ['--dir', '--force'],
        'certificates go into a folder or into a Secret',
      ),
    )
    .option('--service <ns/name>', 'with --secret: the Service they are for')
    .option('--webhook <name>', 'with --secret: the webhook configurations that get the CA')
    // A rotation begins 30 days before a leaf ends and takes two overlaps: two weeks at most, so runs may come late.
    .addOption(
      new Flag('--overlap <time>', 'with --secret: how long each step of a rotation lasts')
        .argParser(timeUpTo(168))
        .default(3_600_000, '"1h"'),
    )
    .option('--rotate', 'with --secret: begin a rotation now, unless one is under way')
    .addOption(kubeconfigFlag())
    .addOption(contextFlag())
    .addHelpText('after', EXAMPLES)
    .action(certs);
}

async function certs(flags: Flags, command: Command): Promise<void> {
  const { secret, dir, force = false } = flags;
  if (secret !== undefined) {
    const { runInCluster } = await import('./run.ts');
    return runInCluster({ ...flags, secret });
  }
  const ofSecret = ['--service', '--webhook', '--overlap', '--rotate', '--kubeconfig', '--context'];
  refuseIdle(command, ofSecret, 'needs --secret NAMESPACE/NAME');
  const { makeAndDescribe } = await import('./development.ts');
  process.stdout.write(await makeAndDescribe(dir, force));
}
