/**
 * Runs `check --watch`: again whenever a named file changes, until the user stops it. `src/watch` reads a few known
 * files whole at each look; here files come and go, and there may be thousands, so a look only compares their stat.
 */

import { statSync } from 'node:fs';
import { basename, dirname, relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { counted } from '../../base/text.ts';
import { UsageError } from '../../base/usage-error.ts';
import { textOfFile } from '../../documents/files.ts';
import { type ClusterFlags, type ClusterRequest, otherPaths } from '../../input/clusters/request.ts';
import { CHART_NAME } from '../../input/layouts/chart.ts';
import { DESCRIPTION_NAMES } from '../../input/layouts/layout.ts';
import { filesUnder } from '../../input/walk.ts';
import { parseOutputs } from '../../report/emit.ts';
import { REPORT_FORMATS } from '../../report/formats.ts';
import { reportFailure, stopSignal } from '../shared.ts';

/** Clears the screen and its history, so that an old finding is not taken for a new one. */
const CLEAR = '\u001b[2J\u001b[3J\u001b[H';
/** Files are looked at this often, in ms: not every file system reports changes. */
const POLL_MS = 1000;
/** Milliseconds for which a changed file must stay the same before it counts: editors write in pieces. */
const SETTLE_MS = 100;

/** A run whose configuration is loaded. */
export interface Prepared {
  /** The clusters of the run, which the configuration may name. */
  readonly clusters: ClusterRequest | undefined;
  readonly check: () => Promise<void>;
}

/**
 * Checks at once and after each change until SIGINT or SIGTERM.
 * @throws UsageError if standard input is named
 */
export async function watchCheck(
  paths: readonly string[],
  flags: Pick<ClusterFlags, 'config' | 'deleted' | 'state'> & { readonly output?: readonly string[] },
  prepare: () => Promise<Prepared>,
): Promise<void> {
  const { config, deleted = [], state = [] } = flags;
  let named: readonly string[] = [...paths, ...deleted, ...state, ...(config === undefined ? [] : [config])];
  if (named.some((path) => path === '-' || path.endsWith('=-')))
    throw new UsageError("standard input can't be watched: name files or folders with --watch");
  // Reports that the run itself writes are left out: watching them would never end.
  const outputs = parseOutputs(flags.output, REPORT_FORMATS);
  const written = new Set(outputs.flatMap(({ file }) => (file === undefined ? [] : resolve(file))));
  const signal = stopSignal();
  const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => {});
  // The exit code of a run that is stopped before the first result.
  process.exitCode = 2;
  let last: string | undefined;
  for (; !signal.aborted; await pause(POLL_MS)) {
    let { key, count } = snapshotOf(named, written);
    if (key === last) continue;
    if (last !== undefined) {
      await pause(SETTLE_MS);
      if (snapshotOf(named, written).key !== key) continue;
    }
    if (process.stdout.isTTY) process.stdout.write(CLEAR);
    // A failure, such as a broken configuration, is reported; the next change tries again.
    const prepared = await prepare().catch(reportFailure);
    if (prepared?.clusters) {
      named = pathsOf(prepared.clusters);
      ({ key, count } = snapshotOf(named, written));
    }
    // The snapshot is from before the check, so that a change during the check starts another one.
    last = key;
    await prepared?.check().catch(reportFailure);
    process.stderr.write(`watching ${counted(count, 'file')}; Ctrl-C ends, with exit code ${process.exitCode}\n`);
  }
}

/** Returns what to watch for clusters: the folders in which globs look for them, too, where a new one may appear. */
function pathsOf(request: ClusterRequest): readonly string[] {
  const { named, globs } = request;
  return [...named.map(({ path }) => path), ...globs.map(({ base }) => base), ...otherPaths(request)];
}

/** Returns a text that differs if anything was written, added, removed or replaced, and the number of files. */
function snapshotOf(named: readonly string[], written: ReadonlySet<string>): { key: string; count: number } {
  const { files, problems } = filesUnder(named);
  const all = new Set([...files, ...files.flatMap(filesReadBy)]);
  const watched = [...all].filter((file) => !written.has(resolve(file)));
  const lines = [...watched.map(stampOf), ...problems.map(({ file, message }) => `${file}: ${message}`)];
  return { key: lines.join('\n'), count: watched.length };
}

/** Returns the files that a chart or a kustomization reads, whatever their names; for other files, none. */
function filesReadBy(description: string): readonly string[] {
  const folder = dirname(description);
  const name = basename(description);
  if (!DESCRIPTION_NAMES.includes(name)) return [];
  const { files } = filesUnder([folder], undefined, () => true);
  if (name === CHART_NAME) return files.filter((file) => /^(templates|crds|charts)\b/.test(relative(folder, file)));
  const text = textOfFile(description) ?? '';
  return files.filter((file) => text.includes(basename(file)));
}

/** Returns a text that differs once a file is changed. The check reports why a file can't be read. */
function stampOf(file: string): string {
  try {
    // The mode, since a file that could not be read may be readable now.
    const { ino, size, mtimeNs, mode } = statSync(file, { bigint: true });
    return `${file} ${ino} ${size} ${mtimeNs} ${mode}`;
  } catch {
    return `${file} gone`;
  }
}
