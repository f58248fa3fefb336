/** Runs kustomize and helm without the user's settings and without other programs. */
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { UsageError } from '../../base/usage-error.ts';
import { isInside } from '../../documents/files.ts';
import { openPrivateFolder, type PrivateFolder, unwritableText } from '../private-folder.ts';
import { run } from '../run-program.ts';

/** A private folder in which programs run. */
export interface Sandbox extends Pick<PrivateFolder, 'folder' | 'close'> {
  /**
   * Runs a program to its end, and returns its standard output.
   * @param file an absolute path
   * @throws Error with what it printed, or which limit it exceeded
   */
  run(file: string, args: readonly string[]): Promise<string>;
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

/** Creates a private folder, for copies of what is rendered, in which programs run. @throws UsageError */
export function createSandbox(limits = { timeoutMs: TIME_LIMIT_MS, mostBytes: OUTPUT_LIMIT }): Sandbox {
  const { folder, running, close } = privateFolder();
  const context = { folder, env: environment(folder), running };
  return {
    folder,
    async run(file, args) {
      const { code, stdout, stderr } = await run(context, file, args, limits);
      if (code !== 0) throw new Error(errorIn(stderr) || `it ended with ${code ?? 'a signal'}`);
      return stdout.toString('utf8');
    },
    close,
  };
}

function privateFolder(): PrivateFolder {
  try {
    return openPrivateFolder('muster-render-');
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

/** What kubectl logs before an error: `… err="…"`, or `… err=<`, an error in several lines and ` >`. */
const QUOTED = ' err="';
const INDENTED = ' err=<';

/**
 * Returns the error in one line. It begins with `Error:` and ends at an empty line, or kubectl logs it. The time is
 * linear in the length of the text, which files of the repository can determine.
 */
function errorIn(text: string): string {
  const lines = text.trimEnd().split('\n');
  const logged = lines.findIndex((line) => /^E\d/.test(line) && (isQuoted(line) || line.endsWith(INDENTED)));
  const line = lines[logged] ?? '';
  if (isQuoted(line)) return line.slice(line.indexOf(QUOTED) + QUOTED.length, -1).replace(/\\(["\\])/g, '$1');
  if (logged >= 0) return inOneLine(linesUntil(lines.slice(logged + 1), (one) => one === ' >'));
  const begin = lines.findLastIndex((one) => /^error:/i.test(one));
  const [first = '', ...others] = lines.slice(begin);
  return inOneLine([first.replace(/^error:/i, ''), ...linesUntil(others, (one) => one.trim() === '')]);
}

function isQuoted(line: string): boolean {
  const begin = line.indexOf(QUOTED);
  return begin >= 0 && line.endsWith('"') && begin + QUOTED.length < line.length;
}

function linesUntil(lines: readonly string[], isEnd: (line: string) => boolean): readonly string[] {
  const end = lines.findIndex(isEnd);
  return end < 0 ? lines : lines.slice(0, end);
}

function inOneLine(lines: readonly string[]): string {
  return lines.flatMap((line) => line.trim() || []).join(' ');
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
