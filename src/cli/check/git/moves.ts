/**
 * Finds objects that moved into or out of the named paths: they are neither new nor deleted. Searches only files that changed,
 * and by identity. A file that had the object before and still has it holds a copy for another cluster.
 */
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { decode, dialectOfObject, type InputObject, MAX_BYTES } from '../../../cluster/files/index.ts';
import { isManifestPath } from '../../../cluster/files/walk.ts';
import { textAt } from '../../../rules/json.ts';
import { type Comparison, untracked } from './files.ts';
import { inCluster, objectKey, objectsOfText, readFilesAt } from './objects.ts';

export type ByIdentity = ReadonlyMap<string, InputObject>;

export interface Moves {
  /** For objects gone from the named paths: the file outside of them that has each now and did not before, by identity. */
  readonly out: ReadonlyMap<string, string>;
  /** For documents new to the named paths: the objects as they were outside of them, in files that lost them. */
  readonly into: readonly InputObject[];
}

/** Finds the moves of objects that are gone from the named paths, and of objects that are new there. */
export async function findMoves(comparison: Comparison, gone: ByIdentity, fresh: ByIdentity): Promise<Moves> {
  const out = new Map<string, string>();
  const into: InputObject[] = [];
  if (gone.size + fresh.size === 0) return { out, into };
  const { repository, changes, ref, isNamed, isOther, layout } = comparison;
  const wanted = new Map([...gone, ...fresh]);
  const isRelevant = mentions(wanted);
  const paths = new Set([...changes.keys(), ...(gone.size > 0 ? await untracked(repository) : [])]);
  const outside = [...paths].filter(
    (path) => isManifestPath(path) && layout.isManifest(path) && !isNamed(path) && !isOther(path),
  );
  const now = new Map<string, ByIdentity>();
  for (const path of outside) {
    const text = textNow(join(repository.top, path));
    if (isRelevant(text)) now.set(path, sameAs(wanted, objectsOfText(text, path).objects));
  }
  const before = new Map<string, readonly InputObject[]>();
  const contents = outside.flatMap((path) => {
    const id = changes.get(path);
    return id === undefined || (fresh.size === 0 && !now.get(path)?.size) ? [] : [{ path, id }];
  });
  for await (const { path, objects } of readFilesAt(repository.git, ref, contents, isRelevant)) {
    before.set(path, objects);
  }
  for (const path of outside) {
    const had = before.get(path) ?? [];
    const has = now.get(path) ?? new Map<string, InputObject>();
    const old = new Set(had.map(objectKey));
    for (const [identity, input] of has) if (gone.has(identity) && !old.has(objectKey(input))) out.set(identity, path);
    for (const [identity, input] of sameAs(fresh, had)) if (!has.has(identity)) into.push(input);
  }
  return { out, into };
}

/**
 * Returns which objects are the wanted ones. Members of an inventory have names of their own. Claims and features have the same
 * names in every cluster, so one with another spec belongs to another cluster.
 */
function sameAs(wanted: ByIdentity, objects: readonly InputObject[]): ByIdentity {
  const same = new Map<string, InputObject>();
  // The file of an object outside of the named paths is in no cluster: it may have been one of any.
  const byKey = Map.groupBy(objects.length === 0 ? [] : wanted, ([, input]) => objectKey(input));
  for (const input of objects) {
    const isMember = dialectOfObject(input.object)?.concept === 'inventory';
    for (const [identity, other] of byKey.get(objectKey(input)) ?? []) {
      const isSame = isMember || isDeepStrictEqual(input.object['spec'], other.object['spec']);
      if (isSame) same.set(identity, inCluster(input, other.cluster));
    }
  }
  return same;
}

function textNow(file: string): string {
  try {
    const stat = lstatSync(file);
    const decoded = stat.isFile() && stat.size <= MAX_BYTES ? decode(readFileSync(file), file) : { text: '' };
    return 'text' in decoded ? decoded.text : '';
  } catch {
    return '';
  }
}

/** Parsing all changed files of a large repository would take longer than the check. */
function mentions(wanted: ByIdentity): (text: string) => boolean {
  const names = [...new Set([...wanted.values()].map(({ object }) => textAt(object, ['metadata', 'name']) ?? ''))];
  return (text) => names.some((name) => text.includes(name));
}
