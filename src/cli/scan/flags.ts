/** `muster scan`: evaluates what is stored already, in a cluster or in files. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { addAccessFlags, exclusive, listedPaths, outputFlag } from '../flags.ts';
import { REPORT_FORMATS } from '../output/formats.ts';
import { FAIL_ON } from '../output/report.ts';
import type { ScanFlags } from './options.ts';

const HELP = `
Examples:
  muster scan --live
  muster scan --live --context fleet --config muster.yaml -o json=report.json
  kubectl get clusterclaims,inventoryclusters -o yaml | muster scan --state -

Exit codes: 0 nothing that --fail-on names, 1 something, 2 bad usage, or not all could be read.`;

/** Adds the command to the program. What it needs to run is loaded when it runs. */
export function registerScan(program: Command): void {
  const command = program
    .command('scan')
    .summary('evaluate what is stored already')
    .description(
      'Evaluates the objects of a cluster, or of files, as they are stored: finds what admission let through, and what admission cannot see.',
    );
  addAccessFlags(command)
    .addOption(exclusive(new Option('--live', 'scan a cluster, read through kubeconfig'), ['--state']))
    .addOption(listedPaths('--state <path>', 'scan the objects in a file or folder, or - for standard input'))
    .addOption(new Option('--config <file>', 'the MusterConfiguration, as for serve'))
    .addOption(new Option('--page-size <count>', 'the most objects of a page').argParser(pageSize).default(500))
    .addOption(
      new Option('--fail-on <what>', 'exit 1 on this; each choice includes those before it')
        .choices(FAIL_ON)
        .default('denied'),
    )
    .addOption(new Option('--fail-on-no-match', 'an error where no object of a kind that muster evaluates is found'))
    .addOption(outputFlag(REPORT_FORMATS))
    .addOption(new Option('--event', 'write an Event on each object with findings'))
    .addOption(new Option('--report', 'write a ClusterReport and Reports (openreports.io)'))
    .addOption(new Option('--expose-metrics [address]', 'scan repeatedly, and serve /metrics there (default: ":8080")'))
    .addOption(new Option('--interval <time>', 'with --expose-metrics: the time between two scans (default: "1h")'))
    .addHelpText('after', HELP)
    .action(async (flags: ScanFlags) => {
      const [{ parseOutputs }, { scanOptions }, { runScanCommand }] = await Promise.all([
        import('../output/emit.ts'),
        import('./options.ts'),
        import('./run.ts'),
      ]);
      await runScanCommand(scanOptions(flags, parseOutputs(flags.output, REPORT_FORMATS)));
    });
}

function pageSize(text: string): number {
  const value = Number(text);
  if (/^\d{1,5}$/.test(text) && value >= 1 && value <= 10_000) return value;
  throw new InvalidArgumentError('It takes a number from 1 to 10000.');
}
