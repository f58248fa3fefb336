/**
 * Runs `muster check`: validates its flags, as far as commander can't, and converts them to options; opens the
 * clusters, loads the configuration, evaluates, and writes the report; with `--watch` repeatedly.
 */

import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from '../../base/usage-error.ts';
import type { AccessFlags } from '../../cluster/live/access-source.ts';
import { type ClusterChart, chartsIn } from '../../input/clusters/charts.ts';
import { type Glob, parseGlob } from '../../input/clusters/glob.ts';
import { type ClusterFlags, type ClusterRequest, clusterRequest } from '../../input/clusters/request.ts';
import type { Live } from '../../input/live.ts';
import { readBaseline } from '../../report/baseline.ts';
import { emitReport, type Output, parseOutputs, refuseInputs, refuseToReplace } from '../../report/emit.ts';
import { PLAIN_FORMATS, REPORT_FORMATS } from '../../report/formats.ts';
import { progressLine, showReading, writeSkipped } from '../progress.ts';
import { identityIn, loadSettings, openClient, type ReportFlags, readStdin, refuseUnclearInput } from '../shared.ts';
import { serviceNameIn } from './explain-service.ts';
import { type CheckRun, runCheck } from './run.ts';
import type { Prepared } from './watch.ts';

/** Runs the command. Sets the process's exit code. @throws UsageError, ConfigError */
export async function checkCommand(paths: readonly string[], flags: CheckFlags): Promise<void> {
  if (!flags.watch) return (await prepare(paths, flags)).check();
  // Without paths, the configuration may say what to check.
  if (flags.config === undefined || paths.length > 0) checkOptions(paths, flags);
  const { watchCheck } = await import('./watch.ts');
  await watchCheck(paths, flags, () => prepare(paths, flags));
}

async function prepare(paths: readonly string[], flags: CheckFlags): Promise<Prepared> {
  const { config = '' } = flags;
  const settings = await loadSettings(flags.config);
  const globs = settings?.clusters.map((glob, index) => {
    const { line, column } = settings.locate({ path: ['check', 'clusters', index], message: '' });
    return parseGlob(glob, `${config}:${line}:${column}: check.clusters "${glob}"`, dirname(config));
  });
  const options = checkOptions(paths, flags, globs, settings && chartsIn(settings, config));
  const { baseline: file } = flags;
  const baseline = file === undefined ? undefined : await readBaseline(file);
  const policy = settings?.policy;
  return { clusters: options.clusters, check: () => checkOnce(paths, flags, { ...options, policy, baseline }) };
}

async function checkOnce(
  paths: readonly string[],
  flags: CheckFlags,
  options: CheckOptions & Pick<CheckRun, 'policy' | 'baseline'>,
): Promise<void> {
  const { clusterAccess, outputs, ...ofRun } = options;
  const { state, deleted = [], baseRef, subresource, quiet, failOn, failOnNoMatch = false } = flags;
  const opened = new Map<string, Live>();
  const renderer = flags.render ? (await import('../../input/render/render.ts')).openRenderer() : undefined;
  try {
    for (const [name, access] of clusterAccess) {
      // It takes long to load, so only --live imports it.
      const { openLive } = await import('../../input/live.ts');
      const client = await openClient(access);
      opened.set(name, openLive(client, name));
      refuseInputs(client.files, outputs);
    }
    // Without a terminal, a check passes no code that shows progress (docs/architecture.md counts the files).
    const line = process.stderr.isTTY ? progressLine(process.stderr, process.env) : undefined;
    const filesRead = new Set<string>();
    const { report, notes, services } = await runCheck({
      ...ofRun,
      paths,
      state,
      deleted,
      baseRef,
      subresource,
      quiet,
      failOnNoMatch,
      live: opened,
      onFileRead: (file: string) => void filesRead.add(file),
      stdin: readStdin,
      onReadProgress: line && showReading(line),
      listSkipped: flags.verbose ? writeSkipped(line) : undefined,
      render: renderer?.render,
      clock: Date.now,
    }).finally(() => line?.end());
    refuseToReplace(filesRead, outputs);
    if (options.serviceToExplain) {
      const { emitServices } = await import('./service-table.ts');
      emitServices(services, report, notes, outputs);
    } else await emitReport(report, notes, { command: 'muster check', failOn, outputs });
  } finally {
    for (const live of opened.values()) live.close();
    renderer?.close();
  }
}

/** The flags as commander parses them. */
export interface CheckFlags extends AccessFlags, ClusterFlags, ReportFlags {
  readonly baseRef?: string;
  readonly as?: string;
  readonly asGroup?: readonly string[];
  readonly subresource?: 'none' | 'status';
  readonly watch?: boolean;
  readonly render?: boolean;
  readonly explainService?: string;
}

/** What follows from the flags. */
interface CheckOptions extends Pick<CheckRun, 'identity' | 'serviceToExplain'> {
  /** The access to the clusters to read, by name; `''` for the only one. */
  readonly clusterAccess: ReadonlyMap<string, AccessFlags>;
  /** Several clusters, in place of paths. */
  readonly clusters: ClusterRequest | undefined;
  readonly outputs: readonly Output[];
}

/**
 * Returns the options. Throws UsageError if flags contradict each other or leave nothing to do.
 * @param configured the clusters of the configuration
 * @param charts its charts
 */
export function checkOptions(
  paths: readonly string[],
  flags: CheckFlags,
  configured: readonly Glob[] = [],
  charts: readonly ClusterChart[] = [],
): CheckOptions {
  const named = [flags.cluster ?? [], flags.clusters ?? [], configured, charts].some((one) => one.length > 0);
  const clusters = named ? clusterRequest(paths, flags, configured, charts) : undefined;
  if (clusters === undefined) refuseUnclearPaths(paths, flags);
  const { state = [], deleted = [], cluster = [], explainService } = flags;
  refuseUnclearInput([...paths, ...deleted, ...state]);
  refuseUnclearState(paths, flags, clusters !== undefined);
  const contexts = [...(clusters?.contexts ?? [])].map(
    ([name, [context = '']]) => [name, { ...flags, context }] as const,
  );
  const serviceToExplain = explainService === undefined ? undefined : serviceNameIn(explainService);
  const inputs = [...paths, ...deleted, ...state, ...cluster, flags.config, flags.baseline];
  return {
    clusters,
    clusterAccess: new Map<string, AccessFlags>(clusters || !flags.live ? contexts : [['', flags]]),
    identity: identityIn(flags.as, flags.asGroup),
    serviceToExplain,
    outputs: parseOutputs(flags.output, serviceToExplain ? PLAIN_FORMATS : REPORT_FORMATS, inputs),
  };
}

/** Refuses a run of one cluster without anything to check, or with values that belong to several. */
function refuseUnclearPaths(paths: readonly string[], { state = [], deleted = [], live = [] }: CheckFlags): void {
  if (paths.length + deleted.length === 0) {
    throw new UsageError('nothing to check: name files or folders, "-" for standard input, or --deleted PATH');
  }
  const fix = 'name clusters with --cluster NAME=PATH or --clusters GLOB';
  if (live.length > 0)
    throw new UsageError(`--live ${live[0]}: ${fix}; with one cluster give --live --context CONTEXT`);
  const named = [...state, ...deleted].find((path) => /^[^/=]+=./.test(path) && !existsSync(path));
  if (named !== undefined) throw new UsageError(`${named}: no such file or folder; for NAME=PATH ${fix}`);
}

/** Refuses two sources of the previous state. Beside --state or --live, --base-ref only names what is deleted. */
function refuseUnclearState(paths: readonly string[], flags: CheckFlags, hasClusters: boolean): void {
  const { state, live, baseRef } = flags;
  if (live && state && !hasClusters)
    throw new UsageError('--live and --state both name the previous state: give one of them');
  if (baseRef === undefined) return;
  if (baseRef.startsWith('-')) {
    throw new UsageError('--base-ref needs a git revision, such as origin/main or HEAD~1');
  }
  if (hasClusters) return;
  if (paths.length === 0) throw new UsageError('--base-ref needs PATH: the same paths are read at that revision');
  if (paths.includes('-')) {
    throw new UsageError(
      'standard input has no git history: with --base-ref name files instead of "-", or use --state',
    );
  }
}
