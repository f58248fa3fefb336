/** Opens the repository of the named paths, at the commit that REF names. */
import { realpathSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { escapeControls } from '../../base/text.ts';
import { checkoutAround, isFolder, nearestRealPath, pathIn, upwardSearch } from '../../documents/files.ts';
import { type IsolatedGit, isolate } from './isolation.ts';
import { GitError, git } from './process.ts';

export interface Repository {
  /** The real path of the working tree. */
  readonly top: string;
  readonly git: IsolatedGit;
  /** As the user named it. */
  readonly ref: string;
  /** The full id of the commit that `ref` names. */
  readonly commit: string;
}

/** Opens a repository; `repository.git.close()` closes it. @throws GitError, which says how to fix it */
export async function openRepository(paths: readonly string[], ref: string): Promise<Repository> {
  const top = topOf(paths);
  const isolated = await isolate(top);
  try {
    return { top, git: isolated, ref, commit: await findCommit(isolated, ref) };
  } catch (error) {
    isolated.close();
    throw error;
  }
}

/**
 * Returns a path within the repository, with `/`; `''` for its root, undefined outside. Links in the path are followed.
 */
export function pathWithin(top: string, path: string): string | undefined {
  return pathIn(top, nearestRealPath(resolve(path)));
}

/** Finds the working tree around the working directory, unless the first path is outside of it. @throws GitError */
function topOf([first = '.']: readonly string[]): string {
  const here = checkoutAround(realpathSync(process.cwd()));
  if (here !== undefined && pathWithin(here, first) !== undefined) return here;
  const folder = realpathSync(upwardSearch(isFolder)(resolve(first)) ?? sep);
  const top = checkoutAround(folder);
  if (top === undefined) throw new GitError(`${escapeControls(folder)} is not in a git repository`);
  return top;
}

async function findCommit(context: IsolatedGit, ref: string): Promise<string> {
  // In two steps: after `:/text`, `^{commit}` would be a part of the text.
  const named = await idOf(context, ref);
  const commit = named && (await idOf(context, `${named}^{commit}`));
  if (commit) return commit;
  const type = named && (await git(context, ['cat-file', '-t', named])).stdout.toString('utf8').trim();
  if (type) throw new GitError(`it names a ${type}, not a commit`);
  // What is checked out is there, unless nothing was committed yet.
  if (ref === 'HEAD') throw new GitError(NO_COMMIT);
  throw new GitError((await isShallow(context)) ? SHALLOW : MISSING);
}

async function idOf(context: IsolatedGit, name: string): Promise<string | undefined> {
  const { code, stdout, stderr } = await git(context, ['rev-parse', '--verify', '--end-of-options', name]);
  // git prefers a tag to a branch, and a user who may push tags may not be allowed to push to the branch.
  if (/^warning: refname .* is ambiguous/m.test(stderr)) throw new GitError(AMBIGUOUS);
  // git before 2.30 prints the option too.
  const id = stdout.toString('utf8').trim().split('\n').at(-1) ?? '';
  return code === 0 && /^[0-9a-f]{40,64}$/.test(id) ? id : undefined;
}

async function isShallow(context: IsolatedGit): Promise<boolean> {
  const { stdout } = await git(context, ['rev-parse', '--is-shallow-repository']);
  return stdout.toString('utf8').trim() === 'true';
}

const AMBIGUOUS =
  'several branches and tags of this repository have the name: write it in full, such as refs/remotes/origin/main';
const MISSING = 'this repository has no such commit: look for its name with git branch --all, or git fetch it';
const NO_COMMIT = 'nothing is committed yet: commit first, or check without --base-ref';
const SHALLOW =
  'this shallow clone has no such commit: git fetch --unshallow, or clone in full (actions/checkout: fetch-depth: 0)';

/** Returns whether REF is an ancestor of what is checked out; undefined if a shallow clone can't tell. */
export async function isAncestor({ git: context, commit }: Repository): Promise<boolean | undefined> {
  const { code } = await git(context, ['merge-base', '--is-ancestor', commit, 'HEAD']);
  if (code === 0) return true;
  return code === 1 && !(await isShallow(context)) ? false : undefined;
}
