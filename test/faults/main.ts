/**
 * `npm run test:faults`: two rows at a time, then those alone that ask what a server has left under a load of their own, which
 * a neighbour's would spoil. With arguments: only these files, as Jest takes them.
 *
 * In the short form, which runs wherever a change is tried, a row that fails is run once more, alone: most figures have a time in
 * them, and the machine may have been busy with other things. Both runs are told; red is what fails twice.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { form } from './figure.ts';

const ALONE = 'test/faults/flood.fault.ts';

const folder = mkdtempSync(join(tmpdir(), 'muster-faults-'));
try {
  const given = process.argv.slice(2);
  const runs = given.length > 0 ? [given] : [['--testPathIgnorePatterns', ALONE], [ALONE]];
  const outcomes = runs.map(run);
  process.exitCode = Math.max(...outcomes.map(believed));
} finally {
  rmSync(folder, { recursive: true });
}

interface Outcome {
  readonly code: number;
  /** Files in which something failed; none where Jest itself did. */
  readonly failed: readonly string[];
}

function run(args: readonly string[]): Outcome {
  const report = join(folder, 'report.json');
  const flags = ['--config', 'jest.faults.config.js', '--json', '--outputFile', report, ...args];
  const { status } = spawnSync('npm', ['run', '-s', 'test:jest', '--', ...flags], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status === 0) return { code: 0, failed: [] };
  return { code: status ?? 1, failed: failedIn(report) };
}

function failedIn(report: string): readonly string[] {
  try {
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
      testResults: { name: string; status: string }[];
    };
    return testResults.filter(({ status }) => status === 'failed').map(({ name }) => relative('.', name));
  } catch {
    return [];
  } finally {
    rmSync(report, { force: true });
  }
}

function believed({ code, failed }: Outcome): number {
  if (code === 0 || failed.length === 0 || form() !== 'short') return code;
  process.stderr.write(`\nFailed, and run once more, each alone: ${failed.join(', ')}\n`);
  const again = failed.map((file) => run([file]));
  return Math.max(...again.map((each) => each.code));
}
