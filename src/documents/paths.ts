/** Tells where a path leads: into a folder, a git checkout, or behind links; and what is there. */
import { existsSync, lstatSync, readlinkSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/** Returns whether a path is the folder or lies in it. Both must be absolute and without links. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Returns a path and the folders around it, the nearest first; none for the root. */
export function ancestorsOf(path: string, separator = '/'): string[] {
  const found = [path];
  for (let end = path.lastIndexOf(separator); end > 0; end = path.lastIndexOf(separator, end - 1)) {
    found.push(path.slice(0, end));
  }
  return found;
}

/** Returns a search for the nearest folder that passes a test, from a folder upwards. It remembers its results. */
export function upwardSearch(isWanted: (folder: string) => boolean): (folder: string) => string | undefined {
  const known = new Map<string, string | undefined>();
  const search = (folder: string): string | undefined => {
    if (known.has(folder)) return known.get(folder);
    const parent = dirname(folder);
    const above = () => (parent === folder ? undefined : search(parent));
    const found = isWanted(folder) ? folder : above();
    known.set(folder, found);
    return found;
  };
  return search;
}

/**
 * Returns a search for the nearest folder with a `.git` entry. git refuses to track a path of that name, so no commit
 * can bring its own repository, as it can bring a bare one (`HEAD`, `config`, `objects`, `refs`).
 */
export function checkoutSearch(): (folder: string) => string | undefined {
  return upwardSearch((folder) => statOf(join(folder, '.git')) !== undefined);
}

/** Returns the nearest folder with a `.git` entry, from this one upwards. */
export function checkoutAround(folder: string): string | undefined {
  return checkoutSearch()(folder);
}

/** Returns whether a path in a folder leads through an absolute link. Its links must not form a circle. */
export function isLinkedAbsolutely(path: string, folder: string): boolean {
  const waiting = relative(folder, path).split(sep).reverse();
  let at = folder;
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const next = join(at, name);
    if (!lstatSync(next).isSymbolicLink()) at = next;
    else {
      const target = readlinkSync(next);
      if (isAbsolute(target)) return true;
      waiting.push(...target.split(sep).reverse());
    }
  }
  return false;
}

/** Returns whether a path is a folder, or a link to one. */
export function isFolder(path: string): boolean {
  return statOf(path)?.isDirectory() === true;
}

/** Returns a path without links; unchanged if it does not resolve. */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Returns an absolute path without links. If it does not exist, the links of the existing folders above it count. */
export function nearestRealPath(path: string): string {
  const parent = dirname(path);
  return existsSync(path) || parent === path ? realpathSync(path) : join(nearestRealPath(parent), basename(path));
}

/**
 * Returns the status of a path; undefined if nothing is there, or if it can't be determined, as with links that form a
 * circle. A read of the path then names the reason.
 */
export function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Returns whether a path exists, even as a link that leads nowhere, or without permission to read it. */
export function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOTDIR';
  }
}

/** Returns a path relative to a folder, with `/`; undefined if it lies outside. */
export function pathIn(folder: string, path: string): string | undefined {
  const inside = relative(folder, resolve(path));
  if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) return undefined;
  return inside.split(sep).join('/');
}
