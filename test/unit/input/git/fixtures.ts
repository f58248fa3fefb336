/** A git repository for a test, with what the machine's own git configuration says left out. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { type Folder, newFolder } from '../../../support/folder.ts';

export interface GitFolder extends Folder {
  git(...args: readonly string[]): string;
  at(name: string): string;
  /** Commits all files; returns the id of the commit. */
  commit(): string;
}

const WHO = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false'];
const ALONE = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };

/** Empty, on branch `main`; or a clone, by `git clone` with these arguments. */
export function newRepository(...clone: readonly string[]): GitFolder {
  const folder = newFolder();
  const cwd = folder.path;
  const git = (...args: readonly string[]) => {
    const env = { ...process.env, ...ALONE };
    return execFileSync('git', [...WHO, ...args], { cwd, encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'pipe'] });
  };
  if (clone.length > 0) git('clone', '-q', ...clone, '.');
  else git('init', '-q', '-b', 'main', '.');
  return {
    ...folder,
    git,
    at: (name) => join(cwd, name),
    commit() {
      git('add', '-A');
      git('commit', '-q', '--allow-empty', '-m', 'next');
      return git('rev-parse', 'HEAD').trim();
    },
  };
}
