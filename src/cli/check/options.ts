/** Validates the flags of `muster check`, as far as commander can't, and converts them to options. */
import { existsSync } from 'node:fs';
import type { AccessFlags } from '../../cluster/live/access-flags.ts';
import type { Identity } from '../../rules/rule.ts';
import { type Output, parseOutputs } from '../output/emit.ts';
import { REPORT_FORMATS } from '../output/formats.ts';
import type { FailOn } from '../output/report.ts';
import { identityOf, refuseNoBaseline, UsageError } from '../shared.ts';
import type { ClusterChart } from './clusters/charts.ts';
import type { Glob } from './clusters/glob.ts';
import { type ClusterFlags, type ClusterRequest, clusterRequest } from './clusters/request.ts';
import type { CheckRun } from './run.ts';

/** The flags as commander parses them. */
export interface CheckFlags extends AccessFlags, ClusterFlags {
  readonly baseRef?: string;
  readonly as?: string;
  readonly asGroup?: readonly string[];
  readonly subresource?: 'none' | 'status';
  readonly failOn: FailOn;
  readonly failOnNoMatch?: boolean;
  readonly output?: readonly string[];
  readonly watch?: boolean;
  readonly baseline?: string;
  readonly verbose?: boolean;
  readonly quiet?: boolean;
  readonly render?: boolean;
}

type RunOptions = 'paths' | 'deleted' | 'state' | 'baseRef' | 'identity' | 'subresource' | 'failOnNoMatch';

export interface CheckOptions extends Pick<CheckRun, RunOptions> {
  /** The access to the clusters to read, by name; `''` for the only one. */
  readonly live: ReadonlyMap<string, AccessFlags>;
  /** Several clusters; then `paths`, `state` and `deleted` are empty. */
  readonly clusters: ClusterRequest | undefined;
  readonly config: string | undefined;
  readonly verbose: boolean;
  /**
   * Whether the notes are left out that say what a run without a previous state, or without objects, could not find.
   */
  readonly quiet: boolean;
  /** The file of an earlier report. */
  readonly baseline: string | undefined;
  /** Whether charts and kustomizations are rendered. */
  readonly isRendering: boolean;
  readonly failOn: FailOn;
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
  const own = { paths, state: flags.state, deleted: flags.deleted ?? [] };
  refuseTwoInputs([...paths, ...own.deleted, ...(flags.state ?? [])]);
  refuseUnclearState(paths, flags, clusters !== undefined);
  const { baseRef, config, subresource, failOn, failOnNoMatch = false, verbose = false, quiet = false } = flags;
  const { baseline } = flags;
  refuseNoBaseline(baseline);
  const contexts = [...(clusters?.contexts ?? [])].map(
    ([name, [context = '']]) => [name, { ...flags, context }] as const,
  );
  const live = new Map<string, AccessFlags>(clusters || !flags.live ? contexts : [['', flags]]);
  const outputs = parseOutputs(flags.output, REPORT_FORMATS);
  const identity = identityIn(flags);
  const one = clusters ? { paths: [], state: undefined, deleted: [] } : own;
  const how = { failOn, failOnNoMatch, verbose, quiet, baseline, isRendering: flags.render === true, outputs };
  return { ...one, clusters, baseRef, live, config, identity, subresource, ...how };
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

function refuseTwoInputs(all: readonly string[]): void {
  if (all.includes('')) throw new UsageError('a path is empty: name a file, a folder, or "-"');
  if (all.filter((path) => path === '-' || path.endsWith('=-')).length > 1)
    throw new UsageError('"-" (standard input) can be named once only');
}

/** Refuses two sources of the previous state. Beside --state or --live, --base-ref only names what is deleted. */
function refuseUnclearState(paths: readonly string[], flags: CheckFlags, hasClusters: boolean): void {
  const { state, live, baseRef } = flags;
  if (live && state && !hasClusters)
    throw new UsageError('--live and --state both name the previous state: give one of them');
  if (baseRef === undefined) return;
  if (baseRef === '' || baseRef.startsWith('-')) {
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

function identityIn({ as: username, asGroup = [] }: CheckFlags): Identity | undefined {
  if (username === '') throw new UsageError('--as needs a user name');
  if (username !== undefined) return identityOf(username, asGroup);
  if (asGroup.length > 0) throw new UsageError('--as-group needs --as USER beside it');
  return undefined;
}
