/** `muster test --record` as a command: reads, writes the suite and says so. Never overwrites unless told to. */
import { existsSync } from 'node:fs';
import { dirname, isAbsolute, relative } from 'node:path';
import { createFile, replaceFile } from '../output/safe-file.ts';
import { escapeText } from '../output/terminal.ts';
import { errorLine } from '../output/text.ts';
import { loadPolicy, readStdin, UsageError } from '../shared.ts';
import { boundaryOf, fileProblem } from './boundary.ts';
import type { RecordOptions } from './options.ts';
import { recordSuite } from './record.ts';

/** Sets the process's exit code. Throws UsageError. */
export async function record(options: RecordOptions): Promise<void> {
  const { suite, force, config } = options;
  const overwrites = `${suite} is there already: --force overwrites it`;
  if (!force && suite !== '-' && existsSync(suite)) throw new UsageError(overwrites);
  const policy = await loadPolicy(config);
  const boundary = boundaryOf(suite === '-' ? 'suite' : suite, []);
  const isOutside = config !== undefined && fileProblem(config, boundary) !== undefined;
  const named = config === undefined || isOutside ? undefined : asNamedFrom(suite, config);
  const recorded = await recordSuite({
    ...options,
    ...{ file: suite === '-' ? 'recorded.muster-test.yaml' : suite, config: named },
    ...{ policy, stdin: readStdin, now: Date.now() },
  });
  if ('errors' in recorded) {
    process.exitCode = 2;
    for (const error of recorded.errors) process.stderr.write(`${errorLine(error)}\n`);
    process.stderr.write('nothing was recorded\n');
    return;
  }
  const { text, tests, skipped } = recorded;
  if (suite === '-') process.stdout.write(text);
  else save(suite, text, force, overwrites);
  if (isOutside) process.stderr.write(`note: ${escapeText(withConfig(config, boundary))}\n`);
  const left = skipped > 0 ? `; ${skipped} skipped, of kinds that muster does not judge` : '';
  process.stderr.write(
    `${suite === '-' ? '' : `${escapeText(suite)}: `}${tests} test${tests === 1 ? '' : 's'} recorded${left}\n`,
  );
}

/** A suite that named it could not be run. */
function withConfig(config: string, boundary: string): string {
  return `the suite names no configuration, for ${config} lies outside of ${boundary}: run it with --config ${config}`;
}

function save(file: string, text: string, force: boolean, overwrites: string): void {
  // Whoever made the file in the meantime keeps it.
  const problem = force ? replaceFile(file, [text]) : createFile(file, [text]);
  if (problem === undefined) return;
  throw new UsageError(problem === 'exists' ? overwrites : `can't write ${file}: ${problem}`);
}

/** A path as a suite names it, from its own folder. */
function asNamedFrom(suite: string, path: string): string {
  if (isAbsolute(path)) return path;
  return relative(suite === '-' ? '.' : dirname(suite), path).replaceAll('\\', '/');
}
