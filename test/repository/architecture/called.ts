/** Which source files a program calls, by V8's own coverage, against those that docs/architecture.md lists. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newFolder } from '../../support/folder.ts';
import { until } from '../../support/until.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PAGE = 'docs/architecture.md';

/** What the page names by its folder: the rules, the kinds as data, and what is generated. */
const BY_FOLDER = /^src\/(rules|api|base)\/|\.generated\.ts$/;

/** Every 10 s the server reads its certificate again, and at first and then once a minute it checks its cluster. */
const AT_ANY_TIME = [
  'src/cluster/cluster-monitor.ts',
  'src/cluster/live/discovery.ts',
  'src/cli/serve/certificate.ts',
  'src/certificates/load-certificate.ts',
  'src/watch/watch-files.ts',
];

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
    }[];
  }[];
}

/** Records the calls of a process that is started with `env`. */
export interface Recorder {
  readonly env: Readonly<Record<string, string>>;
  /**
   * Returns the files of which a function was called from the last `during` to the log line of this request, sorted.
   * @param line what the line says: another one may come first
   */
  during(
    server: { readonly pid: number | undefined; log(): string },
    request: () => Promise<unknown>,
    line?: string,
  ): Promise<string[]>;
  /** Returns the same of a process that has ended. */
  files(): string[];
}

/** Makes the folder that the process writes its coverage to: one file for each period, which SIGUSR2 ends. */
export function createRecorder(): Recorder {
  const folder = newFolder().path;
  const hook = 'import v8 from "node:v8"; process.on("SIGUSR2", () => v8.takeCoverage());';
  const seen = new Set<string>();
  const written = () => readdirSync(folder).filter((name) => !seen.has(name));
  const read = (): Coverage | undefined => {
    try {
      return JSON.parse(readFileSync(join(folder, written()[0] ?? ''), 'utf8'));
    } catch {
      return undefined; // Not there, or not whole yet.
    }
  };
  const files = () => {
    const coverage = read();
    for (const name of written()) seen.add(name);
    return filesCalled(coverage?.result ?? []);
  };
  return {
    env: { NODE_V8_COVERAGE: folder, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}` },
    during: async ({ pid = 0, log }, request, line = '"msg":"decision"') => {
      const before = log().length;
      await request();
      await until(() => log().slice(before).includes(line), 20_000);
      process.kill(pid, 'SIGUSR2');
      await until(() => read() !== undefined, 20_000);
      return files();
    },
    files,
  };
}

/** The function at offset 0 is the module itself, which runs once, when it is loaded. */
function filesCalled(scripts: Coverage['result']): string[] {
  const called = scripts.filter(({ functions }) =>
    functions.some(({ ranges: [range] }) => range !== undefined && range.startOffset > 0 && range.count > 0),
  );
  const paths = called.filter(({ url }) => url.startsWith(`file://${ROOT}src/`)).map(({ url }) => fileURLToPath(url));
  const ours = paths.map((path) => path.slice(ROOT.length)).filter((path) => !BY_FOLDER.test(path));
  return [...new Set(ours)].sort();
}

/**
 * Returns the files that the numbered list of a section names: those before the colon of each item; the text after it
 * may name others. A path that does not begin with `src/` lies in the folder of the file before it.
 */
export function listedFiles(section: string): string[] {
  const heads = textOf(section).match(/^\d+\. [^:]*/gm) ?? [];
  const listed = heads.flatMap((head) => {
    let folder = '';
    return [...head.matchAll(/`([\w./-]+\.ts)`/g)].map(([, name = '']) => {
      if (!name.startsWith('src/')) return `${folder}${name}`;
      folder = name.slice(0, name.lastIndexOf('/') + 1);
      return name;
    });
  });
  return listed.filter((path) => !BY_FOLDER.test(path));
}

/**
 * Returns what is wrong with a section of the page, given the files that were called; those of `other` sections may be
 * left out.
 */
export function mistakesOf(section: string, called: readonly string[], ...other: readonly string[]): string[] {
  const listed = listedFiles(section);
  const known = [...listed, ...other.flatMap(listedFiles), ...AT_ANY_TIME];
  const said = Number(/\b(\d+) files\b/.exec(textOf(section))?.[1]);
  return [
    ...called.filter((file) => !known.includes(file)).map((file) => `${file} is called but not listed`),
    ...listed.filter((file) => !called.includes(file)).map((file) => `${file} is listed but not called`),
    ...listed.filter((file, index) => listed.indexOf(file) !== index).map((file) => `${file} is listed twice`),
    ...(said === listed.length ? [] : [`it says "${said} files" and lists ${listed.length}`]),
  ].map((mistake) => `${PAGE}, "${section}": ${mistake}`);
}

function textOf(section: string): string {
  const text = readFileSync(join(ROOT, PAGE), 'utf8');
  return text.split(/^## /m).find((part) => part.startsWith(`${section}\n`)) ?? '';
}
