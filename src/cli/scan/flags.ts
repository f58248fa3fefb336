/** The flags of `muster scan`. */
import { type Command, InvalidArgumentError } from 'commander';
import { namedPath } from '../../base/text.ts';
import { REPORT_FORMATS } from '../../report/formats.ts';
import {
  baselineFlag,
  colorFlag,
  Flag,
  failOnFlag,
  failOnNoMatchFlag,
  kubeconfigFlag,
  listed,
  listedPaths,
  numberIn,
  outputFlag,
  refuseIdle,
  timeUpTo,
} from '../flags.ts';
import type { ScanFlags } from './options.ts';

const EXAMPLES = `
Examples:
  muster scan --live
  muster scan --context east --context west --config muster.yaml -o json=report.json
  muster scan --fleet --provider-file providers.json --baseline report.json
  kubectl get clusterproperties,clusterprofiles -A -o yaml | muster scan --state -

Exit codes: 0 nothing that --fail-on names, 1 something, 2 bad usage, or not all could be read.`;

const ONE_AT_A_TIME = 'use one at a time';

/** Adds `scan` to the program. */
export function registerScan(program: Command): void {
  const contexts = listed('--context <name>', 'a cluster, called by its context (default: the current one)');
  const paths = listedPaths(
    '--state <path>',
    'scan the objects in a file or folder, or - for standard input; NAME=PATH: a cluster',
  );
  program
    .command('scan')
    .summary('evaluate stored objects')
    .description(
      'Evaluates the objects of clusters, or of files, as they are stored: finds what admission let through, and ' +
        'what admission cannot see.',
    )
    .addOption(kubeconfigFlag())
    .addOption(contexts.excluding(['--state']))
    .addOption(new Flag('--live', 'scan a cluster, read through kubeconfig').excluding(['--state'], ONE_AT_A_TIME))
    .addOption(
      new Flag('--fleet', 'scan the clusters that the ClusterProfiles of the context name').excluding(
        ['--state'],
        ONE_AT_A_TIME,
      ),
    )
    .option('--provider-file <file>', 'with --fleet: the exec plugins that may run for its clusters')
    .addOption(paths)
    .option('--complete', 'the run has every cluster of its ClusterSets: more can be concluded')
    .option('--parallel <count>', 'the clusters scanned at a time', numberIn(1, 64), 4)
    .addOption(
      new Flag('--timeout <time>', 'the time limit for each cluster').argParser(timeUpTo(24)).default(600_000, '"10m"'),
    )
    .option('--config <file>', 'the MusterConfiguration, as for serve')
    .option('--page-size <count>', 'the most objects of a page', numberIn(1, 10_000), 500)
    .addOption(failOnFlag())
    .addOption(failOnNoMatchFlag())
    .addOption(baselineFlag().excluding(['--event', '--report'], 'a cluster gets all findings'))
    .option('-v, --verbose', 'with --state: list skipped documents, with the reason, on standard error')
    .option('-q, --quiet', 'with --state: no note where nothing was found to evaluate')
    .addOption(outputFlag(REPORT_FORMATS))
    .addOption(colorFlag())
    .option('--event', 'write an Event on each object with findings')
    .option('--report', 'write a ClusterReport and Reports (openreports.io)')
    .addOption(
      new Flag('--expose-metrics [address]', 'scan repeatedly, and serve /metrics there (default: ":8080")')
        .preset(':8080')
        .argParser(addressOf),
    )
    .addOption(
      new Flag('--interval <time>', 'with --expose-metrics: the time between two scans')
        .argParser(timeUpTo(24))
        .default(3_600_000, '"1h"'),
    )
    .addHelpText('after', EXAMPLES)
    .action(async (flags: ScanFlags, self: Command) => {
      if (!flags.fleet)
        refuseIdle(self, ['--provider-file'], 'needs --fleet: the clusters of a context have a user of their own');
      if (!flags.live && !flags.fleet && !flags.context?.length)
        refuseIdle(
          self,
          ['--kubeconfig', '--timeout', '--page-size'],
          'is about a cluster: give --live or --context beside it',
        );
      if (flags.state?.every((path) => namedPath(path) === undefined))
        refuseIdle(self, ['--parallel'], 'is about several clusters: give each a name, as in --state NAME=PATH');
      if (!flags.state?.length) refuseIdle(self, ['--verbose', '--quiet'], 'is about files: give --state beside it');
      if (!flags.exposeMetrics)
        refuseIdle(self, ['--interval'], 'needs --expose-metrics: without it, one scan is made');
      return (await import('./run.ts')).scanCommand(flags);
    });
}

/** Reads `HOST:PORT`, `[IPV6]:PORT`, `:PORT` or `PORT`; without a host, all addresses. Port 0 picks a free one. */
export function addressOf(text: string) {
  const [, bracketed, bare, port] = /^(?:\[([0-9a-fA-F:.]+)\]:|([^:[\]]*):)?(\d{1,5})$/.exec(text) ?? [];
  if (port !== undefined && Number(port) <= 65_535) return { host: bracketed || bare || '::', port: Number(port) };
  throw new InvalidArgumentError('It takes an address: HOST:PORT or :PORT.');
}
