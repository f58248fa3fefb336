/** `muster test`: runs suites of expected verdicts, for a platform team's own policy repository; or records one. */
import type { Command } from 'commander';
import { UsageError } from '../../base/usage-error.ts';
import { TEST_FORMATS } from '../../report/formats.ts';
import { colorFlag, listed, listedPaths, outputFlag, refuseIdle } from '../flags.ts';
import type { TestFlags } from './run.ts';

const EXAMPLES = `
Examples:
  muster test
  muster test policies/ --filter membership -o junit=results.xml
  muster test --record claims.muster-test.yaml claims.yaml --state exported/ --config muster.yaml

Exit codes: 0 all tests passed, 1 some failed, 2 bad usage, or a suite that can't be read or run.`;

/** Adds the command to the program. What it needs to run is loaded when it runs. */
export function registerTest(program: Command): void {
  program
    .command('test')
    .summary('run suites of expected verdicts')
    .description('Runs suites of expected verdicts (*.muster-test.yaml), which pin the configuration of a team.')
    .argument('[paths...]', 'suites, or folders with suites (default: the current folder); with --record: manifests')
    .option('--config <file>', 'the MusterConfiguration of suites without one')
    .option('--filter <text>', 'only tests whose name contains this')
    .addOption(outputFlag(TEST_FORMATS))
    .addOption(colorFlag())
    .option('--record <suite>', 'write a suite of the current results for the manifests; - prints it')
    .option('--force', 'let --record overwrite a file')
    .addOption(listedPaths('--state <path>', 'the state before the recorded writes: a file, a folder or -'))
    .addOption(listedPaths('--deleted <path>', 'record the deletion of the objects in a file or folder'))
    .option('--as <user>', 'the requester of the recorded writes')
    .addOption(listed('--as-group <group>', 'a group of that user'))
    .option('--schema', 'print the JSON Schema of suites, for editors')
    .addHelpText('after', EXAMPLES)
    .action(async (paths: readonly string[], flags: TestFlags, command: Command) => {
      if (flags.schema) {
        const others = command.options.flatMap(({ long }) => (long && long !== '--schema' ? long : []));
        refuseIdle(command, others, 'has no effect with --schema, which runs no tests: leave it out');
        if (paths.length > 0) throw new UsageError('--schema takes no paths: leave them out');
        return (await import('./run.ts')).printSchema();
      }
      if (flags.record !== undefined) {
        refuseIdle(command, ['--filter', '--output'], 'has no effect with --record, which runs no tests: leave it out');
        if (flags.as === undefined) refuseIdle(command, ['--as-group'], 'needs --as USER beside it');
        return (await import('./record.ts')).recordCommand(paths, flags, flags.record);
      }
      refuseIdle(command, ['--force'], 'needs --record: nothing is written without it');
      const ofSuite = ['--state', '--deleted', '--as', '--as-group'];
      refuseIdle(command, ofSuite, 'needs --record: a suite names the state and the user itself');
      return (await import('./run.ts')).runTestCommand(paths.length === 0 ? ['.'] : paths, flags);
    });
}
