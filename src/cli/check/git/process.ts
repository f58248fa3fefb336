/** Runs git without a shell, and never with the configuration of a repository: see git-isolation.ts. */
import { execFile, spawn } from 'node:child_process';
import { plain, shorten } from '../../../engine/text.ts';

export interface GitAnswer {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Where git runs, and with which environment. */
export interface GitContext {
  /** The working directory of the process: a folder of ours, so that no program in a checkout is found by a relative PATH. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

/** What git could not do, in one line that says how to fix it. */
export class GitError extends Error {
  override readonly name = 'GitError';
  readonly code = 'MUSTER_GIT';
}

/** A larger file is not read. */
export const LONGEST_FILE = 256 * 1024 * 1024;
/** A listing of a few million files. */
const LONGEST_LISTING = 1024 * 1024 * 1024;

/** Paths are no patterns. */
const ALWAYS = ['--no-pager', '--literal-pathspecs'];

/**
 * Runs git to its end; an exit code is an answer.
 * @param timeout in milliseconds; without it git may take as long as a large repository needs
 * @throws GitError where there is no git, or it is killed
 */
export function git({ folder, env }: GitContext, args: readonly string[], timeout = 0): Promise<GitAnswer> {
  return new Promise((resolve, reject) => {
    const options = { cwd: folder, env, encoding: 'buffer', maxBuffer: LONGEST_LISTING, timeout } as const;
    const child = execFile('git', [...ALWAYS, ...args], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      if (typeof code === 'number') resolve({ code, stdout, stderr: stderr.toString('utf8') });
      else reject(noGit(error));
    });
    child.stdin?.end();
  });
}

/** Runs git and returns its standard output. @throws GitError on any exit code but 0 */
export async function gitOutput(context: GitContext, args: readonly string[]): Promise<Buffer> {
  const { code, stdout, stderr } = await git(context, args);
  if (code === 0) return stdout;
  throw new GitError(complaint(stderr) || `git ${args[0]} ended with ${code}`);
}

/** What git complains of, without its prefix: the last line that is no hint. */
export function complaint(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('hint:'));
  const last = lines.findLast((line) => /^(fatal|error):/.test(line)) ?? lines.at(-1) ?? '';
  return plain(shorten(last.replace(/^(fatal|error):\s*/, ''), 512));
}

/** The parts of a `-z` output. */
export function parts(output: Buffer): string[] {
  const found = output.toString('utf8').split('\0');
  if (found.at(-1) === '') found.pop();
  return found;
}

/**
 * The contents of blobs, in the order asked, one in memory at a time; undefined for one that is longer than `longest` bytes.
 * @throws GitError where one is not to be had: a partial clone without its remote
 */
export async function* blobs(
  { folder, env }: GitContext,
  ids: readonly string[],
  longest = LONGEST_FILE,
): AsyncGenerator<Buffer | undefined> {
  if (ids.length === 0) return;
  const child = spawn('git', [...ALWAYS, 'cat-file', '--batch'], { cwd: folder, env });
  let failure: NodeJS.ErrnoException | undefined;
  let stderr = '';
  child.on('error', (error) => {
    failure = error;
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr = `${stderr}${chunk}`.slice(-4096);
  });
  // It may end before it has read all; what it then lacks is said below.
  child.stdin.on('error', () => {});
  child.stdin.end(ids.map((id) => `${id}\n`).join(''));
  const reader = new BatchReader(child.stdout);
  try {
    for (const id of ids) {
      const header = (await reader.line())?.split(' ');
      if (failure) throw noGit(failure);
      if (header?.[1] !== 'blob')
        throw new GitError(`the content ${id} can't be had: ${complaint(stderr) || 'missing'}`);
      yield await reader.content(Number(header[2]), longest);
    }
  } finally {
    child.kill();
  }
}

/** Reads what `git cat-file --batch` writes: a line, then as many bytes as it says, and a line break. */
class BatchReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: AsyncIterable<Buffer>) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  /** Undefined at the end. */
  async line(): Promise<string | undefined> {
    let end = this.#rest.indexOf('\n');
    while (end < 0) {
      if (!(await this.#more())) return undefined;
      end = this.#rest.indexOf('\n');
    }
    const line = this.#rest.toString('utf8', 0, end);
    this.#rest = this.#rest.subarray(end + 1);
    return line;
  }

  async content(size: number, longest: number): Promise<Buffer | undefined> {
    const kept: Buffer[] = [];
    let left = size;
    while (left > 0) {
      if (this.#rest.length === 0 && !(await this.#more())) throw new GitError('git ended in the middle of a file');
      const piece = this.#rest.subarray(0, left);
      if (size <= longest) kept.push(piece);
      left -= piece.length;
      this.#rest = this.#rest.subarray(piece.length);
    }
    await this.line();
    return size <= longest ? Buffer.concat(kept) : undefined;
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#chunks.next();
    if (done) return false;
    this.#rest = this.#rest.length === 0 ? value : Buffer.concat([this.#rest, value]);
    return true;
  }
}

function noGit(error: { readonly code?: unknown; readonly message: string } | null): GitError {
  if (error?.code === 'ENOENT') return new GitError('git was not found: install it, or put it on the PATH');
  return new GitError(`git can't be run: ${error?.message ?? 'it was killed'}`);
}
