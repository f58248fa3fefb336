/** `muster test`: runs suites of expected verdicts, for a platform team's own policy repository; or records one. */
import { type Command, Option } from 'commander';
import { UsageError } from '../../base/usage-error.ts';
import { TEST_FORMATS } from '../../report/formats.ts';
import { colorFlag, listed, listedPaths, outputFlag } from '../flags.ts';
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
    .addOption(new Option('--config <file>', 'the MusterConfiguration of suites without one'))
    .addOption(new Option('--filter <text>', 'only tests whose name contains this'))
    .addOption(outputFlag(TEST_FORMATS))
    .addOption(colorFlag())
    .addOption(new Option('--record <suite>', 'write a suite of the current results for the manifests; - prints it'))
    .addOption(new Option('--force', 'let --record overwrite a file'))
    .addOption(listedPaths('--state <path>', 'the state before the recorded writes: a file, a folder or -'))
    .addOption(listedPaths('--deleted <path>', 'record the deletion of the objects in a file or folder'))
    .addOption(new Option('--as <user>', 'the requester of the recorded writes'))
    .addOption(listed('--as-group <group>', 'a group of that user'))
    .addOption(new Option('--schema', 'print the JSON Schema of suites, for editors'))
    .addHelpText('after', EXAMPLES)
    .action(async (paths: readonly string[], flags: TestFlags, command: Command) => {
      // Variables such as MUSTER_STATE may be set for other commands.
      const isOnLine = (option: Option) => command.getOptionValueSource(option.attributeName()) === 'cli';
      refuseIdleFlags(command.options.filter(isOnLine), flags);
      if (flags.schema) return (await import('./run.ts')).printSchema();
      if (flags.record !== undefined) return (await import('./record.ts')).recordCommand(paths, flags, flags.record);
      return (await import('./run.ts')).runTestCommand(paths.length === 0 ? ['.'] : paths, flags);
    });
}

const FOR_RECORDING = ['force', 'state', 'deleted', 'as', 'asGroup'];
const FOR_RUNS = ['filter', 'output'];

/** Refuses flags that would have no effect, with --record or without. */
function refuseIdleFlags(used: readonly Option[], { record }: TestFlags): void {
  const isRecording = record !== undefined;
  const idle = isRecording ? FOR_RUNS : FOR_RECORDING;
  const stray = used.find((option) => idle.includes(option.attributeName()));
  if (!stray) return;
  if (isRecording) throw new UsageError(`${stray.long} has no effect with --record, which runs no tests: leave it out`);
  const reason = stray.attributeName() === 'force' ? 'nothing is written without it' : SAID_BY_SUITE;
  throw new UsageError(`${stray.long} needs --record: ${reason}`);
}

const SAID_BY_SUITE = 'a suite names the state and the user itself';
