/** Runs git without a shell, and never with the configuration of a repository: see isolation.ts. */
import { type ChildProcess, execFile } from 'node:child_process';
import { plain, shorten } from '../../base/text.ts';

interface GitAnswer {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Where git runs, and with which environment. */
export interface GitContext {
  /** The working directory: a folder of ours, so that a relative PATH finds no program in a checkout. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** What runs now. */
  readonly running?: GitProcesses;
}

export type GitProcesses = Set<ChildProcess>;

/** What git could not do, in one line that says how to fix it. */
export class GitError extends Error {
  override readonly name = 'GitError';
  readonly code = 'MUSTER_GIT';
}

/** A listing of a few million files. */
const LONGEST_OUTPUT = 1024 * 1024 * 1024;

/** Paths are no patterns. */
const ALWAYS = ['--no-pager', '--literal-pathspecs'];

/**
 * Runs git to its end and returns its exit code and output.
 * @param input standard input
 * @param timeout milliseconds; without it git may take as long as a large repository needs
 * @throws GitError if git is missing or killed
 */
export function git(
  { folder, env, running }: GitContext,
  args: readonly string[],
  { input = '', timeout = 0 }: { readonly input?: string | Uint8Array; readonly timeout?: number } = {},
): Promise<GitAnswer> {
  return new Promise((resolve, reject) => {
    const options = { cwd: folder, env, encoding: 'buffer', maxBuffer: LONGEST_OUTPUT, timeout } as const;
    const child = execFile('git', [...ALWAYS, ...args], options, (error, stdout, stderr) => {
      running?.delete(child);
      const code = error === null ? 0 : error.code;
      if (typeof code === 'number') resolve({ code, stdout, stderr: stderr.toString('utf8') });
      else if (code === 'ENOENT') reject(new GitError('git was not found: install it, or put it on the PATH'));
      else reject(new GitError(`git can't be run: ${error?.message ?? 'it was killed'}`));
    });
    running?.add(child);
    // git may end before it has read all.
    child.stdin?.on('error', () => {}).end(input);
  });
}

/** Ends what runs. */
export function endAll(running: GitProcesses): void {
  for (const child of running) child.kill('SIGKILL');
}

/**
 * Runs git and returns its standard output.
 * @throws GitError on any exit code but 0, or if git printed an error: some versions go on after one
 */
export async function gitOutput(
  context: GitContext,
  args: readonly string[],
  input: string | Uint8Array = '',
): Promise<Buffer> {
  const { code, stdout, stderr } = await git(context, args, { input });
  if (code === 0 && !/^(fatal|error):/m.test(stderr)) return stdout;
  throw new GitError(errorIn(stderr) || `git ${args[0]} ended with ${code}`);
}

/** Returns the error that git printed, without its prefix: the last line that is no hint. */
export function errorIn(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('hint:'));
  const last = lines.findLast((line) => /^(fatal|error):/.test(line)) ?? lines.at(-1) ?? '';
  return plain(shorten(last.replace(/^(fatal|error):\s*/, ''), 512));
}

/** Returns the parts of a `-z` output. In latin1 each character is a byte, so that none is lost. */
export function parts(output: Buffer, encoding: 'utf8' | 'latin1' = 'utf8'): string[] {
  const found = output.toString(encoding).split('\0');
  if (found.at(-1) === '') found.pop();
  return found;
}
