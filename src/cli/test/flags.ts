/** `muster test`: runs suites of expected verdicts, for a platform team's own policy repository; or records one. */
import { type Command, Option } from 'commander';
import type { Identity } from '../../rules/rule.ts';
import { listed, listedPaths, outputFlag } from '../flags.ts';
import { TEST_FORMATS } from '../output/formats.ts';
import { identityOf, UsageError } from '../shared.ts';

const EXAMPLES = `
Examples:
  muster test
  muster test policies/ --filter membership -o junit=results.xml
  muster test --record claims.muster-test.yaml claims.yaml --state exported/ --config muster.yaml

Exit codes: 0 all tests passed, 1 some failed, 2 bad usage, or a suite that can't be read or run.`;

/** As commander delivers them. */
export interface TestFlags {
  readonly config?: string;
  readonly filter?: string;
  readonly output?: readonly string[];
  readonly record?: string;
  readonly force?: boolean;
  readonly state?: readonly string[];
  readonly deleted?: readonly string[];
  readonly as?: string;
  readonly asGroup?: readonly string[];
  readonly schema?: boolean;
}

export interface RecordOptions {
  /** The suite to write; `-`: standard output. */
  readonly suite: string;
  readonly force: boolean;
  /** Manifests, or AdmissionReviews. */
  readonly paths: readonly string[];
  readonly deleted: readonly string[];
  readonly state: readonly string[];
  readonly config: string | undefined;
  readonly identity: Identity | undefined;
}

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
    .addOption(new Option('--record <suite>', 'write a suite of the current results for the manifests; - prints it'))
    .addOption(new Option('--force', 'let --record overwrite a file'))
    .addOption(listedPaths('--state <path>', 'what exists before the recorded writes: a file, a folder or -'))
    .addOption(listedPaths('--deleted <path>', 'record the deletion of the objects in a file or folder'))
    .addOption(new Option('--as <user>', 'the requester of the recorded writes'))
    .addOption(listed('--as-group <group>', 'a group of that user'))
    .addOption(new Option('--schema', 'print the JSON Schema of suites, for editors'))
    .addHelpText('after', EXAMPLES)
    .action(async (paths: readonly string[], flags: TestFlags, command: Command) => {
      if (flags.schema) return (await import('./run.ts')).printSchema();
      if (flags.record !== undefined)
        return (await import('./record.ts')).recordCommand(recordOptions(paths, flags, flags.record));
      // Variables such as MUSTER_STATE may be set for other commands.
      const isOnLine = (option: Option) => command.getOptionValueSource(option.attributeName()) === 'cli';
      refuseRecordFlags(command.options.filter(isOnLine));
      checkPaths(paths, flags);
      return (await import('./run.ts')).runTestCommand(paths.length === 0 ? ['.'] : paths, flags);
    });
}

function checkPaths(paths: readonly string[], { filter }: TestFlags): void {
  if (paths.includes('')) throw new UsageError('a path is empty: name a suite or a folder');
  if (paths.includes('-'))
    throw new UsageError('a suite is read from a file, because it may refer to others: not from "-"');
  if (filter === '') throw new UsageError('--filter is empty: give a part of the names of tests');
}

/** Without --record these flags would have no effect. */
function refuseRecordFlags(used: readonly Option[]): void {
  const forRecording = ['force', 'state', 'deleted', 'as', 'asGroup'];
  const stray = used.find((option) => forRecording.includes(option.attributeName()));
  if (stray)
    throw new UsageError(`${stray.long} goes with --record only: a suite itself says what exists and who asks`);
}

function recordOptions(paths: readonly string[], flags: TestFlags, suite: string): RecordOptions {
  const { state = [], deleted = [], force = false, config, as: username, asGroup = [] } = flags;
  const all = [...paths, ...deleted, ...state];
  if (paths.length + deleted.length === 0)
    throw new UsageError('nothing to record: name manifests, "-" for standard input, or --deleted PATH');
  if (all.includes('')) throw new UsageError('a path is empty: name a file, a folder, or "-"');
  if (all.filter((path) => path === '-').length > 1)
    throw new UsageError('"-" (standard input) can be named once only');
  if (username === '') throw new UsageError('--as needs a user name');
  if (username === undefined && asGroup.length > 0) throw new UsageError('--as-group needs --as USER');
  const identity = username === undefined ? undefined : identityOf(username, asGroup);
  return { suite, force, paths, deleted, state, config, identity };
}
