/** Git repositories of tests, with what the machine's own git configuration says left out. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { type Folder, newFolder } from './folder.ts';

/** Runs git and returns what it prints. @throws Error where it fails */
type Git = (...args: readonly string[]) => string;

export interface GitFolder extends Folder {
  readonly git: Git;
  at(name: string): string;
  /** Commits all files; returns the id of the commit. */
  commit(): string;
}

/** The last is a process of its own after each commit. */
const SETTINGS = ['user.name=Test', 'user.email=test@example.com', 'commit.gpgsign=false', 'maintenance.auto=false'];
const WHO = SETTINGS.flatMap((setting) => ['-c', setting]);
const ALONE = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };

export function gitIn(cwd: string): Git {
  const env = { ...process.env, ...ALONE };
  return (...args) =>
    execFileSync('git', [...WHO, ...args], { cwd, encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Empty, on branch `main`; or a clone, by `git clone` with these arguments. */
export function newRepository(...clone: readonly string[]): GitFolder {
  const folder = newFolder();
  const git = gitIn(folder.path);
  if (clone.length > 0) git('clone', '-q', ...clone, '.');
  else git('init', '-q', '-b', 'main', '.');
  return { ...folder, git, at: (name) => join(folder.path, name), commit: () => commitWith(git) };
}

/** Commits all files of a folder, which it makes a repository if it is none; returns the id of the commit. */
export function commitAll(folder: string): string {
  const git = gitIn(folder);
  git('init', '-q', '-b', 'main', '.');
  return commitWith(git);
}

function commitWith(git: Git): string {
  git('add', '-A');
  git('commit', '-q', '--allow-empty', '-m', 'next');
  return git('rev-parse', 'HEAD').trim();
}
