/** Which files are suites: those that are named, and in folders those that are called so. */
import { filesUnder } from '../../cluster/files/walk.ts';
import type { CheckError } from '../output/report.ts';
import { SUFFIXES } from './suite.ts';

export interface Found {
  readonly files: readonly string[];
  readonly errors: readonly CheckError[];
}

/** Finds the files of the suites; that there are none is an error, for a wrong path must not pass for a clean run. */
export function findSuites(paths: readonly string[]): Found {
  const { files, problems } = filesUnder(paths);
  const suites = files.filter((file) => paths.includes(file) || isSuite(file));
  const errors = problems.map(({ path, message }) => errorIn(path, message));
  if (suites.length > 0 || errors.length > 0) return { files: suites, errors };
  const message = `no suite here: their files are called *${SUFFIXES[0]}; muster test --record writes one`;
  return { files: [], errors: [errorIn(paths[0] ?? '.', message)] };
}

/** Whether a folder's file of this name is a suite. */
export function isSuite(file: string): boolean {
  return SUFFIXES.some((suffix) => file.endsWith(suffix));
}

/** What is wrong with a file as a whole. */
export function errorIn(file: string, message: string): CheckError {
  return { file, line: 1, column: 1, message };
}
