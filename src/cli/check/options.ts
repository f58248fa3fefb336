/** Validates the flags of `muster check`, as far as commander can't, and converts them to options. */
import type { AccessFlags } from '../../cluster/live/access.ts';
import type { Identity } from '../../rules/rule.ts';
import { type Output, parseOutputs } from '../output/emit.ts';
import { REPORT_FORMATS } from '../output/formats.ts';
import type { FailOn } from '../output/report.ts';
import { identityOf, UsageError } from '../shared.ts';
import type { CheckRun } from './run.ts';

/** The flags as commander parses them. */
export interface CheckFlags extends AccessFlags {
  readonly config?: string;
  readonly state?: readonly string[];
  readonly baseRef?: string;
  readonly live?: boolean;
  readonly deleted?: readonly string[];
  readonly as?: string;
  readonly asGroup?: readonly string[];
  readonly subresource?: 'none' | 'status';
  readonly failOn: FailOn;
  readonly failOnNoMatch?: boolean;
  readonly output?: readonly string[];
  readonly watch?: boolean;
  readonly verbose?: boolean;
}

type RunOptions = 'paths' | 'deleted' | 'state' | 'baseRef' | 'identity' | 'subresource' | 'failOnNoMatch';

export interface CheckOptions extends Pick<CheckRun, RunOptions> {
  /** The cluster to read, if any. */
  readonly live: AccessFlags | undefined;
  readonly config: string | undefined;
  readonly verbose: boolean;
  readonly failOn: FailOn;
  readonly outputs: readonly Output[];
}

/** Returns the options. Throws UsageError if flags contradict each other or leave nothing to do. */
export function checkOptions(paths: readonly string[], flags: CheckFlags): CheckOptions {
  const deleted = flags.deleted ?? [];
  const all = [...paths, ...deleted, ...(flags.state ?? [])];
  if (paths.length + deleted.length === 0) {
    throw new UsageError('nothing to check: name files or folders, "-" for standard input, or --deleted PATH');
  }
  if (all.includes('')) throw new UsageError('a path is empty: name a file, a folder, or "-"');
  if (all.filter((path) => path === '-').length > 1)
    throw new UsageError('"-" (standard input) can be named once only');
  refuseUnclearState(paths, flags);
  const { state, baseRef, config, subresource, failOn, failOnNoMatch = false, verbose = false } = flags;
  const live = flags.live ? flags : undefined;
  const outputs = parseOutputs(flags.output, REPORT_FORMATS);
  const identity = identityIn(flags);
  const how = { failOn, failOnNoMatch, verbose, outputs };
  return { paths, state, baseRef, live, deleted, config, identity, subresource, ...how };
}

/** Refuses two sources of the previous state. Beside --state or --live, --base-ref only names what is deleted. */
function refuseUnclearState(paths: readonly string[], { state, live, baseRef }: CheckFlags): void {
  if (live && state) throw new UsageError('--live and --state both name the previous state: give one of them');
  if (baseRef === undefined) return;
  if (baseRef === '' || baseRef.startsWith('-')) {
    throw new UsageError('--base-ref needs a git revision, such as origin/main or HEAD~1');
  }
  if (paths.length === 0) throw new UsageError('--base-ref needs PATH: the same paths are read at that revision');
  if (paths.includes('-')) {
    throw new UsageError('standard input has no past: with --base-ref name files instead of "-", or use --state');
  }
}

function identityIn({ as: username, asGroup = [] }: CheckFlags): Identity | undefined {
  if (username === '') throw new UsageError('--as needs a user name');
  if (username !== undefined) return identityOf(username, asGroup);
  if (asGroup.length > 0) throw new UsageError('--as-group needs --as USER beside it');
  return undefined;
}
