/** Puts a check together: what is read, what is judged by, and where the report goes. */
import { errorLine } from '../output/check-text.ts';
import { emit } from '../output/destination.ts';
import { renderingsOf, rootOf } from '../output/report.ts';
import { shown } from '../output/shown.ts';
import { loadPolicy } from '../policy.ts';
import { progressLine, showReading } from '../progress.ts';
import { readStdin } from '../stdin.ts';
import type { Live } from './live.ts';
import type { CheckOptions } from './options.ts';
import { exitCodeOf } from './report.ts';
import { runCheck } from './run.ts';

/** One check with all that it writes. Sets the process's exit code. @throws UsageError, ConfigError */
export async function checkAndReport(options: CheckOptions, live: Live | undefined): Promise<void> {
  const policy = await loadPolicy(options.config);
  const line = progressLine(process.stderr, process.env);
  const source = { stdin: readStdin, reading: showReading(line) };
  const { report, notes } = await runCheck({ ...options, ...source, live, policy, clock: Date.now });
  line?.end();
  const exitCode = exitCodeOf(report, options.failOn);
  // Before anything is written: a reader who goes away ends the process, with this code.
  process.exitCode = exitCode;
  for (const text of [...notes.map(shown), ...report.errors.map(errorLine)]) process.stderr.write(`${text}\n`);
  const root = rootOf(process.env, process.cwd());
  const reporting = { command: 'muster check', failOn: options.failOn, exitCode, now: Date.now(), root };
  emit(options.outputs, await renderingsOf(report, options.outputs, reporting));
}
