/** Runs kustomize and helm without the user's settings and without other programs, with limits of time and output. */
import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { UsageError } from '../../base/usage-error.ts';
import { isInside } from '../../documents/bytes.ts';
import { openPrivateFolder, type PrivateFolder, unwritableText } from '../private-folder.ts';

/** A program that is run in a private folder. */
export interface Sandbox {
  /** The private folder, for copies of what is rendered. */
  readonly folder: string;
  /**
   * Runs a program to its end.
   * @param file an absolute path
   * @returns its standard output
   * @throws Error with what it printed, or which limit it exceeded
   */
  run(file: string, args: readonly string[]): Promise<string>;
  /** Ends what still runs, and removes the private folder. */
  close(): void;
}

/** Milliseconds for one folder. */
export const TIME_LIMIT_MS = 60_000;
/** Bytes of one rendering: what a document in JSON may have. */
const OUTPUT_LIMIT = 64 * 2 ** 20;
const LONGEST_MESSAGE = 65_536;

/**
 * Returns the path of a program on the PATH. Relative entries, and those within the repositories, are left out: a
 * checkout must not bring the program.
 * @param repositories real paths
 */
export function programOnPath(name: string, repositories: readonly string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(isAbsolute);
  const found = folders.map((folder) => join(folder, name)).filter(isExecutable);
  return found.find((file) => !repositories.some((repository) => isInside(realpathSync(file), repository)));
}

/** Creates the private folder. */
export function createSandbox(limits = { time: TIME_LIMIT_MS, output: OUTPUT_LIMIT }): Sandbox {
  const running = new Set<ChildProcess>();
  const own = privateFolder(() => {
    for (const child of running) end(child);
  });
  const run = { folder: own.path, running, limits };
  return { folder: own.path, run: (file, args) => runIn(run, file, args), close: own.close };
}

/** @throws UsageError */
function privateFolder(onExit: () => void): PrivateFolder {
  try {
    return openPrivateFolder('muster-render-', onExit);
  } catch (error) {
    throw new UsageError(unwritableText(error));
  }
}

interface ProgramRun {
  readonly folder: string;
  readonly running: Set<ChildProcess>;
  readonly limits: { readonly time: number; readonly output: number };
}

function runIn({ folder, running, limits }: ProgramRun, file: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    // In a process group of its own, which can be ended as a whole.
    const child = spawn(file, args, {
      cwd: folder,
      env: environment(folder),
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.add(child);
    let exceeded: string | undefined;
    let messages: string = '';
    let size: number = 0;
    const output: Buffer[] = [];
    const exceed = (limit: string) => {
      exceeded ??= limit;
      end(child);
    };
    const timer = setTimeout(() => exceed(`it took more than ${limits.time / 1000} s`), limits.time);
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limits.output) exceed(`it printed more than ${Math.ceil(limits.output / 2 ** 20)} MiB`);
      else output.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (messages.length < LONGEST_MESSAGE) messages += chunk.toString('utf8');
    });
    child.on('error', (error) => {
      clearTimeout(timer);
      running.delete(child);
      reject(error);
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      running.delete(child);
      if (exceeded !== undefined) reject(new Error(exceeded));
      else if (code !== 0) reject(new Error(lastLine(messages) || `it ended with ${code ?? 'a signal'}`));
      else resolve(Buffer.concat(output).toString('utf8'));
    });
  });
}

/**
 * Has nothing of the user's environment: no kubeconfig, plugins, credentials or settings, and no other program on the
 * PATH. Its proxy does not exist, so that nothing can be fetched.
 */
function environment(folder: string): NodeJS.ProcessEnv {
  const proxy = 'http://127.0.0.1:9';
  const none = join(folder, 'none');
  return {
    PATH: none,
    HOME: folder,
    TMPDIR: folder,
    LC_ALL: 'C',
    XDG_CONFIG_HOME: folder,
    XDG_CACHE_HOME: folder,
    XDG_DATA_HOME: folder,
    HELM_CONFIG_HOME: folder,
    HELM_CACHE_HOME: folder,
    HELM_DATA_HOME: folder,
    HELM_PLUGINS: none,
    KUSTOMIZE_PLUGIN_HOME: none,
    KUBECONFIG: none,
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    ALL_PROXY: proxy,
    NO_PROXY: '',
  };
}

function end({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** Errors begin with `Error:` and may have several lines; kubectl logs some as `… err="…"`. */
function lastLine(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const line = (lines.findLast((one) => /^error:/i.test(one)) ?? lines.at(-1) ?? '').replace(/^error:\s*/i, '');
  return /^E\d.* err="(.*)"$/.exec(line)?.[1] ?? line;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
