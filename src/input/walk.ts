/**
 * Finds the files of paths: a file itself, and in a folder all `.yaml`, `.yml`, `.json` and `Kustomization`, by name.
 * Links to folders are not followed; links to files only within bounds, so that a foreign manifest can't make a check
 * read the rest of the machine.
 */
import { type Dirent, existsSync, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import {
  checkoutAround,
  errorAbout,
  isFolder,
  isInside,
  isLinkedAbsolutely,
  realPathOf,
  reasonOf,
} from '../documents/files.ts';
import type { SourceError } from '../documents/index.ts';

interface FoundFiles {
  /** In order, each once; `-` is standard input. */
  readonly files: readonly string[];
  /** Which of the paths are folders. */
  readonly folders: readonly string[];
  readonly problems: readonly SourceError[];
  /** Folders that are not walked, each with the reason. */
  readonly leftOut: readonly SourceError[];
}

/** Returns what may be wrong with a path that does not exist, as it was typed. */
function hintFor(path: string): string {
  if (/[\u2018-\u201f]/.test(path)) return '; it has typographic quotes: write straight ones';
  return /[*?]/.test(path) ? '; no shell has expanded its wildcard: name the folder, or leave out the quotes' : '';
}

/**
 * Finds the files. Never throws.
 * @param bounds the folder that links to files may not leave; by default a link ends in one of the paths
 * @param isWanted returns whether a file of a folder is wanted, by its name; by default, if it may be a manifest
 */
export function filesUnder(paths: readonly string[], bounds?: string, isWanted = isManifest): FoundFiles {
  /** The paths as they were found, by their real paths. */
  const files = new Map<string, string>();
  const problems: SourceError[] = [];
  const leftOut: SourceError[] = [];
  const roots = (bounds === undefined ? paths : [bounds]).map(realPathOf);
  const folders: string[] = [];

  function add(path: string, real: string): void {
    if (!files.has(real)) files.set(real, path);
  }
  function attempt(path: string, visit: () => void): void {
    try {
      visit();
    } catch (error) {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      problems.push(errorAbout(path, `can't read it: ${reasonOf(error)}${isMissing ? hintFor(path) : ''}`));
    }
  }
  function visitFolder(folder: string, realFolder: string): void {
    const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
    // The files of a mounted ConfigMap are found first by the links beside its folder, which have the user's names.
    const mounted = mountedIn(folder, entries);
    const ordered = mounted ? [...entries.filter((entry) => entry !== mounted), mounted] : entries;
    for (const entry of ordered) {
      const path = join(folder, entry.name);
      attempt(path, () => visitEntry(entry, path, join(realFolder, entry.name)));
    }
  }
  function visitEntry(entry: Dirent, path: string, realPlace: string): void {
    const isDirectory = entry.isDirectory();
    if (isDirectory && SKIPPED.has(entry.name)) leftOut.push(errorAbout(path, SKIPPED.get(entry.name) ?? ''));
    else if ((isDirectory || isWanted(entry.name)) && !isUtf8(entry.name)) problems.push(errorAbout(path, NOT_UTF8));
    else if (isDirectory) visitFolder(path, realPlace);
    else if (entry.isFile() && isWanted(entry.name)) add(path, realPlace);
    else if (entry.isSymbolicLink() && isEditorLock(path)) leftOut.push(errorAbout(path, EDITOR_LOCK));
    else if (isWanted(entry.name)) visitOther(path, realPlace);
    else if (entry.isSymbolicLink() && isFolder(path)) leftOut.push(errorAbout(path, FOLDER_LINK));
  }
  function visitOther(path: string, realPlace: string): void {
    const stat = statSync(path);
    if (stat.isDirectory()) {
      leftOut.push(errorAbout(path, FOLDER_LINK));
      return;
    }
    const real = realpathSync(path);
    const top = checkoutAround(dirname(realPlace));
    if (!isInBounds(real)) problems.push(errorAbout(path, isOutside(bounds)));
    else if (top !== undefined && isLinkedAbsolutely(realPlace, top)) problems.push(errorAbout(path, ABSOLUTE_LINK));
    else if (stat.isFile()) add(path, real);
    else problems.push(errorAbout(path, 'is neither a file nor a folder'));
  }
  function isInBounds(real: string): boolean {
    return roots.some((root) => isInside(real, root));
  }

  for (const path of paths) {
    attempt(path, () => {
      if (!isUtf8(path)) problems.push(errorAbout(path, NOT_UTF8));
      else if (bounds !== undefined && !isInBounds(realpathSync(path)))
        problems.push(errorAbout(path, isOutside(bounds)));
      else if (path !== '-' && statSync(path).isDirectory()) {
        folders.push(path);
        visitFolder(path, realpathSync(path));
      } else add(path, path === '-' ? path : realPathOf(path));
    });
  }
  return { files: [...files.values()], folders, problems, leftOut };
}

/** Returns false if the name has U+FFFD: Node reads bytes that are not UTF-8 so, and several files may share a name. */
function isUtf8(name: string): boolean {
  return !name.includes('\ufffd');
}

const EDITOR_LOCK = 'it is the lock of an editor';
const FOLDER_LINK = 'links to folders are not followed';
/** At another revision or on another machine, the link would lead nowhere. */
const ABSOLUTE_LINK = 'is a link to an absolute path, which leads elsewhere in another checkout: make it relative';
const NOT_UTF8 = 'its name is not UTF-8, or has U+FFFD in it: rename it';

function isOutside(bounds: string | undefined): string {
  if (bounds !== undefined) return 'is a link that leads out of the repository';
  return 'is a link that leads out of the named paths: name its target too, or remove it';
}

/** Returns whether Emacs has made a link while a file has unsaved changes: it leads to the name of a process. */
function isEditorLock(path: string): boolean {
  const isNamedSo = basename(path).startsWith('.#') && /^[^/]+@[^/]+\.\d+(:\d+)?$/.test(readlinkSync(path));
  return isNamedSo && !existsSync(path);
}

/**
 * Returns the folder that `..data` links to, where a ConfigMap or a Secret is mounted: kubelet replaces it as a whole.
 */
function mountedIn(folder: string, entries: readonly Dirent[]): Dirent | undefined {
  const data = entries.find((entry) => entry.name === '..data');
  if (!data?.isSymbolicLink()) return undefined;
  const target = readlinkSync(join(folder, data.name));
  return entries.find((entry) => entry.name === target && entry.isDirectory());
}

/** Returns whether a walk of a folder would find the file at this path in it, written with `/`. */
export function isManifestPath(path: string): boolean {
  const [name = '', ...folders] = path.split('/').reverse();
  return isManifest(name) && !folders.some((folder) => SKIPPED.has(folder));
}

/** Folders without manifests of the user, each with the reason why it is not walked. */
const SKIPPED: ReadonlyMap<string, string> = new Map([
  ['.git', 'it belongs to git'],
  ['node_modules', 'installed packages are not read'],
]);

function isManifest(name: string): boolean {
  return /\.(yaml|yml|json)$|^Kustomization$/.test(name);
}
