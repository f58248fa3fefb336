/** `muster serve` as a process of its own, in a folder of its own, with whatever a test plants in it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { newFolder } from './folder.ts';
import { MAIN } from './main.ts';
import { reviewWith } from './reviews.ts';
import { exchange, responseOf } from './test-server.ts';
import { until } from './until.ts';

interface ChildOptions {
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** A module that is loaded before muster is. */
  readonly preload?: string;
  /** What is run; default: the bundle. */
  readonly main?: string;
  /** What standard error is; default: a pipe that is read. A number: that descriptor. */
  readonly stderr?: number | 'unread';
}

interface Child {
  readonly process: ChildProcess;
  readonly folder: string;
  /** Resolves with the exit code (or the signal's name) and the milliseconds since the last `signal`. */
  readonly ended: Promise<{ readonly code: number | string | null; readonly after: number }>;
  out(): string;
  log(): string;
  signal(name: NodeJS.Signals): void;
}

export interface Served extends Child {
  readonly port: number;
  readonly opsPort: number;
  /** The development CA; empty where the certificate is the test's own. */
  readonly ca: string;
  /** Text of a page of the ops port. */
  ops(path: string): Promise<string>;
  /** Whether a good review is answered with a verdict that allows. */
  allows(): Promise<boolean>;
}

const children: ChildProcess[] = [];

/** For `afterEach`: nothing of a test outlives it. */
export function endChildren(): void {
  for (const child of children.splice(0)) child.kill('SIGKILL');
}

export function startChild({ args = [], env = {}, preload, main = MAIN, stderr }: ChildOptions = {}): Child {
  const { path: folder, put } = newFolder();
  const loads = preload === undefined ? [] : ['--import', put('preload.mjs', preload)];
  const ports = ['--port', '--ops-port'].flatMap((flag) => (args.includes(flag) ? [] : [flag, '0']));
  const child = spawn(process.execPath, [...loads, main, 'serve', ...ports, ...args], {
    cwd: folder,
    env: { ...environment(), ...env },
    stdio: ['ignore', 'pipe', typeof stderr === 'number' ? stderr : 'pipe'],
  });
  children.push(child);
  const texts = { out: '', log: '' };
  child.stdout?.on('data', (chunk) => {
    texts.out += chunk;
  });
  if (stderr === undefined) {
    child.stderr?.on('data', (chunk) => {
      texts.log += chunk;
    });
  }
  let signalled = performance.now();
  const ended = new Promise<{ code: number | string | null; after: number }>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code: code ?? signal, after: performance.now() - signalled }));
  });
  return {
    process: child,
    folder,
    ended,
    out: () => texts.out,
    log: () => texts.log,
    signal: (name) => {
      signalled = performance.now();
      child.kill(name);
    },
  };
}

/** Starts an API server that accepts connections and never answers; returns its port. */
export async function startHangingApi(): Promise<number> {
  const server = createServer(
    (socket) =>
      void socket
        .on('error', () => {})
        .resume()
        .unref(),
  );
  server.unref().listen(0, '127.0.0.1');
  await until(() => server.listening);
  return (server.address() as { port: number }).port;
}

/** Starts one and waits until it listens. */
export async function serveChild(options: ChildOptions = {}): Promise<Served> {
  const child = startChild(options);
  const announced = () => /https:\/\/\S+?:(\d+) \(ops: http:\/\/\S+?:(\d+)\)/.exec(child.out());
  await until(() => announced() !== null || child.process.exitCode !== null);
  const [, port, opsPort] = announced() ?? [];
  if (port === undefined || opsPort === undefined) throw new Error(`did not start: ${child.out()}${child.log()}`);
  const caFile = join(child.folder, 'certs', 'ca.crt');
  const ca = existsSync(caFile) ? readFileSync(caFile, 'utf8') : '';
  return {
    ...child,
    port: Number(port),
    opsPort: Number(opsPort),
    ca,
    ops: async (path) => (await fetch(`http://127.0.0.1:${opsPort}${path}`)).text(),
    allows: async () =>
      responseOf(await exchange({ port: Number(port), ca }, JSON.stringify(reviewWith()))).allowed === true,
  };
}

/** A sample of `/metrics`, by its whole name with labels; undefined where there is none. */
export async function sampleOf(served: Served, name: string): Promise<number | undefined> {
  const line = (await served.ops('/metrics')).split('\n').find((one) => one.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length + 1));
}

function environment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([key]) => !/^(?:MUSTER_|KUBE)/.test(key));
  return { ...Object.fromEntries(own), NO_COLOR: '1' };
}
