/** `muster scan` as a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { CheckReport } from '../../../src/cli/output/report.ts';
import { MAIN } from '../harness/index.ts';

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  stdout(): string;
  stderr(): string;
}

/** Starts it, with nothing of this process's environment that could be a flag. */
export function startScan(...args: readonly string[]): Running {
  const env = { PATH: process.env['PATH'], HOME: '/nonexistent', NO_COLOR: '1' };
  const child = spawn(process.execPath, [MAIN, 'scan', ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const texts = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.stderr += text));
  return { child, stdout: () => texts.stdout, stderr: () => texts.stderr };
}

/** Runs it to its end. */
export async function scan(...args: readonly string[]): Promise<Outcome> {
  const { child, stdout, stderr } = startScan(...args);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout: stdout(), stderr: stderr() };
}

/** The same with `-o json`, read. */
export async function scanned(...args: readonly string[]): Promise<Outcome & { readonly report: CheckReport }> {
  const outcome = await scan(...args, '-o', 'json');
  if (!outcome.stdout.startsWith('{')) throw new Error(`no report: ${outcome.stderr}`);
  return { ...outcome, report: JSON.parse(outcome.stdout) as CheckReport };
}

/** `KIND [NAMESPACE/]NAME` with its rules, of each object that has findings. */
export function rulesByObject({ results }: CheckReport): Record<string, readonly string[]> {
  const told = results.filter(({ findings }) => findings.length > 0);
  return Object.fromEntries(
    told.map(({ kind, apiVersion, namespace, name, findings }) => [
      [`${apiVersion.split('/')[0]} ${kind}`, namespace, name].filter((part) => part !== '').join('/'),
      findings.map(({ ruleId }) => ruleId),
    ]),
  );
}
