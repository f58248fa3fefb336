/** Which files are watched, and when they count as changed. */
import { type BigIntStats, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { filesUnder } from '../../cluster/files/walk.ts';
import { type FolderWatch, moment, watchFolders } from '../../watch/folders.ts';

export interface Watched {
  /** Files and folders, as the command line names them. */
  readonly named: readonly string[];
  /** Reports that a run writes, perhaps among the files it reads: to watch them would never end. */
  readonly written: readonly string[];
}

export interface WatchFilesOptions {
  /** Milliseconds between looks in any case: not every file system tells of changes, nor of those in a new folder. Default: 2 s. */
  readonly pollMs?: number;
  /** For how long files have to stay as they are to count: they are seen half-written. Default: 100 ms. */
  readonly settle?: () => Promise<unknown>;
}

/** More than these are left to the looks at intervals; each costs the system a watch. */
const MOST_FOLDERS = 500;

/**
 * Calls `run` at once, and after each change; never twice at a time, and once for a burst. Keeps no process alive.
 * @param run is told how many files there are; must not reject
 */
export function watchFiles(
  watched: Watched,
  run: (count: number) => Promise<void>,
  { pollMs = 2000, settle = moment }: WatchFilesOptions = {},
): { close(): void } {
  let last: string | undefined;
  let folders: string | undefined;
  let watch: FolderWatch | undefined;
  let isClosed = false;

  async function look(): Promise<'again' | undefined> {
    const seen = lookAt(watched);
    if (seen.key !== last) {
      if (last !== undefined) {
        await settle();
        if (lookAt(watched).key !== seen.key) return 'again';
      }
      if (isClosed) return undefined;
      // As it was before the run: what changes meanwhile is another change.
      last = seen.key;
      await run(seen.count);
    }
    if (seen.folderKey !== folders && !isClosed) {
      folders = seen.folderKey;
      watch?.close();
      watch = watchFolders(seen.folders, look, { pollMs, settle });
    }
    return undefined;
  }

  void look();
  return {
    close() {
      isClosed = true;
      watch?.close();
    },
  };
}

interface Seen {
  /** Differs when anything was written, added, taken away or put in another's place. */
  readonly key: string;
  readonly count: number;
  readonly folders: readonly string[];
  /** A folder that was made anew is another one: the watch on the old one is deaf. */
  readonly folderKey: string;
}

function lookAt({ named, written }: Watched): Seen {
  const without = new Set(written.map((file) => resolve(file)));
  const { files, problems } = filesUnder(named);
  const paths = files.map((file) => resolve(file)).filter((path) => !without.has(path));
  const places = new Set([...named.flatMap((path) => [resolve(path), dirname(resolve(path))]), ...paths.map(dirname)]);
  const folders = [...places].filter((place) => stats(place)?.isDirectory()).slice(0, MOST_FOLDERS);
  const troubles = problems.map(({ path, message }) => `${path}: ${message}`);
  return {
    key: [...paths.map((path) => `${path} ${stampOf(stats(path))}`), ...troubles].join('\n'),
    count: paths.length,
    folders,
    folderKey: folders.map((folder) => `${folder} ${stats(folder)?.ino}`).join('\n'),
  };
}

function stampOf(found: BigIntStats | undefined): string {
  return found === undefined ? 'gone' : `${found.ino} ${found.size} ${found.mtimeNs}`;
}

/** Undefined: nothing is there, or nothing that we may see. The run says which. */
function stats(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
