/** Access to the files around the named ones, for the recognition of layouts: the working tree here, a revision in `check/git`. */
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';

/** Files by path. Paths have one form each, and `dirname` leads from each to the root. */
export interface Tree {
  /** Returns the path of a file in the form of this tree. */
  pathOf(file: string): string;
  /** Returns a path as reports show it. */
  nameOf(path: string): string;
  hasFile(path: string): boolean;
  /** Returns the text of a file; undefined if it can't be read. */
  read(path: string): string | undefined;
  /** Returns whether the folders above belong to no repository, or to another one. */
  isTop(folder: string): boolean;
  /** Returns whether a folder belongs to a repository at all. */
  isInRepository(folder: string): boolean;
}

/** No file that lists others is larger (bytes). */
const LONGEST = 4 * 2 ** 20;

/**
 * Returns the working tree. Its paths are absolute, without links to folders.
 * @param sample one of the user's paths: folders are shown absolutely if this one is absolute
 */
export function workingTree(sample: string): Tree {
  const folders = new Map<string, string>();
  const realFolder = (folder: string): string => {
    const known = folders.get(folder);
    if (known !== undefined) return known;
    const real = realOf(folder);
    folders.set(folder, real);
    return real;
  };
  const repositories = new Map<string, boolean>();
  const isTop = (folder: string) => statOf(join(folder, '.git')) !== undefined;
  const isInRepository = (folder: string): boolean => {
    const known = repositories.get(folder);
    if (known !== undefined) return known;
    const parent = dirname(folder);
    const isIn = isTop(folder) || (parent !== folder && isInRepository(parent));
    repositories.set(folder, isIn);
    return isIn;
  };
  const current = realOf(resolve('.'));
  return {
    pathOf: (file) => join(realFolder(dirname(resolve(file))), basename(file)),
    nameOf: (path) => (isAbsolute(sample) ? path : relative(current, path) || '.'),
    hasFile: (path) => statOf(path)?.isFile() === true,
    read: (path) => {
      const stat = statOf(path);
      return stat?.isFile() && stat.size <= LONGEST ? textOf(path) : undefined;
    },
    isTop,
    isInRepository,
  };
}

function statOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Returns a path without links; as it is if it does not resolve. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
