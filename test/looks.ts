/**
 * Tests with servers and times of their own, on a machine that may be busy with other things: where one fails, its file is run again, alone, and
 * once more. Every run is told; red is what fails three times. What walks by chance walks the same way each time.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

const LOOKS = 3;

/** Runs Jest with a configuration file and further arguments; the exit code. Without `again` what fails once is red. */
export function runJest(config: string, args: readonly string[], again: boolean): number {
  const first = run(config, args);
  if (!again || first.failed.length === 0) return first.code;
  let failed = first.failed;
  for (let look = 2; look <= LOOKS && failed.length > 0; look += 1) {
    process.stderr.write(`\nFailed, and run again, each alone: ${failed.join(', ')}\n`);
    failed = failed.filter((file) => run(config, [file]).code !== 0);
  }
  if (failed.length > 0) process.stderr.write(`\nRed: ${failed.join(', ')}\n`);
  return failed.length > 0 ? first.code : 0;
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
