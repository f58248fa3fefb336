/**
 * Finds objects that moved into or out of the named paths: they are neither new nor deleted. An object that is gone
 * from one place moved if it is new in another. A copy that was in another file before is no move.
 */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { dialectOfObject, type InputObject, readObjects } from '../../../cluster/files/index.ts';
import { isManifestPath } from '../../../cluster/files/walk.ts';
import { type BaseFile, untracked } from './changed-files.ts';
import type { Checkout } from './checkout.ts';
import { identityOf, inCluster, objectKey } from './objects.ts';
import type { Repository } from './repository.ts';

export type ByIdentity = ReadonlyMap<string, InputObject>;

export interface Moves {
  /**
   * For objects gone from the named paths, by identity: the file outside of them that has each now and did not before.
   */
  readonly out: ReadonlyMap<string, string>;
  /** For documents new to the named paths: the objects as they were outside of them, in files that lost them. */
  readonly into: readonly InputObject[];
}

/** Where to look. */
interface MoveRequest {
  readonly repository: Repository;
  readonly checkout: Checkout;
  /** All files of the revision. */
  readonly all: readonly BaseFile[];
  /** Files that differ from the revision. */
  readonly changes: ReadonlySet<string>;
  /** Whether a path is no place that an object can move from or to: it is checked, or named as something else. */
  readonly isElsewhere: (path: string) => boolean;
}

/** Finds the moves of objects that are gone from the named paths, and of objects that are new there. */
export async function findMoves(request: MoveRequest, gone: ByIdentity, fresh: ByIdentity): Promise<Moves> {
  const out = new Map<string, string>();
  const into: InputObject[] = [];
  if (gone.size + fresh.size === 0) return { out, into };
  const { before, now } = await outsideObjects(request, gone.size > 0);
  for (const [identity, input] of gone) {
    const had = copiesOf(input, before);
    const has = copiesOf(input, now);
    const earlier = new Set(had.map(({ source }) => source));
    // Objects of several clusters may be gone, and one new copy is the move of one of them.
    const taken = [...out].filter(([other]) => objectKeyOf(other) === objectKeyOf(identity)).length;
    const target = has.filter(({ source }) => !earlier.has(source))[taken];
    if (has.length - had.length > taken && target) out.set(identity, target.source);
  }
  for (const input of fresh.values()) {
    const had = copiesOf(input, before);
    const has = copiesOf(input, now);
    const left = new Set(has.map(({ source }) => source));
    const origin = had.find(({ source }) => !left.has(source));
    // The file of an object outside of the named paths is in no cluster: it may have been one of any.
    if (had.length > has.length && origin) into.push(inCluster(origin, input.cluster));
  }
  return { out, into };
}

/** The key without the cluster. */
function objectKeyOf(identity: string): string {
  return identity.slice(identity.indexOf('\n'));
}

/**
 * Reads the changed files outside of the named paths, at the revision and now. Their source is the path in the
 * repository.
 */
async function outsideObjects({ repository, checkout, all, changes, isElsewhere }: MoveRequest, isNewWanted: boolean) {
  const { top } = repository;
  const paths = new Set([...changes, ...(isNewWanted ? await untracked(repository) : [])]);
  const isOutside = (path: string) => paths.has(path) && isManifestPath(path) && !isElsewhere(path);
  const files = all.filter(({ path, kind }) => kind === 'file' && isOutside(path));
  await checkout.write(files);
  const before = files.map(({ path }) => join(checkout.folder, path));
  const now = [...paths].filter((path) => isOutside(path) && isPlainFile(join(top, path)));
  const nameOf = (file: string) => file.slice(top.length + 1);
  return {
    before: await objectsOf(before, checkout.pathOf),
    now: await objectsOf(
      now.map((path) => join(top, path)),
      nameOf,
    ),
  };
}

async function objectsOf(files: readonly string[], nameOf: (file: string) => string): Promise<readonly InputObject[]> {
  const { objects } = await readObjects(files, { nameOf });
  return objects.filter((input) => identityOf(input) !== undefined);
}

/**
 * Returns the copies of an object. Members of an inventory have names of their own. Claims and features have the same
 * names in every cluster, so one with another spec belongs to another cluster.
 */
function copiesOf(wanted: InputObject, objects: readonly InputObject[]): InputObject[] {
  const key = objectKey(wanted);
  const isMember = dialectOfObject(wanted.object)?.concept === 'inventory';
  return objects.filter((input) => {
    return objectKey(input) === key && (isMember || isDeepStrictEqual(input.object['spec'], wanted.object['spec']));
  });
}

function isPlainFile(path: string): boolean {
  try {
    return lstatSync(path).isFile();
  } catch {
    return false;
  }
}
