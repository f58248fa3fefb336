/** From the flags of `muster test` to a run or a recording: what commander can't check alone. */
import type { Option } from 'commander';
import type { Identity } from '../../rules/rule.ts';
import { type Output, parseOutputs } from '../output/emit.ts';
import { TEST_FORMATS } from '../output/formats.ts';
import { identityOf, UsageError } from '../shared.ts';
import { isSuite } from './find.ts';
import { SUFFIXES } from './suite.ts';

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

export interface TestOptions {
  readonly paths: readonly string[];
  readonly config: string | undefined;
  readonly filter: string | undefined;
  readonly outputs: readonly Output[];
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

const FOR_RECORDING = ['force', 'state', 'deleted', 'as', 'asGroup'];

/** Throws UsageError. */
export function testOptions(paths: readonly string[], flags: TestFlags): TestOptions {
  if (paths.includes('')) throw new UsageError('a path is empty: name a suite or a folder');
  if (paths.includes('-')) throw new UsageError('a suite is read from a file, for it may name others: "-" is none');
  if (flags.filter === '') throw new UsageError('--filter is empty: give a part of the names that are meant');
  const outputs = parseOutputs(flags.output, TEST_FORMATS);
  return { paths: paths.length === 0 ? ['.'] : paths, config: flags.config, filter: flags.filter, outputs };
}

/** Flags that mean nothing where suites are run were meant for something else. Throws UsageError. */
export function refuseRecordFlags(given: readonly Option[]): void {
  const stray = given.find((option) => FOR_RECORDING.includes(option.attributeName()));
  if (stray)
    throw new UsageError(`${stray.long} goes with --record only: a suite says itself what exists and who asks`);
}

/** Throws UsageError. */
export function recordOptions(paths: readonly string[], flags: TestFlags, suite: string): RecordOptions {
  const { state = [], deleted = [], force = false, config, as: username, asGroup = [] } = flags;
  const all = [...paths, ...deleted, ...state];
  if (paths.length + deleted.length === 0) {
    throw new UsageError('nothing to record: name manifests, "-" for standard input, or --deleted PATH');
  }
  if (suite !== '-' && !isSuite(suite)) {
    throw new UsageError(
      `--record ${suite}: a suite's file is called *${SUFFIXES[0]}, or muster test would not find it`,
    );
  }
  if (all.includes('')) throw new UsageError('a path is empty: name a file, a folder, or "-"');
  if (all.filter((path) => path === '-').length > 1) {
    throw new UsageError('"-" (standard input) can be named once only');
  }
  if (username === '') throw new UsageError('--as needs a user name');
  if (username === undefined && asGroup.length > 0) throw new UsageError('--as-group needs --as USER beside it');
  const identity = username === undefined ? undefined : identityOf(username, asGroup);
  return { suite, force, paths, deleted, state, config, identity };
}
