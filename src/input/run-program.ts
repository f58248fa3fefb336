/** Runs programs without a shell, with limits of time and output. */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';

/** Where programs run, and with which environment. */
export interface ProgramContext {
  /** The working directory: a folder of ours, so that a relative PATH finds no program in a checkout. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** The programs that run now. */
  readonly running: Set<ChildProcess>;
}

interface ProgramOptions {
  /** Standard input. */
  readonly input?: string | Uint8Array | undefined;
  /** Milliseconds; without it the program may take as long as it needs. */
  readonly timeoutMs?: number | undefined;
  /** The most bytes of standard output, and of standard error. */
  readonly mostBytes: number;
}

export interface ProgramResult {
  /** Null after a signal. */
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Runs a program to its end. @throws Error if it can't be started, or with the limit that it exceeded */
export function run(
  { folder, env, running }: ProgramContext,
  file: string,
  args: readonly string[],
  { input = '', timeoutMs, mostBytes }: ProgramOptions,
): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    // In a process group of its own, which can be ended as a whole.
    const child: ChildProcess = spawn(file, args, { cwd: folder, env, detached: true, windowsHide: true });
    running.add(child);
    let exceeded: string | undefined;
    const exceed = (limit: string) => {
      exceeded ??= limit;
      end(child);
    };
    const timer = timeoutMs && setTimeout(() => exceed(`it took more than ${timeoutMs / 1000} s`), timeoutMs);
    const collect = (stream: Readable | null) => {
      const chunks: Buffer[] = [];
      let size = 0;
      stream?.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > mostBytes) exceed(`it printed more than ${Math.ceil(mostBytes / 2 ** 20)} MiB`);
        else chunks.push(chunk);
      });
      return chunks;
    };
    const stdout = collect(child.stdout);
    const stderr = collect(child.stderr);
    // The program may end before it has read all of its input.
    child.stdin?.on('error', () => {}).end(input);
    const settle = (settled: () => void) => {
      clearTimeout(timer);
      running.delete(child);
      settled();
    };
    child.on('error', (error) => settle(() => reject(error)));
    child.on('close', (code) =>
      settle(() => {
        if (exceeded === undefined)
          resolve({ code, stdout: Buffer.concat(stdout), stderr: `${Buffer.concat(stderr)}` });
        else reject(new Error(exceeded));
      }),
    );
  });
}

/** Ends programs with all that they started. */
export function endAll(running: Iterable<ChildProcess>): void {
  for (const child of running) end(child);
}

function end(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended by itself, or there are no process groups, as on Windows.
    child.kill('SIGKILL');
  }
}
