/**
 * Distinguishes deleted objects from others: those that the working tree keeps, and those that only moved into or out
 * of the named paths. An object that is gone from one place moved if it is new in another. A copy that was in another
 * file before is no move.
 */
import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isFolder, isInside, pathIn, upwardSearch } from '../../documents/files.ts';
import { chartIn } from '../layouts/chart.ts';
import { kustomizationAt } from '../layouts/kustomization.ts';
import { DESCRIPTION_NAMES } from '../layouts/layout.ts';
import { workingTree } from '../layouts/tree.ts';
import { dialectOfObject, type InputObject, keyOfObject, withCluster } from '../objects.ts';
import { readObjects } from '../sources.ts';
import { isManifestPath } from '../walk.ts';
import { type RevisionTree, untracked } from './revision-tree.ts';

export type ByIdentity = ReadonlyMap<string, InputObject>;

/**
 * Returns the identity of an object: cluster, kind in any version, namespace, name. Undefined for other kinds, or
 * without a name.
 */
export function identityOf(input: InputObject): string | undefined {
  const key = keyOfObject(input.object);
  return key && `${input.cluster ?? ''}\n${key}`;
}

/** Keeps the first object of each identity. */
export function byIdentity(objects: readonly InputObject[]): ByIdentity {
  const found = new Map<string, InputObject>();
  for (const input of objects) {
    const identity = identityOf(input);
    if (identity !== undefined && !found.has(identity)) found.set(identity, input);
  }
  return found;
}

/**
 * Returns a test whether an object of the working tree keeps the same object of the revision, so that it is not
 * deleted. It does not if the object came from a rendering at the revision, and is now only in a file in or below the
 * folder of a chart or a kustomization: nobody applies that file by itself.
 */
export function keepTest(tree: RevisionTree): (now: InputObject, before: InputObject) => boolean {
  const { top } = tree.repository;
  const files = workingTree(top, [top]);
  const hasLayout = (folder: string) =>
    (kustomizationAt(folder, files) ?? chartIn(folder, files)) !== undefined ||
    DESCRIPTION_NAMES.some((name) => files.broken.has(join(folder, name)));
  const builtFolder = upwardSearch((folder) => isInside(folder, top) && hasLayout(folder));
  return (now, before) => {
    // The file of a rendered object is the folder.
    const wasRendered = isFolder(join(tree.folder, tree.pathNamed(before.file)));
    if (!wasRendered || isFolder(now.file)) return true;
    return builtFolder(dirname(files.pathOf(now.file))) === undefined;
  };
}

interface Moves {
  /**
   * For objects gone from the named paths, by identity: the file outside of them that has each now and did not before.
   */
  readonly out: ReadonlyMap<string, string>;
  /** For documents new to the named paths: the objects as they were outside of them, in files that lost them. */
  readonly into: readonly InputObject[];
}

/**
 * Finds the moves of objects that are gone from the named paths, and of objects that are new there.
 * @param isElsewhere returns whether no object moves from or to a path, since it is checked, or read as something else
 */
export async function findMoves(
  tree: RevisionTree,
  isElsewhere: (path: string) => boolean,
  gone: ByIdentity,
  fresh: ByIdentity,
): Promise<Moves> {
  const out = new Map<string, string>();
  const into: InputObject[] = [];
  if (gone.size + fresh.size === 0) return { out, into };
  const { before, now } = await outsideObjects(tree, isElsewhere, gone.size > 0);
  // How many copies were matched: if an object is gone from several clusters, a new copy is the move of only one.
  const moved = new Map<string | undefined, number>();
  for (const [identity, input] of gone) {
    const had = copiesOf(input, before);
    const has = copiesOf(input, now);
    const earlier = new Set(had.map(({ file }) => file));
    const taken = moved.get(keyOfObject(input.object)) ?? 0;
    const target = has.filter(({ file }) => !earlier.has(file))[taken];
    if (has.length - had.length <= taken || target === undefined) continue;
    moved.set(keyOfObject(input.object), taken + 1);
    out.set(identity, target.file);
  }
  for (const input of fresh.values()) {
    const had = copiesOf(input, before);
    const has = copiesOf(input, now);
    const left = new Set(has.map(({ file }) => file));
    const origin = had.find(({ file }) => !left.has(file));
    // A file outside of the named paths is in no cluster, so its object may come from any.
    if (had.length > has.length && origin) into.push(withCluster(input.cluster, origin));
  }
  return { out, into };
}

/**
 * Reads the changed files outside of the named paths, at the revision and now. Their file is the path in the
 * repository.
 */
async function outsideObjects(tree: RevisionTree, isElsewhere: (path: string) => boolean, isNewWanted: boolean) {
  const { top } = tree.repository;
  const paths = new Set([...tree.changes, ...(isNewWanted ? await untracked(tree.repository) : [])]);
  const outside = new Set([...paths].filter((path) => isManifestPath(path) && !isElsewhere(path)));
  const changed = tree.files.filter(({ path, kind }) => kind === 'file' && outside.has(path));
  await tree.write(changed);
  const now = [...outside].filter((path) => isPlainFile(join(top, path)));
  return {
    before: await objectsIn(
      tree.folder,
      changed.map(({ path }) => path),
    ),
    now: await objectsIn(top, now),
  };
}

async function objectsIn(folder: string, paths: readonly string[]): Promise<readonly InputObject[]> {
  const files = paths.map((path) => join(folder, path));
  const { objects } = await readObjects(files, { nameOf: (file) => pathIn(folder, file) ?? file });
  return objects.filter((input) => identityOf(input) !== undefined);
}

/**
 * Returns the copies of an object. Members of an inventory have unique names. Claims and features have the same names
 * in every cluster, so one with a different spec belongs to another cluster.
 */
function copiesOf(wanted: InputObject, objects: readonly InputObject[]): InputObject[] {
  const key = keyOfObject(wanted.object);
  const isMember = dialectOfObject(wanted.object)?.concept === 'inventory';
  const isSame = ({ object }: InputObject) => isMember || isDeepStrictEqual(object['spec'], wanted.object['spec']);
  return objects.filter((input) => keyOfObject(input.object) === key && isSame(input));
}

function isPlainFile(path: string): boolean {
  try {
    return lstatSync(path).isFile();
  } catch {
    return false;
  }
}
