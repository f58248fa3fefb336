/** Random input: properties by fast-check, and the fuzzer that coverage guides, in a process of its own. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import type { FuzzReport } from '../fuzz/main.ts';
import { properties } from '../fuzz/properties.ts';
import { byForm, record } from './figure.ts';

const MAIN = fileURLToPath(new URL('../fuzz/main.ts', import.meta.url));
const RUNS = byForm({ short: 20_000, full: 200_000, scheduled: 1_000_000 });
const EACH = byForm({ short: 100, full: 1000, scheduled: 5000 });
const MINUTES = 60_000;

interface Whole {
  readonly reports: readonly FuzzReport[];
  readonly reached: number;
  readonly pieces: number;
}

function fuzzed(): Promise<{ stdout: string; stderr: string }> {
  const options = { maxBuffer: 64 * 1024 * 1024 };
  return new Promise((resolve) => {
    execFile(process.execPath, [MAIN, '--runs', String(RUNS), '--json'], options, (_, stdout, stderr) =>
      resolve({ stdout, stderr }),
    );
  });
}

test(
  'the fuzzer breaks nothing, and every rule speaks',
  async () => {
    const { stdout, stderr } = await fuzzed();
    expect({ stdout: stdout === '' ? stderr : '' }).toEqual({ stdout: '' });
    const { reports, reached, pieces } = JSON.parse(stdout) as Whole;
    const executions = reports.reduce((sum, report) => sum + report.executions, 0);
    const seconds = reports.reduce((sum, report) => sum + report.seconds, 0);
    const broken = reports.flatMap((report) => report.broken);
    const slowest = Math.max(...reports.map((report) => report.slowestMs));
    const rules = reports.flatMap(({ said }) => (said === '' ? [] : [said]));
    record(
      'fuzz',
      'guided by coverage',
      `crashes ${broken.length} in ${executions.toLocaleString('en')} executions (${Math.round(executions / seconds).toLocaleString('en')} a second) of ${reports.map(({ target }) => target).join(', ')}; ${reached.toLocaleString('en')} of ${pieces.toLocaleString('en')} pieces of the sources reached; ${rules.join(', ')}; the slowest took ${Math.round(slowest)} ms`,
    );
    expect(broken).toEqual([]);
    expect(rules.filter((said) => said.includes('not '))).toEqual([]);
    expect(executions).toBeGreaterThanOrEqual(RUNS);
  },
  60 * MINUTES,
);

test(
  'the properties hold',
  async () => {
    const failed: string[] = [];
    for (const { name, check } of properties) await check(EACH).catch((error) => failed.push(`${name}: ${error}`));
    const runs = (properties.length * EACH).toLocaleString('en');
    record(
      'fuzz',
      'properties',
      `${failed.length} of ${properties.length} failed in ${runs} executions, over frozen objects, with every view known, unknown and throwing`,
    );
    expect(failed).toEqual([]);
  },
  60 * MINUTES,
);
