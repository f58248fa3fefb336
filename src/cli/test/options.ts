/** The values of the flags of `muster test`, and which of them fit together. */
import type { Identity } from '../../rules/rule.ts';
import { identityOf, UsageError } from '../shared.ts';

/** As commander delivers them. */
export interface TestFlags {
  readonly config?: string;
  readonly filter?: string;
  readonly output?: readonly string[];
  readonly record?: string;
  readonly force?: boolean;
  readonly state?: readonly string[];
  readonly deleted?: readonly string[];
  readonly as?: string;
  readonly asGroup?: readonly string[];
  readonly schema?: boolean;
}

export interface RecordOptions {
  /** The suite to write; `-`: standard output. */
  readonly suite: string;
  readonly force: boolean;
  /** Manifests, or AdmissionReviews. */
  readonly paths: readonly string[];
  readonly deleted: readonly string[];
  readonly state: readonly string[];
  readonly config: string | undefined;
  readonly identity: Identity | undefined;
}

/** Refuses paths and filters that can't be meant. @throws UsageError */
export function checkPaths(paths: readonly string[], { filter }: TestFlags): void {
  if (paths.includes('')) throw new UsageError('a path is empty: name a suite or a folder');
  if (paths.includes('-'))
    throw new UsageError('a suite is read from a file, because it may refer to others: not from "-"');
  if (filter === '') throw new UsageError('--filter is empty: give a part of the names of tests');
}

/** Returns what to record, and where. @throws UsageError */
export function recordOptions(paths: readonly string[], flags: TestFlags, suite: string): RecordOptions {
  const { state = [], deleted = [], force = false, config, as: username, asGroup = [] } = flags;
  const all = [...paths, ...deleted, ...state];
  if (paths.length + deleted.length === 0)
    throw new UsageError('nothing to record: name manifests, "-" for standard input, or --deleted PATH');
  if (all.includes('')) throw new UsageError('a path is empty: name a file, a folder, or "-"');
  if (all.filter((path) => path === '-').length > 1)
    throw new UsageError('"-" (standard input) can be named once only');
  if (username === '') throw new UsageError('--as needs a user name');
  if (username === undefined && asGroup.length > 0) throw new UsageError('--as-group needs --as USER');
  const identity = username === undefined ? undefined : identityOf(username, asGroup);
  return { suite, force, paths, deleted, state, config, identity };
}
