/** Runs git without a shell, and never with the configuration of a repository: see isolation.ts. */
import { safeText } from '../../base/text.ts';
import { type ProgramContext, type ProgramResult, run } from '../run-program.ts';

/** What git could not do, in one line that says how to fix it. */
export class GitError extends Error {
  override readonly name = 'GitError';
}

/** The most bytes of output: a listing of a few million files. */
const LONGEST_OUTPUT = 1024 * 1024 * 1024;

/** Options of each call. Paths are taken literally, not as patterns. */
const ALWAYS = ['--no-pager', '--literal-pathspecs'];

/**
 * Runs git to its end and returns its exit code and output.
 * @param input standard input
 * @param timeoutMs without it git may take as long as a large repository needs
 * @throws GitError if git is missing or killed
 */
export async function git(
  context: ProgramContext,
  args: readonly string[],
  options: { readonly input?: string | Uint8Array; readonly timeoutMs?: number } = {},
): Promise<ProgramResult & { readonly code: number }> {
  const all = [...ALWAYS, ...args];
  const { code, ...output } = await run(context, 'git', all, { ...options, mostBytes: LONGEST_OUTPUT }).catch(cantRun);
  return code === null ? cantRun(new Error('it was killed')) : { code, ...output };
}

/** @throws GitError */
function cantRun(error: NodeJS.ErrnoException): never {
  if (error.code === 'ENOENT') throw new GitError('git was not found: install it, or put it on the PATH');
  throw new GitError(`git can't be run: ${error.message}`);
}

/**
 * Runs git and returns its standard output.
 * @throws GitError on any exit code but 0, or if git printed an error: some versions go on after one
 */
export async function gitOutput(
  context: ProgramContext,
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
  return safeText(last.replace(/^(fatal|error):\s*/, ''), 512);
}

/** Returns the parts of a `-z` output. In latin1 each character is a byte, so that none is lost. */
export function parts(output: Buffer, encoding: 'utf8' | 'latin1' = 'utf8'): string[] {
  const found = output.toString(encoding).split('\0');
  if (found.at(-1) === '') found.pop();
  return found;
}
