/** Random input: properties by fast-check, and the coverage-guided fuzzer in a process of its own. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import type { FuzzRun } from '../fuzz/main.ts';
import { properties } from '../fuzz/properties.ts';
import { byForm, form, record } from './figures.ts';

const MAIN = fileURLToPath(new URL('../fuzz/main.ts', import.meta.url));
const SCHEDULED = form() === 'scheduled';
const RUNS = SCHEDULED ? 1_000_000 : byForm(20_000, 200_000);
/** The unit tests try each property sixty times, with the same inputs first: the short form adds nothing to that. */
const EACH = SCHEDULED ? 5000 : byForm(10, 1000);
const HOUR = 3_600_000;

function fuzz(): Promise<{ stdout: string; stderr: string }> {
  const options = { maxBuffer: 64 * 1024 * 1024 };
  return new Promise((resolve) => {
    execFile(process.execPath, [MAIN, '--runs', String(RUNS), '--json'], options, (_, stdout, stderr) =>
      resolve({ stdout, stderr }),
    );
  });
}

test(
  'the fuzzer finds no crash, and every rule reports something',
  async () => {
    const { stdout, stderr } = await fuzz();
    expect({ stdout: stdout === '' ? stderr : '' }).toEqual({ stdout: '' });
    const { reports, reached, pieces } = JSON.parse(stdout) as FuzzRun;
    const executions = reports.reduce((sum, report) => sum + report.executions, 0);
    const broken = reports.flatMap((report) => report.broken);
    const silent = reports.flatMap((report) => report.silent);
    const result = `${broken.length} crashes in ${executions.toLocaleString('en')} executions`;
    record(
      'fuzz',
      'guided by coverage',
      `${result} of ${reports.map(({ target }) => target).join(', ')}; ${reached} of ${pieces} pieces of the sources reached; ` +
        `rules without a report: ${silent.join(', ') || 'none'}; the slowest took ${Math.round(Math.max(...reports.map(({ slowestMs }) => slowestMs)))} ms`,
      result,
    );
    expect(broken).toEqual([]);
    expect(silent).toEqual([]);
    expect(executions).toBeGreaterThanOrEqual(RUNS);
  },
  HOUR,
);

test(
  'the properties hold',
  async () => {
    const failed: string[] = [];
    for (const { name, check } of properties) await check(EACH).catch((error) => failed.push(`${name}: ${error}`));
    const result = `${failed.length} of ${properties.length} properties failed`;
    record('fuzz', 'properties', `${result} in ${(properties.length * EACH).toLocaleString('en')} executions`, result);
    expect(failed).toEqual([]);
  },
  HOUR,
);
