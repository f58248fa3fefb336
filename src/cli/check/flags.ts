/** The flags of `muster check`. */
import type { Command } from 'commander';
import { REPORT_FORMATS } from '../../report/formats.ts';
import {
  baselineFlag,
  colorFlag,
  contextFlag,
  Flag,
  failOnFlag,
  failOnNoMatchFlag,
  kubeconfigFlag,
  listed,
  listedPaths,
  outputFlag,
  refuseIdle,
  switchOrListed,
} from '../flags.ts';
import type { CheckFlags } from './command.ts';

const EXAMPLES = `
Examples:
  muster check claims.yaml
  muster check manifests/ --state exported/ --as jane -o json=report.json
  muster check manifests/ -o text -o sarif=muster.sarif -o junit=muster.xml
  muster check manifests/ --base-ref origin/main
  muster check --clusters 'clusters/*' --base-ref origin/main
  muster check --clusters 'overlays/*' --render
  muster check --clusters 'clusters/*' --explain-service shop/web
  muster check manifests/ --watch
  helm template fleet chart/ | muster check - --live --context staging

Exit codes: 0 nothing that --fail-on covers, 1 something, 2 bad usage, unreadable input or no cluster.`;

const CLUSTERS =
  'every folder that matches is a cluster, named by the parts that the wildcards match, or by its last part';
const STATE = 'the previous state: a file, a folder or -; empty: nothing exists; beside clusters NAME=PATH';
const LIVE = 'the previous state: a cluster, read through kubeconfig; beside clusters NAME=CONTEXT';
const EXPLAIN =
  'in place of a report: what each cluster exports as this service, where they conflict, and what consumers get ' +
  '(text, json)';
const DELETED = 'evaluate the deletion of the objects in a file or folder; beside clusters NAME=PATH';

/** Adds `check` to the program. */
export function registerCheck(program: Command): void {
  program
    .command('check')
    .summary('check manifests as the webhook would')
    .description('Evaluates manifests, or AdmissionReviews in files, as the webhook would. For CI.')
    .argument('[paths...]', 'files, folders (.yaml .yml .json, recursive), or - for standard input')
    .addOption(listedPaths('--cluster <name=path>', 'a file or folder that is a cluster of its own'))
    .addOption(listedPaths('--clusters <glob>', CLUSTERS))
    .option('--config <file>', 'the MusterConfiguration, as for serve')
    .addOption(listedPaths('--state <path>', STATE))
    .option(
      '--base-ref <ref>',
      'the previous state: the same paths at a git revision; missing objects count as deleted',
    )
    .addOption(switchOrListed('--live [name=context]', LIVE).excluding(['--state']))
    .addOption(listedPaths('--deleted <path>', DELETED))
    .option('--as <user>', 'the user; without it, rules on identity are indeterminate')
    .addOption(listed('--as-group <group>', 'a group of that user'))
    .addOption(
      new Flag('--subresource <which>', 'evaluate only main writes, or only /status').choices(['none', 'status']),
    )
    .addOption(failOnFlag())
    .addOption(baselineFlag())
    .addOption(failOnNoMatchFlag())
    .option('--render', 'render Helm charts and kustomizations, by helm and kustomize on the PATH')
    .option('-v, --verbose', 'list skipped documents, with the reason, on standard error')
    .option('-q, --quiet', 'no note where no previous state was given, or nothing was found to evaluate')
    .addOption(outputFlag(REPORT_FORMATS))
    .addOption(colorFlag())
    .option('--explain-service <namespace/name>', EXPLAIN)
    .option('--watch', 'repeat whenever a named file changes, until Ctrl-C')
    .addOption(kubeconfigFlag())
    .addOption(contextFlag())
    .addHelpText('after', EXAMPLES)
    .action(check);
}

async function check(paths: readonly string[], flags: CheckFlags, command: Command): Promise<void> {
  refuseIdleFlags(flags, command);
  const { checkCommand } = await import('./command.ts');
  await checkCommand(paths, flags);
}

/** Refuses flags that have no effect beside the others. */
function refuseIdleFlags({ live, as, explainService }: CheckFlags, command: Command): void {
  if (explainService !== undefined) {
    const ofReport = ['--baseline', '--fail-on', '--fail-on-no-match'];
    refuseIdle(command, ofReport, 'is about a report, and --explain-service prints none: leave one of them out');
  }
  if (as === undefined) refuseIdle(command, ['--as-group'], 'needs --as USER beside it');
  if (live?.length)
    refuseIdle(command, ['--context'], 'names one cluster: beside clusters give each its own by --live NAME=CONTEXT');
  if (!live) refuseIdle(command, ['--kubeconfig', '--context'], 'names a cluster to read: give --live beside it');
}
