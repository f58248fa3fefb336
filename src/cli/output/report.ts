/** A CheckReport, of `check` or of `scan`, in every format. */
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { CheckReport, FailOn } from '../check/report.ts';
import type { Output, Renderings } from './destination.ts';

/** What a report does not say of itself. */
export interface Reporting {
  /** `muster check`, `muster scan`: the name of a test run in JUnit. */
  readonly command: string;
  readonly failOn: FailOn;
  /** What the run ends with. */
  readonly exitCode: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The folder that others see the files in: `rootOf(process.env, process.cwd())`. Undefined: what the report calls files are none. */
  readonly root: string | undefined;
}

/** The renderings for `emit`. A format that no output asks for is not even loaded. */
export async function renderingsOf(
  report: CheckReport,
  outputs: readonly Output[],
  reporting: Reporting,
): Promise<Renderings> {
  const asked = (format: string) => outputs.some((output) => output.format === format);
  const [text, junit, sarif, github] = await Promise.all([
    import('./check-text.ts'),
    asked('junit') ? import('./check-junit.ts') : undefined,
    asked('sarif') ? import('./sarif.ts') : undefined,
    asked('github') ? import('./github.ts') : undefined,
  ]);
  return {
    text: (paint) => text.checkLines(report, paint),
    json: () => report,
    ...(junit && { junit: () => junit.checkJunit(report, reporting) }),
    ...(sarif && { sarif: () => sarif.sarifLog(report, reporting) }),
    ...(github && { github: () => github.githubLines(report, reporting) }),
  };
}

/** Where the repository lies that the files are of: what a CI system says, if we stand in it; else the current folder. */
export function rootOf(environment: Readonly<Record<string, string | undefined>>, current: string): string {
  const workspace = environment['GITHUB_WORKSPACE'];
  return workspace && within(workspace, current) !== undefined ? workspace : current;
}

/** A path relative to a folder, with `/`; undefined where it lies outside. */
export function within(folder: string, path: string): string | undefined {
  const way = relative(folder, resolve(path));
  if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) return undefined;
  return sep === '/' ? way : way.replaceAll(sep, '/');
}
