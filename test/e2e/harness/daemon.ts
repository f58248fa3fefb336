/** A program that runs beside the test: its output in a file, its end awaited, its life never longer than the test's. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { guard } from './guardian.ts';

export interface Daemon {
  readonly pid: number;
  /** Whether it still runs. */
  running(): boolean;
  /** All it wrote, stdout and stderr. */
  log(): string;
  /** Its exit code, null when a signal ended it. */
  readonly ended: Promise<number | null>;
  /** Asks it to stop, and after `patienceMs` makes it. */
  stop(signal?: NodeJS.Signals, patienceMs?: number): Promise<number | null>;
}

export interface DaemonOptions {
  /** Its output is appended here. */
  readonly logFile: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

export function startDaemon(program: string, args: readonly string[], options: DaemonOptions): Daemon {
  const out = openSync(options.logFile, 'a');
  const child = spawn(program, args, {
    stdio: ['ignore', out, out],
    env: options.env ?? process.env,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  closeSync(out);
  const release = guard(child.pid);
  const ended = endOf(child).finally(release);
  ended.catch(() => {}); // told to whoever waits for it
  const running = () => child.exitCode === null && child.signalCode === null && child.pid !== undefined;
  return {
    pid: child.pid ?? -1,
    running,
    log: () => readFileSync(options.logFile, 'utf8'),
    ended,
    async stop(signal = 'SIGTERM', patienceMs = 15_000) {
      if (running()) child.kill(signal);
      const impatience = setTimeout(() => child.kill('SIGKILL'), patienceMs);
      return ended.finally(() => clearTimeout(impatience));
    },
  };
}

/** Waits until `holds`, or throws with the last lines of what the daemon wrote. */
export async function waitFor(what: string, daemon: Daemon, holds: () => Promise<boolean>, patienceMs = 60_000) {
  const end = Date.now() + patienceMs;
  while (!(await holds().catch(() => false))) {
    const gone = !daemon.running();
    if (gone || Date.now() > end) {
      const said = daemon.log().trimEnd().split('\n').slice(-15).join('\n');
      throw new Error(`${what}: ${gone ? 'it ended' : `not within ${patienceMs} ms`}. It wrote last:\n${said}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

function endOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code));
  });
}
