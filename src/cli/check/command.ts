/**
 * Runs `muster check`: opens the clusters, loads the configuration, evaluates, writes the report; with `--watch`
 * repeatedly.
 */
import { dirname } from 'node:path';
import type { Baseline } from '../output/baseline.ts';
import { emitReport } from '../output/emit.ts';
import { escapeFile } from '../output/terminal.ts';
import { progressLine, showReading } from '../progress.ts';
import { loadSettings, readStdin } from '../shared.ts';
import { chartsIn } from './clusters/charts.ts';
import { parseGlob } from './clusters/glob.ts';
import type { Live } from './live.ts';
import { type CheckFlags, type CheckOptions, checkOptions } from './options.ts';
import { type CheckRun, runCheck } from './run.ts';
import type { Prepared } from './watch.ts';

/** Runs the command. Sets the process's exit code. @throws UsageError, ConfigError */
export async function checkCommand(paths: readonly string[], flags: CheckFlags): Promise<void> {
  if (!flags.watch) return (await prepare(paths, flags)).check();
  const { watchCheck } = await import('./watch.ts');
  await watchCheck(paths, flags, () => prepare(paths, flags));
}

async function prepare(paths: readonly string[], flags: CheckFlags): Promise<Prepared> {
  const { config = '' } = flags;
  const settings = await loadSettings(flags.config);
  const source = (glob: string) => `${config}: check.clusters "${glob}"`;
  const globs = (settings?.clusters ?? []).map((glob) => parseGlob(glob, source(glob), dirname(config)));
  const options = checkOptions(paths, flags, globs, settings && chartsIn(settings, config));
  const { baseline: file } = options;
  const baseline = file === undefined ? undefined : await (await import('../output/baseline.ts')).readBaseline(file);
  return { clusters: options.clusters, check: () => checkOnce(options, settings?.policy, baseline) };
}

async function checkOnce(
  options: CheckOptions,
  policy: CheckRun['policy'],
  baseline: Baseline | undefined,
): Promise<void> {
  const opened = new Map<string, Live>();
  const renderer = options.isRendering ? (await import('./render/render.ts')).openRenderer() : undefined;
  try {
    for (const [name, access] of options.live) {
      const { openLive } = await import('./live.ts');
      opened.set(name, await openLive(access, name));
    }
    const line = process.stderr.isTTY ? progressLine(process.stderr, process.env) : undefined;
    const listSkipped = (skipped: string) => {
      line?.end();
      process.stderr.write(`${escapeFile(skipped)}\n`);
    };
    const source = {
      stdin: readStdin,
      reading: line && showReading(line),
      listSkipped: options.verbose ? listSkipped : undefined,
      render: renderer?.render,
    };
    const { report, notes } = await runCheck({
      ...options,
      ...source,
      live: opened,
      policy,
      baseline,
      clock: Date.now,
    });
    line?.end();
    const { failOn, outputs } = options;
    await emitReport(report, notes, { command: 'muster check', failOn, outputs });
  } finally {
    for (const live of opened.values()) live.close();
    renderer?.close();
  }
}
