/**
 * Processes of a test: those that run beside it, and those that it runs to their end. None outlives the test's process.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { until as poll } from '../../../support/until.ts';

export interface Daemon {
  readonly pid: number;
  running(): boolean;
  /** Returns all it wrote, stdout and stderr. */
  log(): string;
  /** Sends a signal, and SIGKILL after `timeoutMs`. Resolves to the exit code, null when a signal ended it. */
  stop(signal?: NodeJS.Signals, timeoutMs?: number): Promise<number | null>;
}

interface DaemonOptions {
  /** Its output is appended here. */
  readonly logFile: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

export function startDaemon(program: string, args: readonly string[], options: DaemonOptions): Daemon {
  const { logFile, env = process.env, cwd = process.cwd() } = options;
  const out = openSync(logFile, 'a');
  const child = spawn(program, args, { stdio: ['ignore', out, out], env, cwd });
  closeSync(out);
  const ended = endOf(child).finally(endWithUs(child.pid));
  ended.catch(() => {}); // reported to whoever waits for it
  const running = () => child.exitCode === null && child.signalCode === null && child.pid !== undefined;
  return {
    pid: child.pid ?? -1,
    running,
    log: () => readFileSync(logFile, 'utf8'),
    async stop(signal = 'SIGTERM', timeoutMs = 15_000) {
      if (running()) child.kill(signal);
      const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
      return ended.finally(() => clearTimeout(timer));
    },
  };
}

/**
 * Waits until `holds`. @throws Error with the last lines of the daemon's output if it ends or takes longer than
 * `timeoutMs`
 */
export async function waitFor(what: string, daemon: Daemon, holds: () => Promise<boolean>, timeoutMs = 300_000) {
  const end = Date.now() + timeoutMs;
  while (!(await holds().catch(() => false))) {
    const gone = !daemon.running();
    if (gone || Date.now() > end) {
      const last = daemon.log().trimEnd().split('\n').slice(-15).join('\n');
      throw new Error(`${what}: ${gone ? 'it ended' : `not within ${timeoutMs} ms`}. Its last output:\n${last}`);
    }
    await sleep(25);
  }
}

/** Waits until `holds`, and returns the milliseconds that took. @throws Error that names what was waited for */
export const until = (what: string, holds: () => Promise<boolean>, seconds = 120) => poll(holds, seconds * 1000, what);

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Standard input: text, or objects, which become documents. */
export type Input = string | object | readonly object[];

/**
 * Of the environment of a program in Go: it collects its garbage when the heap has grown fivefold, not twofold. A start
 * of the API server takes a fifth less CPU time.
 */
export const SELDOM_COLLECTED = { GOGC: '400' };

/**
 * The same for a program that ends soon: its garbage is left where it is, up to a GiB. A run of kubectl takes a tenth
 * less CPU time, and the evaluator of policies a third.
 */
export const HARDLY_COLLECTED = { GOGC: 'off', GOMEMLIMIT: '1GiB' };

/** Runs a program to its end. A failure is an outcome like any other. */
export function runProgram(
  program: string,
  args: readonly string[],
  input: Input | undefined,
  env: NodeJS.ProcessEnv,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env: { ...HARDLY_COLLECTED, ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
    const [out, err]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.stdin.on('error', () => {}); // it may not read
    child.once('error', reject);
    child.once('close', (code) =>
      resolve({ code: code ?? -1, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() }),
    );
    child.stdin.end(typeof input === 'string' ? input : documentsOf([input ?? []].flat()));
  });
}

/** Returns JSON documents. kubectl before 1.31 reads several only as YAML, for which the first line is a separator. */
function documentsOf(objects: readonly object[]): string {
  const texts = objects.map((object) => JSON.stringify(object));
  return texts.length === 1 ? (texts[0] ?? '') : texts.map((text) => `---\n${text}\n`).join('');
}

/** @throws Error with what it wrote to stderr if it failed */
export async function succeeded(outcome: Promise<Outcome>): Promise<Outcome> {
  const ended = await outcome;
  if (ended.code !== 0) throw new Error(`exit code ${ended.code}: ${ended.stderr}`);
  return ended;
}

/** Returns a free loopback port below those that the system hands out, so that it stays free over a restart. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, 32_000);
    const isFree = await new Promise<boolean>((resolve) => {
      const server = createServer().once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}

/** Prints a figure of a run on stderr; Jest holds other output of passing tests back. */
export function say(line: string): void {
  process.stderr.write(`  ${line}\n`);
}

function endOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code));
  });
}

/**
 * A shell that kills the listed processes when its input ends, however our process ended. Jest hides exit events from
 * tests.
 */
const KILLER = `
pids=""
while read -r word pid; do
  case $word in
    + ) pids="$pids $pid" ;;
    - ) kept=""; for each in $pids; do [ "$each" = "$pid" ] || kept="$kept $each"; done; pids=$kept ;;
  esac
done
for pid in $pids; do kill -9 "$pid" 2>/dev/null; done
`;

let killer: Writable | undefined;

/** Makes a process end with ours. Call the returned function when it has ended. */
function endWithUs(pid: number | undefined): () => void {
  if (pid === undefined) return () => {};
  killer ??= startKiller();
  const to = killer;
  to.write(`+ ${pid}\n`);
  return () => to.write(`- ${pid}\n`);
}

/** Detached, so that Ctrl-C does not end it first. */
function startKiller(): Writable {
  const child = spawn('sh', ['-c', KILLER], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  child.unref();
  child.stdin.on('error', () => {});
  (child.stdin as Writable & { unref(): void }).unref();
  return child.stdin;
}
