/**
 * Finds suites, and reads what they refer to. A suite may come with a pull request from a stranger: it reads only regular files
 * of its own repository, so that a run neither prints other files of the machine nor waits for a pipe.
 */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { readBytes, reasonOf } from '../../cluster/files/bytes.ts';
import { decode, type InputObject, objectsIn } from '../../cluster/files/index.ts';
import { filesUnder } from '../../cluster/files/walk.ts';
import { ConfigError, loadConfiguration } from '../../config/load.ts';
import { readDocuments } from '../../documents/index.ts';
import type { Policy } from '../../engine/index.ts';
import { ruleIds } from '../../rules/index.ts';
import type { CheckError } from '../output/report.ts';
import { isWithin } from '../output/safe-file.ts';
import { SUFFIXES } from './schema.ts';

/** A value, or all problems with it, one line each. */
export type Loaded<T> = { readonly value: T } | { readonly problems: readonly string[] };
type Objects = Loaded<readonly InputObject[]>;

/** The files that the suites of a run refer to; each is read once. What lies outside of the boundary is a problem. */
export interface ReferencedFiles {
  policy(file: string, boundary: string): Promise<Loaded<Policy>>;
  /** The objects in a file, or in a folder and below: its path ends in a slash. */
  objects(path: string, boundary: string): Objects;
  /** The warnings of the configurations, one line each. */
  readonly warnings: string[];
}

/** Finds the files of suites. That there are none is an error: a wrong path must not pass for a clean run. */
export function findSuites(paths: readonly string[]) {
  const { files, problems } = filesUnder(paths);
  const suites = files.filter((file) => paths.includes(file) || isSuite(file));
  const errors = problems.map(({ path, message }) => errorIn(path, message));
  if (suites.length > 0 || errors.length > 0) return { files: suites, errors };
  const message = `no suite here: suites are files named *${SUFFIXES[0]}; muster test --record writes one`;
  return { files: [], errors: [errorIn(paths[0] ?? '.', message)] };
}

/** Whether a file of a folder is a suite, by its name. */
export function isSuite(file: string): boolean {
  return SUFFIXES.some((suffix) => file.endsWith(suffix));
}

/** An error about a file as a whole. */
export function errorIn(file: string, message: string): CheckError {
  return { file, line: 1, column: 1, message };
}

/** A path in a suite is relative to the folder of the suite. */
export function pathFrom(suite: string, path: string): string {
  return isAbsolute(path) ? path : join(dirname(suite), path);
}

/**
 * Returns the folder outside of which a suite may not read: the git repository it is in; without one, the current folder, a
 * folder that the command line names, or else its own.
 * @param named the paths of the command line
 */
export function boundaryOf(suite: string, named: readonly string[]): string {
  const own = realPath(dirname(resolve(suite)));
  for (let folder = own; folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
  }
  const folders = named.filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory());
  const around = [process.cwd(), ...folders].map((folder) => realPath(resolve(folder)));
  return around.find((folder) => isWithin(folder, own)) ?? own;
}

/** Returns why a suite may not read a file, or a folder (with a slash at its end); undefined if it may. */
export function accessProblem(path: string, boundary: string): string | undefined {
  try {
    // Does not say whether anything is there.
    if (!isWithin(boundary, realPath(resolve(path))))
      return `it lies outside of ${boundary}, and a suite may only read files in there`;
    const stat = statSync(path);
    if (path.endsWith('/')) return stat.isDirectory() ? undefined : 'it is not a folder';
    if (stat.isDirectory()) return 'it is a folder';
    return stat.isFile() ? undefined : 'it is a pipe, a socket or a device: name a regular file';
  } catch (error) {
    return `can't read it: ${reasonOf(error)}`;
  }
}

/** Returns the text of a suite, or of a file that it names. */
export function suiteText(file: string, boundary: string): Loaded<string> {
  const problem = accessProblem(file, boundary);
  return problem === undefined ? textOf(file) : { problems: [problem] };
}

function textOf(file: string): Loaded<string> {
  try {
    const read = decode(readBytes(file), file);
    return 'text' in read ? { value: read.text } : { problems: [read.message] };
  } catch (error) {
    return { problems: [`can't read it: ${reasonOf(error)}`] };
  }
}

/** @param now milliseconds since the epoch, for expired exceptions */
export function createReferencedFiles(now: number): ReferencedFiles {
  const policies = new Map<string, Promise<Loaded<Policy>>>();
  const files = new Map<string, Objects>();
  const warnings: string[] = [];
  // Boundaries differ between suites: each access is checked, whether the file was read before or not.
  const refused = (path: string, boundary: string) => {
    const problem = accessProblem(path, boundary);
    return problem === undefined ? undefined : { problems: [`${path}: ${problem}`] };
  };
  const objects = (path: string, boundary: string): Objects => {
    const problem = refused(path, boundary);
    if (problem !== undefined) return problem;
    if (!path.endsWith('/')) return remembered(files, path, () => objectsOf(path));
    const { files: found, problems } = filesUnder([path]);
    const failed = problems.map((one) => `${one.path}: ${one.message}`);
    return joined([{ problems: failed }, ...found.map((file) => objects(file, boundary))]);
  };
  const policy = async (file: string, boundary: string) =>
    refused(file, boundary) ?? remembered(policies, file, () => policyIn(file, now, warnings));
  return { warnings, objects, policy };
}

function remembered<T>(known: Map<string, T>, key: string, read: () => T): T {
  const value = known.get(key) ?? read();
  known.set(key, value);
  return value;
}

async function policyIn(file: string, now: number, warnings: string[]): Promise<Loaded<Policy>> {
  try {
    const loaded = await loadConfiguration(file, ruleIds, now);
    warnings.push(...loaded.warnings);
    return { value: loaded.policy };
  } catch (error) {
    if (error instanceof ConfigError) return { problems: error.problems };
    throw error;
  }
}

function objectsOf(file: string): Objects {
  const text = textOf(file);
  if ('problems' in text) return { problems: text.problems.map((problem) => `${file}: ${problem}`) };
  const { documents, errors } = readDocuments(text.value, file);
  const found = documents.map(objectsIn);
  const problems = [...errors, ...found.flatMap((one) => one.errors)].map(
    ({ source, line, column, message }) => `${source}:${line}:${column}: ${message}`,
  );
  return problems.length > 0 ? { problems } : { value: found.flatMap((one) => one.objects) };
}

function joined(parts: readonly Objects[]): Objects {
  const problems = parts.flatMap((part) => ('problems' in part ? part.problems : []));
  return problems.length > 0 ? { problems } : { value: parts.flatMap((part) => ('value' in part ? part.value : [])) };
}

/** The real path; of what does not exist, that of the nearest folder above it. */
function realPath(path: string): string {
  return existsSync(path) || path === dirname(path) ? realpathSync(path) : realPath(dirname(path));
}
