/**
 * Finds the repository of a folder. Only a `.git` entry makes a folder a repository, and git refuses to track a path of that
 * name. So no commit can bring its own repository, as it can bring a bare one (`HEAD`, `config`, `objects`, `refs`).
 */
import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { plain } from '../../../engine/text.ts';
import { GitError } from './process.ts';

/** All paths are real paths. */
export interface GitPaths {
  /** The working tree: the folder with the `.git` entry. */
  readonly top: string;
  /** HEAD and index of this working tree. */
  readonly gitDir: string;
  /** Objects, refs and configuration; not `gitDir` in a linked worktree. */
  readonly commonDir: string;
}

/** A longer file in a git directory is not read as one line. */
const LONGEST_LINE = 65_536;

/** Finds the repository of a folder or of one above it. @throws GitError if there is none */
export function findRepository(folder: string): GitPaths {
  const start = realpathSync(folder);
  for (let top = start; ; top = dirname(top)) {
    const found = repositoryAt(top);
    if (found !== undefined) return found;
    if (dirname(top) === top) throw new GitError(`${plain(start)} is in no git repository`);
  }
}

/** Returns the repository of exactly this folder, or undefined. @throws GitError for a broken `.git` file */
function repositoryAt(top: string): GitPaths | undefined {
  const entry = join(top, '.git');
  const stat = statSync(entry, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return pathsOf(top, entry);
  if (!stat?.isFile()) return undefined;
  const [, target] = /^gitdir: (.+)$/s.exec(lineOf(entry) ?? '') ?? [];
  const paths = target === undefined ? undefined : pathsOf(top, resolve(top, target));
  if (paths === undefined) throw new GitError(`${plain(entry)} leads to no git repository`);
  return paths;
}

/** Like git, ignores a folder that only has the name of a git directory. */
function pathsOf(top: string, gitDir: string): GitPaths | undefined {
  const common = lineOf(join(gitDir, 'commondir'));
  const commonDir = common === undefined ? gitDir : resolve(gitDir, common);
  const hasObjects = statSync(join(commonDir, 'objects'), { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (!hasObjects || !exists(join(gitDir, 'HEAD')) || !exists(join(commonDir, 'refs'))) return undefined;
  return { top, gitDir: realpathSync(gitDir), commonDir: realpathSync(commonDir) };
}

/** Returns the only line of a small regular file, or undefined. Never opens a pipe or a device. */
function lineOf(file: string): string | undefined {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat?.isFile() || stat.size > LONGEST_LINE) return undefined;
  return readFileSync(file, 'utf8').replace(/[\r\n]+$/, '');
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
