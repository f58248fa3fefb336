/**
 * What a suite may read: regular files of its own repository. A suite may come with a pull request from a stranger; it must not
 * make a run print other files of the machine, or wait for a pipe for ever.
 */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { reasonOf } from '../../cluster/files/reason.ts';
import { isWithin } from '../output/safe-file.ts';

/**
 * The folder beyond which a suite may not look: the git repository it lies in; without one, the current folder, one
 * that the command line names, or else its own.
 * @param named the paths of the command line
 */
export function boundaryOf(suite: string, named: readonly string[]): string {
  const own = realPath(dirname(resolve(suite)));
  for (let folder = own; folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
  }
  const folders = named.filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory());
  const around = [process.cwd(), ...folders]
    .map((folder) => realPath(resolve(folder)))
    .find((folder) => isWithin(folder, own));
  return around ?? own;
}

/** Why a file may not be read; undefined where it may. */
export function fileProblem(file: string, boundary: string): string | undefined {
  return problemOf(file, boundary, (stat) => {
    if (stat.isDirectory()) return 'it is a folder';
    return stat.isFile() ? undefined : 'it is a pipe, a socket or a device: name a regular file';
  });
}

/** The same for a folder. */
export function folderProblem(folder: string, boundary: string): string | undefined {
  return problemOf(folder, boundary, (stat) => (stat.isDirectory() ? undefined : 'it is not a folder'));
}

type Stat = ReturnType<typeof statSync>;

function problemOf(path: string, boundary: string, kind: (stat: NonNullable<Stat>) => string | undefined) {
  try {
    if (!isWithin(boundary, realPath(resolve(path)))) return outside(boundary);
    return kind(statSync(path));
  } catch (error) {
    return `can't read it: ${reasonOf(error)}`;
  }
}

/** Does not say whether anything is there. */
function outside(boundary: string): string {
  return `it lies outside of ${boundary}, and a suite reads only what is in there`;
}

/** Of what does not exist, that of the nearest folder above it. */
function realPath(path: string): string {
  return existsSync(path) || path === dirname(path) ? realpathSync(path) : realPath(dirname(path));
}
