/** Runs `check --watch`: again whenever a named file changes, until the user stops it. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { filesUnder } from '../../cluster/files/walk.ts';
import { reportFailure, UsageError } from '../shared.ts';
import type { CheckOptions } from './options.ts';

/** Clears the screen and its history, so that an old finding is not taken for a new one. */
const CLEAR = '\u001b[2J\u001b[3J\u001b[H';
/** Files are looked at this often, in ms: not every file system reports changes. */
const POLL_MS = 1000;
/** A changed file counts once it stays the same for so long: editors write in pieces. */
const SETTLE_MS = 100;

/** Checks at once and after each change until SIGINT or SIGTERM. Throws UsageError if standard input is named. */
export async function watchCheck(options: CheckOptions, check: () => Promise<void>): Promise<void> {
  const { paths, deleted, state = [], config, outputs } = options;
  const named = [...paths, ...deleted, ...state, ...(config === undefined ? [] : [config])];
  if (named.includes('-')) throw new UsageError("standard input can't be watched: name files or folders with --watch");
  const written = new Set(outputs.flatMap(({ file }) => (file === undefined ? [] : resolve(file))));
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  // The exit code if it is stopped before the first result.
  process.exitCode = 2;
  await watchFiles(() => snapshotOf(named, written), check, stop.signal);
}

/** The state of the files: the text differs if anything was written, added, removed or replaced. */
export interface Snapshot {
  readonly key: string;
  readonly count: number;
}

/** Calls `check` for each new snapshot that is stable, one call at a time. Ends with the signal. */
export async function watchFiles(look: () => Snapshot, check: () => Promise<void>, signal: AbortSignal): Promise<void> {
  let last: string | undefined;
  while (!signal.aborted) {
    const { key, count } = look();
    if (key !== last) {
      if (last !== undefined) {
        await pause(SETTLE_MS, signal);
        if (look().key !== key) continue;
      }
      // Taken before the check: a change during it is another change.
      last = key;
      await checkAndContinue(check, count);
    }
    await pause(POLL_MS, signal);
  }
}

/** Reports a failure, such as a broken configuration, and goes on: the next change tries again. */
async function checkAndContinue(check: () => Promise<void>, count: number): Promise<void> {
  if (process.stdout.isTTY) process.stdout.write(CLEAR);
  await check().catch(reportFailure);
  const files = `${count} ${count === 1 ? 'file' : 'files'}`;
  process.stderr.write(`watching ${files}; Ctrl-C ends, with exit code ${process.exitCode}\n`);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}

/** Reports that the run itself writes are left out: watching them would never end. */
function snapshotOf(named: readonly string[], written: ReadonlySet<string>): Snapshot {
  const { files, problems } = filesUnder(named);
  const watched = files.filter((file) => !written.has(resolve(file)));
  const lines = [
    ...watched.map((file) => `${file} ${stampOf(file)}`),
    ...problems.map(({ path, message }) => `${path}: ${message}`),
  ];
  return { key: lines.join('\n'), count: watched.length };
}

/** A file that can't be looked at has no stamp; the check reports why. */
function stampOf(file: string): string {
  try {
    const stat = statSync(file, { bigint: true });
    return `${stat.ino} ${stat.size} ${stat.mtimeNs}`;
  } catch {
    return 'gone';
  }
}
