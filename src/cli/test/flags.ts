/** `muster test`: runs suites of expected verdicts, for a platform team's own policy repository; or writes one. */
import { type Command, Option } from 'commander';
import { formatted, listed, listedPaths } from '../flags.ts';
import { TEST_FORMATS } from '../output/formats.ts';
import type { TestFlags } from './options.ts';

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
    .description('Runs suites of expected verdicts (*.muster-test.yaml), so that a team pins its own configuration.')
    .argument('[paths...]', 'suites, or folders of them (default: the current one); with --record: manifests')
    .addOption(new Option('--config <file>', 'the MusterConfiguration of suites that name none'))
    .addOption(new Option('--filter <text>', 'only tests whose name contains this'))
    .addOption(
      formatted(
        listed('-o, --output <format>', 'text, json, junit; to a file with FORMAT=FILE (default: text)'),
        TEST_FORMATS,
      ),
    )
    .addOption(new Option('--record <suite>', 'write a suite of what is decided now on the manifests; - prints it'))
    .addOption(new Option('--force', 'let --record overwrite a file'))
    .addOption(listedPaths('--state <path>', 'what exists before what is recorded: a file, a folder or -'))
    .addOption(listedPaths('--deleted <path>', 'record the deletion of the objects in a file or folder'))
    .addOption(new Option('--as <user>', 'who asks in what is recorded'))
    .addOption(listed('--as-group <group>', 'a group of that user'))
    .addOption(new Option('--schema', 'print the JSON Schema of suites, for editors'))
    .addHelpText('after', EXAMPLES)
    .action(test);
}

async function test(paths: readonly string[], flags: TestFlags, command: Command): Promise<void> {
  if (flags.schema) return printSchema();
  const { recordOptions, refuseRecordFlags, testOptions } = await import('./options.ts');
  if (flags.record !== undefined) {
    const { record } = await import('./record-command.ts');
    return record(recordOptions(paths, flags, flags.record));
  }
  refuseRecordFlags(command.options.filter((option) => isGiven(command, option)));
  return runAndReport(testOptions(paths, flags));
}

/** On the command line: variables such as MUSTER_STATE may be there for other commands. */
function isGiven(command: Command, option: Option): boolean {
  return command.getOptionValueSource(option.attributeName()) === 'cli';
}

async function printSchema(): Promise<void> {
  const { suiteSchema } = await import('./schema.ts');
  process.stdout.write(`${JSON.stringify(suiteSchema, null, 2)}\n`);
}

async function runAndReport(options: ReturnType<typeof import('./options.ts').testOptions>): Promise<void> {
  const [
    { runTests },
    { exitCodeOf },
    { testLines },
    { testJunit },
    { loadPolicy },
    { emit },
    { jsonPieces },
    { errorLine },
    { escapeText },
  ] = await Promise.all([
    import('./run.ts'),
    import('./report.ts'),
    import('./text.ts'),
    import('./junit.ts'),
    import('../shared.ts'),
    import('../output/emit.ts'),
    import('../output/json.ts'),
    import('../output/text.ts'),
    import('../output/terminal.ts'),
  ]);
  const { paths, filter, outputs, config } = options;
  const now = Date.now();
  const policy = await loadPolicy(config);
  const { report, warnings } = await runTests({ paths, filter, policy, now });
  // Before anything is written: a reader who goes away ends the process, with this code.
  process.exitCode = exitCodeOf(report);
  for (const line of [...warnings.map((one) => `warning: ${escapeText(one)}`), ...report.errors.map(errorLine)]) {
    process.stderr.write(`${line}\n`);
  }
  emit(outputs, {
    text: (paint) => testLines(report, paint),
    json: () => jsonPieces(report),
    junit: () => testJunit(report, now),
  });
}
