/** Access to the files on the disk around the named ones, to recognize layouts. */
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { getOrInsert } from '../../base/collections.ts';
import {
  checkoutSearch,
  errorAbout,
  isInside,
  realPathOf,
  statOf,
  type TextRead,
  textOfFile,
} from '../../documents/files.ts';
import type { SourceError } from '../../documents/index.ts';

/** The most MiB of a description. */
const LONGEST_MIB = 4;
const TOO_LONG = `it is larger than ${LONGEST_MIB} MiB, so muster can't tell what it describes: shorten it`;

/** Files by path. Each file has one path only, from which `dirname` leads to the root. */
export interface Tree {
  /** Returns the path of a file in this tree. */
  pathOf(file: string): string;
  /** Returns the path of a folder in this tree. */
  folderAt(folder: string): string;
  /** Returns a path as reports show it. */
  nameOf(path: string): string;
  /** Returns the text of a file that describes a layout, or why it has none; undefined if there is no such file. */
  read(path: string): TextRead | undefined;
  /** Returns what is at a path. A link is followed within the repository and the named folders only. Never throws. */
  typeOf(path: string): 'file' | 'folder' | undefined;
  /** Returns the top folder of the repository that a folder belongs to; undefined if there is none. */
  repositoryOf(folder: string): string | undefined;
  /** Why descriptions can't be read, so that their layouts are not known, by the paths of their files. */
  readonly broken: Map<string, readonly SourceError[]>;
}

/**
 * Returns the working tree. Its paths are absolute, without links to folders. A link to a description is followed only
 * within the repository or the named folders, and special files are not read.
 * @param sample one of the user's paths: if it is absolute, reports show absolute paths
 * @param roots the folders that were named
 * @param nameBy returns how reports show a path; by default by `sample`
 */
export function workingTree(sample: string, roots: readonly string[] = [], nameBy?: (path: string) => string): Tree {
  const realFolders = new Map<string, string>();
  const realFolder = (folder: string) => getOrInsert(realFolders, folder, () => realPathOf(folder));
  const repositoryOf = checkoutSearch();
  const current = realPathOf(resolve('.'));
  const nameOf = nameBy ?? ((path) => (isAbsolute(sample) ? path : relative(current, path) || '.'));
  const named = roots.map((root) => realFolder(resolve(root)));
  const mayRead = (path: string, real: string) => {
    const repository = repositoryOf(dirname(path));
    const isOwn = repository !== undefined && repository === repositoryOf(dirname(real));
    return real === path || isOwn || named.some((root) => isInside(real, root));
  };
  /** Returns the file or folder that a path leads to, unless it must not be read. */
  const entryAt = (path: string) => {
    const real = realPathOf(path);
    const stat = statOf(real);
    return stat && mayRead(path, real) ? { real, stat } : undefined;
  };
  return {
    pathOf: (file) => join(realFolder(dirname(resolve(file))), basename(file)),
    folderAt: (folder) => realFolder(resolve(folder)),
    nameOf,
    read(path) {
      const entry = entryAt(path);
      if (!entry?.stat.isFile()) return undefined;
      if (entry.stat.size > LONGEST_MIB * 2 ** 20) return errorAbout(nameOf(path), TOO_LONG);
      // That it can't be read is reported when its documents are read.
      const text = textOfFile(entry.real);
      return text === undefined ? undefined : { text };
    },
    typeOf(path) {
      const stat = entryAt(path)?.stat;
      return stat?.isFile() ? 'file' : stat?.isDirectory() ? 'folder' : undefined;
    },
    repositoryOf,
    broken: new Map(),
  };
}
