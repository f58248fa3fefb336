/** A git repository for a test, with what the machine's own git configuration says left out. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface GitFolder {
  readonly path: string;
  git(...args: readonly string[]): string;
  /** Writes a file and tells its path. */
  put(name: string, text: string | Buffer): string;
  at(name: string): string;
  /** Commits all there is. */
  commit(): string;
  remove(): void;
}

const WHO = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false'];
const ALONE = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };

/** Empty, on branch `main`; or a clone, by `git clone` with these arguments. */
export function newRepository(...clone: readonly string[]): GitFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'muster-git-')));
  const git = (...args: readonly string[]) => {
    const env = { ...process.env, ...ALONE };
    return execFileSync('git', [...WHO, ...args], {
      cwd: path,
      encoding: 'utf8',
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  };
  if (clone.length > 0) git('clone', '-q', ...clone, '.');
  else git('init', '-q', '-b', 'main', '.');
  return {
    path,
    git,
    put(name, text) {
      const file = join(path, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    },
    at: (name) => join(path, name),
    commit() {
      git('add', '-A');
      git('commit', '-q', '--allow-empty', '-m', 'next');
      return git('rev-parse', 'HEAD').trim();
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
