/** Finds objects that folders of one cluster hold twice: they may be of different clusters, and no order is right for them. */
import { dirname, relative, resolve, sep } from 'node:path';
import { textAt } from '../../../base/json.ts';
import { plain } from '../../../base/text.ts';
import { dialectOfObject, type InputObject, keyOf, referenceTo, statOf } from '../../../cluster/files/index.ts';
import { isInside } from '../../../cluster/files/walk.ts';
import type { CheckError } from '../../output/report.ts';
import { shellQuoted } from '../../shared.ts';
import { foldersMatching } from './find.ts';
import { parseGlob } from './glob.ts';

/** Errors for more pairs of folders are counted. */
const MOST_PAIRS = 10;

interface Pair {
  readonly folders: readonly [string, string];
  /** The later of the two. */
  readonly input: InputObject;
}

/**
 * Returns an error for each pair of folders that hold the same object. Files that were named one by one are applied in that
 * order, as files of one folder are.
 * @param paths the files and folders that were named
 */
export function sameObjectErrors(documents: readonly InputObject[], paths: readonly string[]): readonly CheckError[] {
  const walked = paths.filter(isFolder).map((path) => resolve(path));
  if (walked.length === 0) return [];
  const pairs = pairsOf(documents, folderFinder(walked));
  if (pairs.length === 0) return [];
  const hint = hintFor(pairs.map(({ folders }) => folders));
  const errors = pairs.slice(0, MOST_PAIRS).map(({ folders, input }) => {
    const { kind, object, source: file, start } = input;
    const [one, other] = folders.map(shown);
    const name = textAt(object, ['metadata', 'name']);
    const message = plain(`the same ${kind} "${name}" in ${one} and ${other}; ${hint}`);
    return { file, line: start.line, column: start.column, message };
  });
  const rest = pairs.length - errors.length;
  const last = errors.at(-1);
  if (rest === 0 || last === undefined) return errors;
  const message = `${rest} more ${rest === 1 ? 'pair' : 'pairs'} of folders hold the same objects; ${hint}`;
  return [...errors, { ...last, message }];
}

/** Compares each object with the first of its name; a pair of folders counts once. */
function pairsOf(documents: readonly InputObject[], folderOf: (source: string) => string | undefined): Pair[] {
  const first = new Map<string, string>();
  const pairs = new Map<string, Pair>();
  for (const input of documents) {
    const dialect = dialectOfObject(input.object);
    const folder = dialect && folderOf(input.source);
    if (dialect === undefined || folder === undefined || !textAt(input.object, ['metadata', 'name'])) continue;
    const key = keyOf(referenceTo(dialect, input.object));
    const other = first.get(key) ?? folder;
    first.set(key, other);
    const pair = `${other}\n${folder}`;
    if (other !== folder && !pairs.has(pair)) pairs.set(pair, { folders: [other, folder], input });
  }
  return [...pairs.values()];
}

/** Returns the folder of a file that lies in one of the walked folders. */
function folderFinder(walked: readonly string[]): (source: string) => string | undefined {
  const known = new Map<string, string | undefined>();
  return (source) => {
    if (known.has(source)) return known.get(source);
    // Objects that a program rendered come from a folder.
    const folder = /\.(yaml|yml|json)$/.test(source) ? dirname(resolve(source)) : resolve(source);
    const isWalked = walked.some(
      (root) => folder === root || folder.startsWith(root.endsWith(sep) ? root : root + sep),
    );
    known.set(source, isWalked ? folder : undefined);
    return known.get(source);
  };
}

/**
 * Returns the flags by which each of the folders becomes a part of a cluster of its own: one glob with a wildcard for each name
 * from the first at which any of them differ to the last that a pair needs; or, if that would also name folders without any of
 * the objects, a glob for each folder with several clusters and the names of others.
 */
function hintFor(pairs: readonly (readonly [string, string])[]): string {
  const paths = pairs.map((pair) => pair.map((folder) => folder.split(sep)));
  const apart = paths.filter(([a = [], b = []]) => differsAt(a, b) < Math.min(a.length, b.length));
  if (apart.length < paths.length) return NESTED;
  const [first = []] = paths[0] ?? [];
  const from = Math.min(...apart.flat().map((path) => differsAt(first, path)));
  const to = Math.max(...apart.map(([a = [], b = []]) => differsAt(a, b)));
  const base = shown(first.slice(0, from).join(sep) || sep);
  const wildcards = Array<string>(to - from + 1)
    .fill('*')
    .join('/');
  const one = below(base, wildcards);
  const globs = isFitting(one, pairs.flat()) ? [one] : globsOf(apart);
  return `if these are different clusters: ${globs.map((glob) => `--clusters ${shellQuoted(glob)}`).join(' ')}`;
}

/** Returns whether each folder lies in a match of the glob, and each match holds one of the folders. */
function isFitting(glob: string, folders: readonly string[]): boolean {
  const matches = foldersMatching(parseGlob(glob, '--clusters')).roots.map(({ path }) => resolve(path));
  return (
    folders.every((folder) => matches.some((match) => isInside(folder, match))) &&
    matches.every((match) => folders.some((folder) => isInside(folder, match)))
  );
}

/** Returns a glob for the folders around several clusters, and the others by name. */
function globsOf(pairs: readonly (readonly string[][])[]): string[] {
  const found = pairs.flatMap(([a = [], b = []]) => [a, b].map((path) => path.slice(0, differsAt(a, b) + 1).join(sep)));
  // Of a folder that holds clusters, only those are clusters.
  const clusters = [...new Set(found)].filter((one) => !found.some((other) => other !== one && isInside(other, one)));
  return [...Map.groupBy(clusters, dirname)].flatMap(([parent, inner]) =>
    inner.length > 1 ? below(shown(parent), '*') : inner.map(shown),
  );
}

function below(base: string, names: string): string {
  return base === '.' ? names : `${base.replace(/\/$/, '')}/${names}`;
}

const NESTED = 'remove one; or, if these are different clusters, give each a folder of its own for --clusters GLOB';

function differsAt(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((name, index) => name !== b[index]);
  return at < 0 ? a.length : at;
}

/** Returns a folder as messages show it: relative to the current one if it lies in it. */
function shown(folder: string): string {
  const inside = relative('', folder);
  return inside === '' ? '.' : inside.startsWith('..') ? folder : inside.split(sep).join('/');
}

function isFolder(path: string): boolean {
  return path !== '-' && (statOf(path)?.isDirectory() ?? false);
}
