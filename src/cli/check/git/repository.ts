/** The repository that the named paths lie in, and the commit that REF names in it. */
import { existsSync, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { findRepository, type GitPaths, repositoryAt } from './discovery.ts';
import { type IsolatedGit, isolate } from './isolation.ts';
import { GitError, git, gitOutput } from './process.ts';

export interface Repository {
  /** The real path of its working tree. */
  readonly top: string;
  /** How git is called for it. */
  readonly git: IsolatedGit;
  /** Full id of what REF names. */
  readonly commit: string;
}

/** Opens a repository; `repository.git.close()` ends that. @throws GitError, which says how to fix it */
export async function openRepository(paths: readonly string[], ref: string): Promise<Repository> {
  const found = findPaths(paths);
  const isolated = await isolate(found);
  try {
    return { top: found.top, git: isolated, commit: await findCommit(isolated, ref) };
  } catch (error) {
    isolated.close();
    throw error;
  }
}

/**
 * Whether a submodule is checked out as recorded, or not at all. Its own repository is opened for that, with as little trust
 * as the one around it. @throws GitError
 */
export async function isAsRecorded(folder: string, commit: string, isClean: Cleanness): Promise<boolean> {
  const found = repositoryAt(folder);
  if (found === undefined) return existsSync(folder) && readdirSync(folder).length === 0;
  const isolated = await isolate(found);
  try {
    if ((await idOf(isolated, 'HEAD')) !== commit) return false;
    return await isClean({ top: found.top, git: isolated, commit });
  } finally {
    isolated.close();
  }
}

/** Whether the working tree is as the commit has it. */
export type Cleanness = (repository: Repository) => Promise<boolean>;

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

/** The repository of the working directory, unless the first path lies elsewhere. */
function findPaths(paths: readonly string[]): GitPaths {
  const [first = '.'] = paths;
  const here = attempt(() => findRepository('.'));
  if (!(here instanceof GitError) && pathWithin(here.top, first) !== undefined) return here;
  const there = folderOf(resolve(first));
  if (here instanceof GitError && there === process.cwd()) throw here;
  return findRepository(there);
}

function attempt<T>(find: () => T): T | GitError {
  try {
    return find();
  } catch (error) {
    if (error instanceof GitError) return error;
    throw error;
  }
}

/** The nearest folder that exists. */
function folderOf(path: string): string {
  if (existsSync(path) && statSync(path).isDirectory()) return path;
  return folderOf(dirname(path));
}

async function findCommit(context: IsolatedGit, ref: string): Promise<string> {
  // In two steps: after `:/text` or the like, `^{commit}` would be a part of the text.
  const named = await idOf(context, ref);
  const commit = named && (await idOf(context, `${named}^{commit}`));
  if (commit) return commit;
  const type = named && (await git(context, ['cat-file', '-t', named])).stdout.toString('utf8').trim();
  if (type) throw new GitError(`it names a ${type}, and no commit`);
  const shallow =
    (await gitOutput(context, ['rev-parse', '--is-shallow-repository'])).toString('utf8').trim() === 'true';
  throw new GitError(shallow ? missingInShallow(ref) : MISSING);
}

async function idOf(context: IsolatedGit, name: string): Promise<string | undefined> {
  const { code, stdout } = await git(context, ['rev-parse', '--verify', '--quiet', '--end-of-options', name]);
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
export async function isAncestor({ git: context, commit }: Repository): Promise<boolean | undefined> {
  const { code } = await git(context, ['merge-base', '--is-ancestor', commit, 'HEAD']);
  if (code === 0) return true;
  const shallow = await git(context, ['rev-parse', '--is-shallow-repository']);
  return code === 1 && shallow.stdout.toString('utf8').trim() === 'false' ? false : undefined;
}
