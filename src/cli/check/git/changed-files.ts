/** Lists the files of a revision, and those that differ in the working tree. */
import { isManifestPath } from '../../../cluster/files/walk.ts';
import { gitOutput, parts } from './process.ts';
import type { Repository } from './repository.ts';

export interface BaseFile {
  /** Within the repository. What is not UTF-8 is U+FFFD, as in names of the file system. */
  readonly path: string;
  /** The path as git has it: each character is a byte. */
  readonly bytes: string;
  /** A symbolic `link`, or a sub`module`. */
  readonly kind: 'file' | 'link' | 'module';
}

/** Lists all files of the revision. */
export async function filesAt({ git, commit }: Repository): Promise<BaseFile[]> {
  const list = await gitOutput(git, ['ls-tree', '-r', '-z', '--full-tree', commit]);
  return parts(list, 'latin1').map(baseFile);
}

/** `MODE TYPE ID<tab>PATH` */
function baseFile(entry: string): BaseFile {
  const tab = entry.indexOf('\t');
  const [mode = '', type = ''] = entry.slice(0, tab).split(' ');
  const kind = type === 'commit' ? 'module' : mode === '120000' ? 'link' : 'file';
  const bytes = entry.slice(tab + 1);
  return { path: Buffer.from(bytes, 'latin1').toString('utf8'), bytes, kind };
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

/**
 * Lists the differences between the revision and the working tree, in the whole repository, without untracked files. Of
 * a submodule only the commit is compared: for its files git would start itself with the configuration there.
 */
export async function changesSince({ git, commit }: Repository): Promise<ReadonlySet<string>> {
  const options = ['--name-only', '-z', '--no-renames', '--no-ext-diff', '--no-color', '--no-relative'];
  return new Set(parts(await gitOutput(git, ['diff', ...options, '--ignore-submodules=dirty', commit, '--'])));
}

/** Lists files of the working tree that git neither tracks nor ignores. */
export async function untracked({ git }: Repository): Promise<string[]> {
  return parts(await gitOutput(git, ['ls-files', '--others', '--exclude-standard', '-z']));
}
