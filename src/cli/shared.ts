/** What several commands share: failures, configuration, clients, signals, standard input, identity and version. */
import about from '../../package.json' with { type: 'json' };
import { escapeControls } from '../base/text.ts';
import { TOO_MANY_FILES, UsageError } from '../base/usage-error.ts';
import type { AccessFlags } from '../cluster/live/access-source.ts';
import type { ApiClient } from '../cluster/live/client.ts';
import type { LoadedConfiguration } from '../config/load.ts';
import type { FailOn } from '../report/report.ts';
import type { Identity } from '../rules/rule.ts';

/** The flags of `check` and `scan` on their report. */
export interface ReportFlags {
  readonly config?: string;
  readonly failOn: FailOn;
  readonly failOnNoMatch?: boolean;
  readonly verbose?: boolean;
  /** Whether notes on what the run could not find are left out. */
  readonly quiet?: boolean;
  readonly baseline?: string;
  readonly output?: readonly string[];
}

/**
 * Reports why a command failed, on standard error, and sets exit code 2. An error that the user can fix is one line;
 * any other error is a bug and is shown with its stack.
 * @param more returns what is written behind a message
 */
export function reportFailure(error: unknown, more = (_message: string) => ''): void {
  process.exitCode = 2;
  const report = (message: string) => process.stderr.write(`error: ${message}${more(message)}\n`);
  if (error instanceof UsageError) report(escapeControls(error.message));
  else if (isFolderGone(error)) report('the current folder was deleted: cd to one that exists');
  else if (isOutOfFiles(error)) report(TOO_MANY_FILES);
  else if (isConfigError(error)) for (const problem of error.problems) report(problem);
  else process.stderr.write(`error: a bug in muster: ${error instanceof Error ? (error.stack ?? error) : error}\n`);
}

/** Returns whether `process.cwd()` failed, which many functions call. */
function isFolderGone(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd';
}

/** Returns whether the process, or the machine, may open no more files. */
function isOutOfFiles(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE');
}

/** Checks the shape, since importing the class would load the configuration's schema with every command. */
function isConfigError(error: unknown): error is Error & { readonly problems: readonly string[] } {
  return error instanceof Error && error.name === 'ConfigError' && 'problems' in error;
}

/**
 * Loads the configuration of `--config`; its warnings go to standard error. Undefined without a file.
 * @throws ConfigError
 */
export async function loadSettings(file: string | undefined): Promise<LoadedConfiguration | undefined> {
  if (file === undefined) return undefined;
  const [{ loadConfiguration }, { ruleIds }] = await Promise.all([
    import('../config/load.ts'),
    import('../rules/index.ts'),
  ]);
  const loaded = await loadConfiguration(file, ruleIds, Date.now());
  for (const warning of loaded.warnings) process.stderr.write(`warning: ${warning}\n`);
  return loaded;
}

/**
 * Opens a client of the cluster that the flags name, without a call to it.
 * @throws UsageError for a kubeconfig that can't be used
 */
export async function openClient(flags: AccessFlags): Promise<ApiClient> {
  const [{ openCluster }, { ClusterError }] = await Promise.all([
    import('../cluster/live/client.ts'),
    import('../cluster/live/errors.ts'),
  ]);
  try {
    return await openCluster(flags);
  } catch (error) {
    throw error instanceof ClusterError ? new UsageError(error.message) : error;
  }
}

/** Returns a signal that SIGINT and SIGTERM abort. The second of the same kind ends the process. */
export function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
  return stop.signal;
}

/** Reads standard input to its end. Rejects as soon as it is larger than a file may be. */
export async function readStdin(): Promise<Uint8Array> {
  const { Pieces } = await import('../documents/files.ts');
  const pieces = new Pieces();
  // Leaving the loop closes the stream, so that an endless writer stops.
  for await (const chunk of process.stdin) pieces.add(chunk as Uint8Array);
  return pieces.whole();
}

/** Returns the identity of a named user as webhooks get it: with the groups that the API server itself adds. */
export function identityOf(username: string, named: readonly string[] = []): Identity {
  const groups = new Set(named);
  if (username !== 'system:anonymous') groups.add('system:authenticated');
  const account = /^system:serviceaccount:([^:]+):[^:]+$/.exec(username);
  if (account) groups.add('system:serviceaccounts').add(`system:serviceaccounts:${account[1]}`);
  return { username, groups: [...groups] };
}

/** Returns the identity of `--as` and `--as-group`; undefined without a user. */
export function identityIn(username: string | undefined, groups?: readonly string[]): Identity | undefined {
  return username === undefined ? undefined : identityOf(username, groups);
}

/** Throws UsageError for an empty path, and for standard input named twice. */
export function refuseUnclearInput(paths: readonly string[]): void {
  if (paths.includes('')) throw new UsageError('a path is empty: name a file, a folder, or "-"');
  if (paths.filter((path) => path === '-' || path.endsWith('=-')).length > 1)
    throw new UsageError('"-" (standard input) can be named once only');
}

/** Returns the version of the package. */
export function version(): string {
  return about.version;
}
