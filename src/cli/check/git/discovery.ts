/**
 * Finds the repository of a folder. Only a `.git` entry makes a folder a repository, and git refuses to track a path of that
 * name: so no commit can bring a repository of its own, as it can bring a bare one (`HEAD`, `config`, `objects`, `refs`).
 */
import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { plain } from '../../../engine/text.ts';
import { GitError } from './process.ts';

export interface GitPaths {
  /** The working tree: the folder that holds the `.git` entry. All paths are real paths. */
  readonly top: string;
  /** HEAD and index of this working tree. */
  readonly gitDir: string;
  /** Objects, refs and configuration; another folder than `gitDir` in a linked worktree. */
  readonly commonDir: string;
}

/** The longest file in a git directory that is read as one line. */
const LONGEST_LINE = 65_536;

/** Looks for a repository in the folder and in those above it. @throws GitError where there is none */
export function findRepository(folder: string): GitPaths {
  const start = realpathSync(folder);
  for (let top = start; ; top = dirname(top)) {
    const found = repositoryAt(top);
    if (found !== undefined) return found;
    if (dirname(top) === top) throw new GitError(`${plain(start)} is in no git repository`);
  }
}

/** The repository of exactly this folder; undefined: it is none. @throws GitError for a broken `.git` file */
export function repositoryAt(top: string): GitPaths | undefined {
  const entry = join(top, '.git');
  const stat = statSync(entry, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return pathsOf(top, entry);
  if (!stat?.isFile()) return undefined;
  const [, target] = /^gitdir: (.+)$/s.exec(lineOf(entry) ?? '') ?? [];
  const paths = target === undefined ? undefined : pathsOf(top, from(top, target));
  if (paths === undefined) throw new GitError(`${plain(entry)} leads to no git repository`);
  return paths;
}

/** Like git, passes over a folder that only has the name of a git directory. */
function pathsOf(top: string, gitDir: string): GitPaths | undefined {
  const common = lineOf(join(gitDir, 'commondir'));
  const commonDir = common === undefined ? gitDir : from(gitDir, common);
  const isWhole =
    isThere(join(gitDir, 'HEAD')) && isFolder(join(commonDir, 'objects')) && isThere(join(commonDir, 'refs'));
  return isWhole ? { top, gitDir: realpathSync(gitDir), commonDir: realpathSync(commonDir) } : undefined;
}

/** The only line of a small file; undefined where there is none. Never opens a pipe or a device. */
function lineOf(file: string): string | undefined {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat?.isFile() || stat.size > LONGEST_LINE) return undefined;
  return readFileSync(file, 'utf8').replace(/[\r\n]+$/, '');
}

function from(folder: string, path: string): string {
  return isAbsolute(path) ? path : resolve(folder, path);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
