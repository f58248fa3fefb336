/** Lists the files of a revision, and those that differ in the working tree. */
import { join } from 'node:path';
import { ancestorsOf, isThere } from '../../documents/files.ts';
import { isManifestPath } from '../walk.ts';
import { gitOutput, parts } from './process.ts';
import type { Repository } from './repository.ts';

export interface RevisionFile {
  /** Within the repository. Bytes that are not UTF-8 are U+FFFD, as in names of the file system. */
  readonly path: string;
  /** The path as git has it: each character is a byte. */
  readonly bytes: string;
  /** `link` is a symbolic link, `module` a submodule. */
  readonly kind: 'file' | 'link' | 'module';
}

/** All files of a revision. Paths are within the repository, with `/`. */
export interface RevisionFiles {
  readonly all: readonly RevisionFile[];
  /** The paths that differ between the revision and the working tree. Untracked files are not among them. */
  readonly changes: ReadonlySet<string>;
  /** Returns whether the revision has a file or a folder at a path; `''` is its top. */
  has(path: string): boolean;
  /** Returns whether a file is in the working tree, unchanged. */
  isUnchanged(path: string): boolean;
  /** Returns whether a file is unchanged, but not checked out, as in a sparse checkout. */
  isOmitted(path: string): boolean;
  /** Returns a path as reports show it: `REF:path`. */
  nameOf(path: string): string;
  /** Returns the path of such a name. */
  pathOf(name: string): string;
}

/** Lists the files of the revision, and compares them with the working tree. */
export async function listFiles(repository: Repository): Promise<RevisionFiles> {
  const { top, ref } = repository;
  const [all, changes] = await Promise.all([filesAt(repository), changesSince(repository)]);
  const known = new Set(all.flatMap(({ path }) => ancestorsOf(path)));
  const files = new Set(all.map(({ path }) => path));
  return {
    all,
    changes,
    has: (path) => path === '' || known.has(path),
    isUnchanged: (path) => !changes.has(path) && isThere(join(top, path)),
    isOmitted: (path) => files.has(path) && !changes.has(path) && !isThere(join(top, path)),
    nameOf: (path) => `${ref}:${path}`,
    pathOf: (name) => name.slice(ref.length + 1),
  };
}

async function filesAt({ git, commit }: Repository): Promise<RevisionFile[]> {
  const list = await gitOutput(git, ['ls-tree', '-r', '-z', '--full-tree', commit]);
  return parts(list, 'latin1').map(revisionFile);
}

/** `MODE TYPE ID<tab>PATH` */
function revisionFile(entry: string): RevisionFile {
  const tab = entry.indexOf('\t');
  const [mode = '', type = ''] = entry.slice(0, tab).split(' ');
  const kind = type === 'commit' ? 'module' : mode === '120000' ? 'link' : 'file';
  const bytes = entry.slice(tab + 1);
  return { path: Buffer.from(bytes, 'latin1').toString('utf8'), bytes, kind };
}

/**
 * Lists the differences between the revision and the working tree, in the whole repository, without untracked files. Of
 * a submodule only the commit is compared: for its files git would start itself with the configuration there.
 */
async function changesSince({ git, commit }: Repository): Promise<ReadonlySet<string>> {
  const options = ['--name-only', '-z', '--no-renames', '--no-ext-diff', '--no-color', '--no-relative'];
  return new Set(parts(await gitOutput(git, ['diff', ...options, '--ignore-submodules=dirty', commit, '--'])));
}

/** Lists the submodules of the working tree. */
export async function modulesNow({ git }: Repository): Promise<string[]> {
  const entries = parts(await gitOutput(git, ['ls-files', '--stage', '-z']));
  // `160000 ID STAGE<tab>PATH`
  return entries.flatMap((entry) => (entry.startsWith('160000 ') ? entry.slice(entry.indexOf('\t') + 1) : []));
}

/** Lists files of the working tree that git neither tracks nor ignores. */
export async function untracked({ git }: Repository): Promise<string[]> {
  return parts(await gitOutput(git, ['ls-files', '--others', '--exclude-standard', '-z']));
}

/** Returns a test for files under the named paths: named itself, or a manifest in a named folder. */
export function namedBy(named: readonly string[]): (path: string, isFolder?: boolean) => boolean {
  const exact = new Set(named);
  return (path, isFolder = false) => {
    if (exact.has(path) || (exact.has('') && (isFolder || isManifestPath(path)))) return true;
    for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) {
      if (exact.has(path.slice(0, end)) && (isFolder || isManifestPath(path.slice(end + 1)))) return true;
    }
    return false;
  };
}
