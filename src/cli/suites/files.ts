/**
 * Finds suites, and reads what they refer to. A suite may come with a pull request from a stranger: it reads only
 * regular files of its own repository, so that a run neither prints other files of the machine nor waits for a pipe.
 */
import { statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { getOrInsert } from '../../base/collections.ts';
import { ConfigError, loadConfiguration } from '../../config/load.ts';
import {
  checkoutAround,
  errorAbout,
  isFolder,
  isInside,
  nearestRealPath,
  readText,
  reasonOf,
} from '../../documents/files.ts';
import type { Policy } from '../../engine/index.ts';
import { type Input, readObjects } from '../../input/sources.ts';
import { filesUnder } from '../../input/walk.ts';
import { ruleIds } from '../../rules/index.ts';
import { SUFFIXES } from './suite-schema.ts';

/** Reports a problem with a file. */
type Refuse = (problem: string) => undefined;

/** What reading a suite needs. */
export interface SuiteContext {
  readonly files: ReferencedFiles;
  /** The folder outside of which the suite may not read. */
  readonly boundary: string;
  /** The policy of suites without a configuration. */
  readonly policy: Policy | undefined;
  /** Milliseconds since the epoch, for expired exceptions. */
  readonly now: number;
}

/** Objects that muster evaluates, and those that it only reads. */
export type SuiteObjects = Pick<Input, 'objects' | 'supporting'>;

/** The files that the suites of a run refer to; each is read once. Returns undefined for what is refused. */
interface ReferencedFiles {
  policy(file: string, boundary: string, refuse: Refuse): Promise<Policy | undefined>;
  /** Returns what muster reads in a file, or in a folder and below. */
  objects(path: string, boundary: string, refuse: Refuse): Promise<SuiteObjects | undefined>;
  /** The warnings of the configurations, one line each. */
  readonly warnings: string[];
  /** The files that were read so far. */
  readonly read: ReadonlySet<string>;
}

/** Finds the files of suites. That there are none is an error: a wrong path must not pass for a clean run. */
export function findSuites(paths: readonly string[]) {
  const { files, problems: errors } = filesUnder(paths);
  const suites = files.filter((file) => paths.includes(file) || isSuite(file));
  if (suites.length > 0 || errors.length > 0) return { files: suites, errors };
  const message = `no suite here: suites are files named *${SUFFIXES[0]}; muster test --record writes one`;
  return { files: [], errors: [errorAbout(paths[0] ?? '.', message)] };
}

/** Returns whether a file is a suite, by its name. */
export function isSuite(file: string): boolean {
  return SUFFIXES.some((suffix) => file.endsWith(suffix));
}

/** A path in a suite is relative to the folder of the suite. */
export function pathFrom(suite: string, path: string): string {
  return isAbsolute(path) ? path : join(dirname(suite), path);
}

/**
 * Returns the folder outside of which a suite may not read: the git repository it is in; without one, the current
 * folder, a folder that the command line names, or else its own.
 * @param named the paths of the command line
 */
export function boundaryOf(suite: string, named: readonly string[]): string {
  const own = nearestRealPath(dirname(resolve(suite)));
  const checkout = checkoutAround(own);
  if (checkout !== undefined) return checkout;
  const folders = named.filter(isFolder);
  const around = [process.cwd(), ...folders].map((folder) => nearestRealPath(resolve(folder)));
  return around.find((folder) => isInside(own, folder)) ?? own;
}

/** Returns why a suite may not read a file or a folder; undefined if it may. */
export function accessProblem(path: string, boundary: string): string | undefined {
  try {
    // The message does not show whether the path exists.
    if (!isInside(nearestRealPath(resolve(path)), boundary))
      return `it is outside of ${boundary}, and a suite may only read files in there`;
    const stat = statSync(path);
    if (stat.isDirectory() || stat.isFile()) return undefined;
    return 'it is a pipe, a socket or a device: name a regular file';
  } catch (error) {
    return `can't read it: ${reasonOf(error)}`;
  }
}

/** Returns the text of a suite. */
export function suiteText(file: string, boundary: string, refuse: Refuse): string | undefined {
  const problem = accessProblem(file, boundary);
  if (problem !== undefined) return refuse(problem);
  const read = readText(file);
  return 'text' in read ? read.text : refuse(read.message);
}

/** Returns a reader of files that suites refer to. @param now milliseconds since the epoch, for expired exceptions */
export function createReferencedFiles(now: number): ReferencedFiles {
  const policies = new Map<string, Promise<Policy>>();
  const inputs = new Map<string, Promise<Input>>();
  const warnings: string[] = [];
  const read = new Set<string>();
  const load = async (file: string) => {
    read.add(file);
    const loaded = await loadConfiguration(file, ruleIds, now);
    warnings.push(...loaded.warnings);
    return loaded.policy;
  };
  // Boundaries differ between suites: each access is checked, whether the file was read before or not.
  const policy: ReferencedFiles['policy'] = async (file, boundary, refuse) => {
    const problem = accessProblem(file, boundary);
    if (problem !== undefined) return refuse(`${file}: ${problem}`);
    try {
      return await getOrInsert(policies, file, () => load(file));
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      return refuseEach(error.problems, refuse);
    }
  };
  const onFileRead = (file: string) => void read.add(file);
  const objects: ReferencedFiles['objects'] = async (path, boundary, refuse) => {
    const problem = accessProblem(path, boundary);
    if (problem !== undefined) return refuse(`${path}: ${problem}`);
    const key = `${boundary}\n${path}`;
    const input = await getOrInsert(inputs, key, () => readObjects([path], { bounds: boundary, onFileRead }));
    const problems = input.errors.map((one) => `${one.file}:${one.line}:${one.column}: ${one.message}`);
    return problems.length > 0 ? refuseEach(problems, refuse) : input;
  };
  return { warnings, read, objects, policy };
}

function refuseEach(problems: readonly string[], refuse: Refuse): undefined {
  for (const problem of problems) refuse(problem);
}
