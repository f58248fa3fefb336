/**
 * Finds objects that the files of one cluster hold twice. The files may belong to different clusters, so neither object
 * can be taken for an update of the other.
 */
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { getOrInsert } from '../../base/collections.ts';
import { textAt } from '../../base/json.ts';
import { counted, escapeControls, quoted, shellQuoted } from '../../base/text.ts';
import { UsageError } from '../../base/usage-error.ts';
import { ancestorsOf, isFolder, isInside, pathIn } from '../../documents/files.ts';
import { type InputObject, keyOfObject } from '../objects.ts';
import type { PlacedMessage } from '../place.ts';
import { STDIN } from '../sources.ts';
import { isManifestPath } from '../walk.ts';
import { foldersMatching } from './find.ts';
import { parseGlob } from './glob.ts';

/** The most pairs of folders with an error each; further ones are counted. */
const MOST_PAIRS = 10;

/**
 * Returns an error for each pair of folders that hold the same object. Files that were named one by one are applied in
 * that order, as files of one folder are.
 * @param folders the folders that were named
 * @param fix what to do, in place of the flags that name the clusters
 */
export function sameObjectErrors(
  documents: readonly InputObject[],
  folders: readonly string[],
  fix?: string,
): readonly PlacedMessage[] {
  const walked = folders.map((path) => resolve(path));
  const { pairs, copies } = duplicatesOf(documents, folderFinder(walked));
  if (pairs.length === 0) return [];
  const hint = fix ?? hintFor(copies);
  const errors = pairs.slice(0, MOST_PAIRS).map(({ folders, input }) => {
    const { kind, object, file, start } = input;
    const [one, other] = folders.map(shown);
    const name = textAt(object, ['metadata', 'name']);
    const message = escapeControls(`the same ${kind} "${name}" in ${one} and ${other}; ${hint}`);
    return { file, ...start, message };
  });
  const rest = pairs.length - errors.length;
  const last = errors.at(-1);
  if (rest === 0 || last === undefined) return errors;
  const message = `${counted(rest, 'more pair')} of folders hold the same objects; ${hint}`;
  return [...errors, { ...last, message }];
}

/** Returns a function that says of an object in which earlier file the same one is; undefined if in none. */
export function sameObjectFinder(): (input: InputObject) => string | undefined {
  const files = new Map<string, string>();
  return ({ object, kind, file }) => {
    const key = keyOfObject(object);
    const first = key === undefined ? file : getOrInsert(files, key, () => file);
    if (first === file) return undefined;
    const name = quoted(textAt(object, ['metadata', 'name']));
    return `the same ${kind} "${name}" is in ${escapeControls(first)} and ${escapeControls(file)}`;
  };
}

/**
 * Compares each object with the first of its name. Returns the pairs of folders that hold the same object, each pair
 * once, with its later object; and the folders of each object that is in several.
 */
function duplicatesOf(documents: readonly InputObject[], folderOf: (file: string) => string | undefined) {
  const foldersOf = new Map<string, Set<string>>();
  const pairs = new Map<string, { readonly folders: readonly [string, string]; readonly input: InputObject }>();
  for (const input of documents) {
    const key = keyOfObject(input.object);
    const folder = folderOf(input.file);
    if (key === undefined || folder === undefined) continue;
    const folders = getOrInsert(foldersOf, key, () => new Set<string>()).add(folder);
    const [first = folder] = folders;
    const pair = `${first}\n${folder}`;
    if (first !== folder && !pairs.has(pair)) pairs.set(pair, { folders: [first, folder], input });
  }
  const copies = [...foldersOf.values()].filter(({ size }) => size > 1).map((folders) => [...folders]);
  return { pairs: [...pairs.values()], copies };
}

/** Returns the folder of a file that lies in one of the walked folders. */
function folderFinder(walked: readonly string[]): (file: string) => string | undefined {
  const known = new Map<string, string | undefined>();
  return (file) => {
    if (known.has(file)) return known.get(file);
    const path = resolve(file);
    // Objects that a program rendered come from a folder.
    const isRendered = !isManifestPath(basename(path)) && isFolder(path);
    const folder = isRendered ? path : dirname(path);
    const isWalked = file !== STDIN && walked.some((root) => isInside(folder, root));
    known.set(file, isWalked ? folder : undefined);
    return known.get(file);
  };
}

/**
 * Returns the flags with which no cluster holds an object twice: one glob, if it names these folders and no others;
 * else a glob for each folder with several clusters, and the paths of the others.
 */
function hintFor(copies: readonly (readonly string[])[]): string {
  const folders = copies.flat();
  const [first = ''] = folders;
  const common = ancestorsOf(first, sep).find((at) => folders.every((folder) => isInside(folder, at))) ?? sep;
  const clusters = splitFolder(common, copies);
  if (clusters === undefined) return NESTED;
  const depth = Math.max(...clusters.map((one) => namesBelow(common, one).length));
  const one = below(shown(common), Array<string>(depth).fill('*').join('/'));
  const globs = isFitting(one, folders) ? [one] : globsOf(clusters);
  return `if these are different clusters: ${globs.map((glob) => `--clusters ${shellQuoted(glob)}`).join(' ')}`;
}

/**
 * Returns the highest folders that hold no object twice; undefined if one holds an object that a folder below it holds,
 * too.
 */
function splitFolder(at: string, copies: readonly (readonly string[])[]): string[] | undefined {
  const twice = copies.map((folders) => folders.filter((one) => isInside(one, at))).filter((one) => one.length > 1);
  if (twice.length === 0) return [at];
  if (twice.some((folders) => folders.includes(at))) return undefined;
  const children = new Set(copies.flat().flatMap((one) => (isInside(one, at) ? namesBelow(at, one).slice(0, 1) : [])));
  const found = [...children].map((name) => splitFolder(join(at, name), copies));
  return found.some((one) => one === undefined) ? undefined : found.flatMap((one) => one ?? []);
}

function namesBelow(folder: string, path: string): string[] {
  return relative(folder, path).split(sep).filter(Boolean);
}

/** Returns whether each folder lies in a match of the glob, and each match holds one of the folders. */
function isFitting(glob: string, folders: readonly string[]): boolean {
  const matches = matchesOf(glob);
  return (
    folders.every((folder) => matches.some((match) => isInside(folder, match))) &&
    matches.every((match) => folders.some((folder) => isInside(folder, match)))
  );
}

/** Returns the folders that match a glob; none if a folder on the way can't be read. */
function matchesOf(glob: string): readonly string[] {
  try {
    return foldersMatching(parseGlob(glob, '--clusters')).roots.map(({ path }) => resolve(path));
  } catch (error) {
    if (error instanceof UsageError) return [];
    throw error;
  }
}

/** Returns a glob for each folder that holds several clusters and nothing else, and the others by name. */
function globsOf(clusters: readonly string[]): string[] {
  return [...Map.groupBy(clusters, dirname)].flatMap(([parent, inner]) => {
    const glob = below(shown(parent), '*');
    return inner.length > 1 && isFitting(glob, inner) ? glob : inner.map(shown);
  });
}

function below(base: string, names: string): string {
  return base === '.' ? names : `${base.replace(/\/$/, '')}/${names}`;
}

const NESTED = 'remove one; or, if these are different clusters, give each a folder of its own for --clusters GLOB';

/** Returns a folder as messages show it: relative to the current one if it lies in it. */
function shown(folder: string): string {
  const inside = pathIn('', folder);
  return inside === '' ? '.' : (inside ?? folder);
}
