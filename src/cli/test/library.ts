/** What suites refer to: configurations and manifests in files of their own, each read once a run. */
import { dirname, isAbsolute, join } from 'node:path';
import { readBytes } from '../../cluster/files/bytes.ts';
import { decode, type GivenObject, type ObjectError, objectsIn } from '../../cluster/files/index.ts';
import { reasonOf } from '../../cluster/files/reason.ts';
import { filesUnder } from '../../cluster/files/walk.ts';
import { ConfigError, loadConfiguration } from '../../config/load.ts';
import { readDocuments } from '../../documents/index.ts';
import type { Policy } from '../../engine/index.ts';
import { ruleIds } from '../../rules/index.ts';
import { fileProblem, folderProblem } from './boundary.ts';

/** What was asked for, or all that is wrong with it, one line each. */
export type Loaded<T> = { readonly value: T } | { readonly problems: readonly string[] };
type Objects = Loaded<readonly GivenObject[]>;

export interface Library {
  /** The configuration in a file. What lies outside of the boundary is a problem, for this and for the others. */
  policy(file: string, boundary: string): Promise<Loaded<Policy>>;
  /** The objects in a file. */
  objects(file: string, boundary: string): Objects;
  /** The objects in a folder and below. */
  folder(path: string, boundary: string): Objects;
  /** What the configurations warn of, one line each. */
  readonly warnings: readonly string[];
}

/** `now`, in milliseconds since the epoch, tells which exceptions are over. */
export function createLibrary(now: number): Library {
  const policies = new Map<string, Promise<Loaded<Policy>>>();
  const files = new Map<string, Objects>();
  const warnings: string[] = [];
  const objects = (file: string, boundary: string): Objects => {
    const problem = fileProblem(file, boundary);
    return problem === undefined ? remembered(files, file, () => objectsOf(file)) : refused(file, problem);
  };
  return {
    warnings,
    async policy(file, boundary) {
      const problem = fileProblem(file, boundary);
      return problem === undefined
        ? remembered(policies, file, () => policyIn(file, now, warnings))
        : refused(file, problem);
    },
    objects,
    folder(path, boundary) {
      const outside = folderProblem(path, boundary);
      if (outside !== undefined) return refused(path, outside);
      const { files: found, problems } = filesUnder([path]);
      return joined([
        { problems: problems.map((problem) => `${problem.path}: ${problem.message}`) },
        ...found.map((file) => objects(file, boundary)),
      ]);
    },
  };
}

function refused(path: string, problem: string): { readonly problems: readonly string[] } {
  return { problems: [`${path}: ${problem}`] };
}

/** A path that a suite names: it counts from the folder that the suite lies in. */
export function pathFrom(suite: string, path: string): string {
  return isAbsolute(path) ? path : join(dirname(suite), path);
}

/** The text of a regular file, or why it can't be had. */
function textOf(file: string): Loaded<string> {
  try {
    const read = decode(readBytes(file), file);
    return 'text' in read ? { value: read.text } : { problems: [read.message] };
  } catch (error) {
    return { problems: [`can't read it: ${reasonOf(error)}`] };
  }
}

/** The text of a suite. */
export function suiteText(file: string, boundary: string): Loaded<string> {
  const problem = fileProblem(file, boundary);
  return problem === undefined ? textOf(file) : { problems: [problem] };
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
  const problems = [...errors, ...found.flatMap((one) => one.errors)].map(lineOf);
  return problems.length > 0 ? { problems } : { value: found.flatMap((one) => one.objects) };
}

function joined(parts: readonly Objects[]): Objects {
  const problems = parts.flatMap((part) => ('problems' in part ? part.problems : []));
  if (problems.length > 0) return { problems };
  return { value: parts.flatMap((part) => ('value' in part ? part.value : [])) };
}

function lineOf({ source, line, column, message }: ObjectError): string {
  return `${source}:${line}:${column}: ${message}`;
}
