/** Runs git without a shell, and never with the configuration of a repository: see isolation.ts. */
import { execFile } from 'node:child_process';
import { plain, shorten } from '../../../engine/text.ts';

export interface GitAnswer {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Where git runs, and with which environment. */
export interface GitContext {
  /** The working directory: a folder of ours, so that a relative PATH finds no program in a checkout. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

/** What git could not do, in one line that says how to fix it. */
export class GitError extends Error {
  override readonly name = 'GitError';
  readonly code = 'MUSTER_GIT';
}

/** A listing of a few million files. */
const LONGEST_OUTPUT = 1024 * 1024 * 1024;
/** Contents are read in groups of this many. */
const GROUP = 64;

/** Paths are no patterns. */
const ALWAYS = ['--no-pager', '--literal-pathspecs'];

/**
 * Runs git to its end and returns its exit code and output.
 * @param input standard input
 * @param timeout milliseconds; without it git may take as long as a large repository needs
 * @throws GitError if git is missing or killed
 */
export function git(
  { folder, env }: GitContext,
  args: readonly string[],
  { input = '', timeout = 0 } = {},
): Promise<GitAnswer> {
  return new Promise((resolve, reject) => {
    const options = { cwd: folder, env, encoding: 'buffer', maxBuffer: LONGEST_OUTPUT, timeout } as const;
    const child = execFile('git', [...ALWAYS, ...args], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      if (typeof code === 'number') resolve({ code, stdout, stderr: stderr.toString('utf8') });
      else if (code === 'ENOENT') reject(new GitError('git was not found: install it, or put it on the PATH'));
      else reject(new GitError(`git can't be run: ${error?.message ?? 'it was killed'}`));
    });
    // git may end before it has read all.
    child.stdin?.on('error', () => {}).end(input);
  });
}

/** Runs git and returns its standard output. @throws GitError on any exit code but 0 */
export async function gitOutput(context: GitContext, args: readonly string[], input = ''): Promise<Buffer> {
  const { code, stdout, stderr } = await git(context, args, { input });
  if (code === 0) return stdout;
  throw new GitError(errorIn(stderr) || `git ${args[0]} ended with ${code}`);
}

/** Returns the error that git printed, without its prefix: the last line that is no hint. */
export function errorIn(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('hint:'));
  const last = lines.findLast((line) => /^(fatal|error):/.test(line)) ?? lines.at(-1) ?? '';
  return plain(shorten(last.replace(/^(fatal|error):\s*/, ''), 512));
}

/** Returns the parts of a `-z` output. */
export function parts(output: Buffer): string[] {
  const found = output.toString('utf8').split('\0');
  if (found.at(-1) === '') found.pop();
  return found;
}

/** Yields the contents of blobs in the order of the ids. @throws GitError for a missing one, as in a partial clone */
export async function* blobs(context: GitContext, ids: readonly string[]): AsyncGenerator<Buffer> {
  for (let from = 0; from < ids.length; from += GROUP) {
    const group = ids.slice(from, from + GROUP);
    const output = await gitOutput(context, ['cat-file', '--batch'], group.map((id) => `${id}\n`).join(''));
    let at = 0;
    for (const id of group) {
      // A line `ID blob SIZE`, the content, and a line break; or `ID missing`.
      const start = output.indexOf('\n', at) + 1;
      const [, type, size] = output.toString('utf8', at, start).split(' ');
      if (type !== 'blob') throw new GitError(`the content ${id} can't be had: missing`);
      at = start + Number(size) + 1;
      if (at > output.length) throw new GitError('git ended in the middle of a file');
      yield output.subarray(start, at - 1);
    }
  }
}
