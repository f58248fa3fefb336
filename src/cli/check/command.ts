/** Runs `muster check`: opens the cluster, loads the configuration, evaluates, writes the report; with `--watch` repeatedly. */
import { emitReport } from '../output/emit.ts';
import { progressLine, showReading } from '../progress.ts';
import { loadPolicy, readStdin } from '../shared.ts';
import { type CheckFlags, type CheckOptions, checkOptions } from './options.ts';
import { runCheck } from './run.ts';

/** Runs the command. Sets the process's exit code. @throws UsageError, ConfigError */
export async function checkCommand(paths: readonly string[], flags: CheckFlags): Promise<void> {
  const options = checkOptions(paths, flags);
  if (!flags.watch) return checkOnce(options);
  const { watchCheck } = await import('./watch.ts');
  await watchCheck(options, () => checkOnce(options));
}

async function checkOnce(options: CheckOptions): Promise<void> {
  const live = options.live && (await (await import('./live.ts')).openLive(options.live));
  try {
    const policy = await loadPolicy(options.config);
    const line = progressLine(process.stderr, process.env);
    const listSkipped = (skipped: string) => {
      line?.end();
      process.stderr.write(`${skipped}\n`);
    };
    const source = {
      stdin: readStdin,
      reading: showReading(line),
      listSkipped: options.verbose ? listSkipped : undefined,
    };
    const { report, notes } = await runCheck({ ...options, ...source, live, policy, clock: Date.now });
    line?.end();
    const { failOn, outputs } = options;
    await emitReport(report, notes, { command: 'muster check', failOn, outputs, hasFiles: true });
  } finally {
    live?.close();
  }
}
