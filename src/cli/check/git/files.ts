/** Which files a revision has, and which of them differ from the working tree. */
import { join } from 'node:path';
import { isManifestPath } from '../../../cluster/files/walk.ts';
import { gitOutput, parts } from './process.ts';
import { isAsRecorded, type Repository } from './repository.ts';

/** `link`: symbolic. `module`: the commit of a submodule. */
export type BaseKind = 'file' | 'link' | 'module';

export interface BaseFile {
  /** Within the repository. */
  readonly path: string;
  readonly kind: BaseKind;
  /** Of its content. */
  readonly id: string;
}

/** A file that is not as it was. */
export interface Change {
  readonly path: string;
  /** What it was; undefined: it was not there, or was no plain file. */
  readonly before: string | undefined;
  /** Whether it is still (or now) there, as a plain file. */
  readonly after: boolean;
}

/** More than this many paths are no argument list; then all files are listed. */
const MOST_ARGUMENTS = 500;

/** The files under the named paths (within the repository), as a walk through the working tree would meet them. */
export async function filesAt({ git, commit }: Repository, named: readonly string[]): Promise<BaseFile[]> {
  const whole = named.length > MOST_ARGUMENTS || named.includes('');
  const args = ['ls-tree', '-r', '-z', '--full-tree', commit, '--', ...(whole ? [] : named)];
  const isNamed = namedBy(named);
  const files = parts(await gitOutput(git, args)).map(baseFile);
  return files.filter(({ path, kind }) => isNamed(path, kind === 'module'));
}

/** Whether a file is under the named paths: itself named, or a manifest in a named folder. */
export function namedBy(named: readonly string[]): (path: string, isFolder?: boolean) => boolean {
  const exact = new Set(named);
  return (path, isFolder = false) => {
    const within = (folder: string) => path.slice(folder === '' ? 0 : folder.length + 1);
    const meets = (folder: string) => exact.has(folder) && (isFolder || isManifestPath(within(folder)));
    return exact.has(path) || foldersOf(path).some(meets);
  };
}

/** `a/b`, `a` and `''` of `a/b/c.yaml`. */
function foldersOf(path: string): string[] {
  const folders = [''];
  for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) folders.push(path.slice(0, end));
  return folders;
}

/**
 * What differs between the revision and the working tree, in the whole repository; without untracked files and submodules:
 * git would run itself in each of these, with the configuration that it has there.
 */
export async function changesSince({ git, commit }: Repository): Promise<ReadonlyMap<string, Change>> {
  const options = ['--raw', '-z', '--no-abbrev', '--no-renames', '--no-ext-diff', '--no-color', '--no-relative'];
  const output = await gitOutput(git, ['diff', ...options, '--ignore-submodules=all', commit, '--']);
  const changes = new Map<string, Change>();
  const fields = parts(output);
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [modes = '', modeAfter = '', before = ''] = (fields[index] ?? '').split(' ');
    const path = fields[index + 1] ?? '';
    const wasFile = modes.startsWith(':100');
    changes.set(path, { path, before: wasFile ? before : undefined, after: modeAfter.startsWith('100') });
  }
  return changes;
}

/** Files of the working tree that git does not know, but for those it is told to ignore. */
export async function untracked({ git }: Repository): Promise<string[]> {
  return parts(await gitOutput(git, ['ls-files', '--others', '--exclude-standard', '-z']));
}

/** Those of the submodules that are not as recorded: another commit, or changed files, in them or in submodules of theirs. */
export async function changedModules({ top }: Repository, files: readonly BaseFile[]): Promise<ReadonlySet<string>> {
  const changed = new Set<string>();
  for (const { path, kind, id } of files) {
    if (kind === 'module' && !(await isUnchanged(join(top, path), id))) changed.add(path);
  }
  return changed;
}

async function isUnchanged(folder: string, id: string): Promise<boolean> {
  return isAsRecorded(folder, id, async (repository) => {
    if ((await changesSince(repository)).size > 0 || (await untracked(repository)).length > 0) return false;
    return (await changedModules(repository, await filesAt(repository, ['']))).size === 0;
  });
}

/** `MODE TYPE ID<tab>PATH` */
function baseFile(entry: string): BaseFile {
  const tab = entry.indexOf('\t');
  const [mode = '', type = '', id = ''] = entry.slice(0, tab).split(' ');
  const kind = type === 'commit' ? 'module' : mode === '120000' ? 'link' : 'file';
  return { path: entry.slice(tab + 1), kind, id };
}
