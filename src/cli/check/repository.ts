/** The repository that the named paths lie in, and the commit that REF names in it. */
import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { plain } from '../../engine/text.ts';
import { complaint, GitError, git, gitOutput } from './git.ts';

export interface Repository {
  /** The real path of its working tree. */
  readonly top: string;
  /** Full id of what REF names. */
  readonly commit: string;
}

/** @throws GitError, which says what to mend */
export async function openRepository(paths: readonly string[], ref: string): Promise<Repository> {
  const top = await findTop(paths);
  return { top, commit: await findCommit(top, ref) };
}

/** A path within the repository, with `/`; `''` is its root; undefined: it lies outside. Links in it are followed. */
export function pathWithin(top: string, path: string): string | undefined {
  const inside = relative(top, realPath(resolve(path)));
  if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) return undefined;
  return inside.split(sep).join('/');
}

/** Whether there is anything at a path, be it a link that leads nowhere or what may not be read. */
export function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch (error) {
    return !['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
  }
}

/** Of what does not exist (any more): the real path of the folder it would be in. */
function realPath(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const parent = dirname(path);
  return parent === path ? path : join(realPath(parent), path.slice(parent.length));
}

/** That of the working directory, unless the first path lies elsewhere. */
async function findTop(paths: readonly string[]): Promise<string> {
  const [first = '.'] = paths;
  const here = await topOf('.').catch((error: unknown) => error);
  if (typeof here === 'string' && pathWithin(here, first) !== undefined) return here;
  const there = folderOf(resolve(first));
  if (there === process.cwd()) throw here;
  return topOf(there);
}

/** The nearest folder that exists. */
function folderOf(path: string): string {
  if (existsSync(path) && statSync(path).isDirectory()) return path;
  return folderOf(dirname(path));
}

async function topOf(folder: string): Promise<string> {
  const { code, stdout, stderr } = await git(folder, ['rev-parse', '--show-toplevel']);
  const top = stdout.toString('utf8').replace(/\n$/, '');
  if (code === 0 && top !== '') return realpathSync(top);
  const where = plain(resolve(folder));
  if (/dubious ownership/.test(stderr)) {
    throw new GitError(
      `git does not trust the repository of ${where}, for another user owns it: git config --global --add safe.directory PATH`,
    );
  }
  if (/must be run in a work tree/.test(stderr)) throw new GitError(`${where} is in a bare repository: check it out`);
  if (/not a git repository/.test(stderr)) throw new GitError(`${where} is in no git repository`);
  throw new GitError(complaint(stderr) || `git finds no repository at ${where}`);
}

async function findCommit(top: string, ref: string): Promise<string> {
  // In two steps: after `:/text` or the like, `^{commit}` would be a part of the text.
  const named = await idOf(top, ref);
  const commit = named && (await idOf(top, `${named}^{commit}`));
  if (commit) return commit;
  const type = named && (await git(top, ['cat-file', '-t', named])).stdout.toString('utf8').trim();
  if (type) throw new GitError(`it names a ${type}, and no commit`);
  const shallow = (await gitOutput(top, ['rev-parse', '--is-shallow-repository'])).toString('utf8').trim() === 'true';
  throw new GitError(shallow ? missingInShallow(ref) : MISSING);
}

async function idOf(top: string, name: string): Promise<string | undefined> {
  const { code, stdout } = await git(top, ['rev-parse', '--verify', '--quiet', '--end-of-options', name]);
  // git before 2.30 repeats the option.
  const id = stdout.toString('utf8').trim().split('\n').at(-1) ?? '';
  return code === 0 && /^[0-9a-f]{40,64}$/.test(id) ? id : undefined;
}

const MISSING = 'this repository has no such commit: look for its name with git branch --all, or git fetch it';

/** A shallow clone, as pipelines make them, holds a commit or a few. */
function missingInShallow(ref: string): string {
  const said = 'this shallow clone has no such commit';
  const more = 'or clone in full (actions/checkout: fetch-depth: 0)';
  if (/[~^@:]/.test(ref)) return `${said}: get more history with git fetch --unshallow, ${more}`;
  if (/^[0-9a-f]{40,64}$/.test(ref)) return `${said}: git fetch --depth=1 origin ${ref}, ${more}`;
  const branch = ref.replace(/^(refs\/remotes\/origin|refs\/heads|origin)\//, '');
  const named = ref === `origin/${branch}` ? '' : ` and --base-ref origin/${branch}`;
  return `${said}: git fetch --depth=1 origin ${branch}:refs/remotes/origin/${branch}${named}, ${more}`;
}

/** Whether REF is an ancestor of what is checked out; undefined: a shallow clone can't tell. */
export async function isAncestor({ top, commit }: Repository): Promise<boolean | undefined> {
  const { code } = await git(top, ['merge-base', '--is-ancestor', commit, 'HEAD']);
  if (code === 0) return true;
  const shallow = await git(top, ['rev-parse', '--is-shallow-repository']);
  return code === 1 && shallow.stdout.toString('utf8').trim() === 'false' ? false : undefined;
}
