/**
 * Tests that are run with real servers on a machine that may be busy with other things: where one fails, its file is run once more, alone.
 * Both runs are told; red is what fails twice.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

/** Runs Jest with a configuration file and further arguments; the exit code. Without `again` what fails once is red. */
export function runJest(config: string, args: readonly string[], again: boolean): number {
  const { code, failed } = run(config, args);
  if (code === 0 || failed.length === 0 || !again) return code;
  process.stderr.write(`\nFailed, and run once more, each alone: ${failed.join(', ')}\n`);
  return Math.max(...failed.map((file) => run(config, [file]).code));
}

interface Outcome {
  readonly code: number;
  /** Files in which something failed; none where Jest itself did. */
  readonly failed: readonly string[];
}

function run(config: string, args: readonly string[]): Outcome {
  const folder = mkdtempSync(join(tmpdir(), 'muster-jest-'));
  try {
    const report = join(folder, 'report.json');
    const command = ['run', '-s', 'test:jest', '--', '--config', config, '--json', '--outputFile', report, ...args];
    // Jest prints the report as JSON; what people read is on the other stream.
    const { status } = spawnSync('npm', command, { stdio: ['ignore', 'ignore', 'inherit'] });
    return status === 0 ? { code: 0, failed: [] } : { code: status ?? 1, failed: failedIn(report) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function failedIn(report: string): readonly string[] {
  try {
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
      testResults: { name: string; status: string }[];
    };
    return testResults.filter(({ status }) => status === 'failed').map(({ name }) => relative('.', name));
  } catch {
    return [];
  }
}
