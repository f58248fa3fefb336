/** Runs kustomize and helm without the user's settings and without other programs. */
import type { ChildProcess } from 'node:child_process';
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { UsageError } from '../../base/usage-error.ts';
import { isInside } from '../../documents/files.ts';
import { openPrivateFolder, type PrivateFolder, unwritableText } from '../private-folder.ts';
import { endAll, run } from '../run-program.ts';

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

/** The most milliseconds for one folder. */
const TIME_LIMIT_MS = 60_000;
/** The most bytes of one rendering, as of a document in JSON. */
const OUTPUT_LIMIT = 64 * 2 ** 20;

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
export function createSandbox(limits = { timeoutMs: TIME_LIMIT_MS, mostBytes: OUTPUT_LIMIT }): Sandbox {
  const running = new Set<ChildProcess>();
  const own = privateFolder(() => endAll(running));
  const context = { folder: own.path, env: environment(own.path), running };
  return {
    folder: own.path,
    async run(file, args) {
      const { code, stdout, stderr } = await run(context, file, args, limits);
      if (code !== 0) throw new Error(errorIn(stderr) || `it ended with ${code ?? 'a signal'}`);
      return stdout.toString('utf8');
    },
    close: own.close,
  };
}

/** @throws UsageError */
function privateFolder(onExit: () => void): PrivateFolder {
  try {
    return openPrivateFolder('muster-render-', onExit);
  } catch (error) {
    throw new UsageError(unwritableText(error));
  }
}

/**
 * Returns an environment without the user's kubeconfig, plugins, credentials and settings, and without other programs
 * on the PATH. Its proxy does not exist, so that nothing can be fetched.
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

/**
 * Returns the error in one line. It begins with `Error:` and ends at an empty line; kubectl logs some as `… err="…"`,
 * and one with several lines as `… err=<`, the lines, ` >`.
 */
function errorIn(text: string): string {
  const logged = /^E\d[^\n]*? err=(?:"([^\n]*)"|<\n(.*?)\n >)$/ms.exec(text);
  if (logged) return inOneLine(logged[1]?.replace(/\\(["\\])/g, '$1') ?? logged[2] ?? '');
  const lines = text.trimEnd().split('\n');
  const begin = lines.findLastIndex((line) => /^error:/i.test(line));
  const [paragraph = ''] =
    begin < 0
      ? lines.slice(-1)
      : lines
          .slice(begin)
          .join('\n')
          .split(/\n\s*\n/);
  return inOneLine(paragraph.replace(/^error:/i, ''));
}

function inOneLine(text: string): string {
  return text.trim().replace(/\s*\n\s*/g, ' ');
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
