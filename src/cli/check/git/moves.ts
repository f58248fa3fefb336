/**
 * Objects that moved across the border of the named paths: neither deleted nor new. Looked for in files that changed, and by
 * identity, not by the similarity of files; a file that had the object all along is a copy for another cluster.
 */
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { decode, type GivenObject } from '../../../cluster/files/index.ts';
import { isManifestPath } from '../../../cluster/files/walk.ts';
import { textAt } from '../../../rules/json.ts';
import { dialectOfInput } from '../operations.ts';
import { type Change, untracked } from './files.ts';
import { identityOf, objectsOfText, readPast } from './objects.ts';
import { LONGEST_FILE } from './process.ts';
import type { Repository } from './repository.ts';

export interface Border {
  readonly repository: Repository;
  readonly ref: string;
  readonly changes: ReadonlyMap<string, Change>;
  readonly isNamed: (path: string) => boolean;
  /** Under what --state and --deleted name: an export of a cluster is no place to move to. */
  readonly isAside: (path: string) => boolean;
}

type ByIdentity = ReadonlyMap<string, GivenObject>;

/** Of objects gone from the named paths: where each stands now, outside of them, in a file that did not have it. */
export async function movedOut(border: Border, gone: ByIdentity): Promise<ReadonlyMap<string, string>> {
  if (gone.size === 0) return new Map();
  const { repository, changes } = border;
  const files = [...changes.values()].filter(({ after }) => after).map(({ path }) => path);
  const candidates = [...files, ...(await untracked(repository))].filter((path) => isOutside(border, path));
  const found = new Map<string, string>();
  const had = [];
  for (const path of new Set(candidates)) {
    const here = objectsNow(repository.top, path, gone);
    const before = changes.get(path)?.before;
    for (const given of here) found.set(identityOf(given) ?? '', path);
    if (here.length > 0 && before !== undefined) had.push({ path, id: before });
  }
  for await (const { path, objects } of readPast(repository.git, border.ref, had)) {
    const old = new Set(objects.map(identityOf));
    for (const [identity, where] of found) if (where === path && old.has(identity)) found.delete(identity);
  }
  return found;
}

/** Of documents that are new to the named paths: the objects as they stood outside of them, in a file that lost them. */
export async function movedIn(border: Border, fresh: ByIdentity): Promise<readonly GivenObject[]> {
  if (fresh.size === 0) return [];
  const { repository, changes, ref } = border;
  const contents = [...changes.values()]
    .filter(({ path }) => isOutside(border, path))
    .flatMap(({ path, before }) => (before === undefined ? [] : [{ path, id: before }]));
  const found: GivenObject[] = [];
  for await (const { path, objects } of readPast(repository.git, ref, contents, mentions(fresh))) {
    const moved = objects.filter((given) => isSame(given, fresh));
    if (moved.length === 0) continue;
    const now = changes.get(path)?.after ? objectsNow(repository.top, path, fresh) : [];
    const stay = new Set(now.map(identityOf));
    found.push(...moved.filter((given) => !stay.has(identityOf(given))));
  }
  return found;
}

function isOutside({ isNamed, isAside }: Border, path: string): boolean {
  return isManifestPath(path) && !isNamed(path) && !isAside(path);
}

/** Which of the objects a file of the working tree has now. One that can't be read has none. */
function objectsNow(top: string, path: string, wanted: ByIdentity): readonly GivenObject[] {
  const text = textNow(join(top, path));
  return mentions(wanted)(text) ? objectsOfText(text, path).objects.filter((given) => isSame(given, wanted)) : [];
}

/**
 * The members of an inventory have names of their own. Claims and features are called the same in every cluster, so one of
 * another content is that of another cluster.
 */
function isSame(given: GivenObject, wanted: ByIdentity): boolean {
  const other = wanted.get(identityOf(given) ?? '');
  if (other === undefined) return false;
  return (
    dialectOfInput(given)?.concept === 'inventory' || isDeepStrictEqual(given.object['spec'], other.object['spec'])
  );
}

function textNow(file: string): string {
  try {
    const stat = lstatSync(file);
    const decoded = stat.isFile() && stat.size <= LONGEST_FILE ? decode(readFileSync(file), file) : { text: '' };
    return 'text' in decoded ? decoded.text : '';
  } catch {
    return '';
  }
}

/** To parse all that changed in a large repository would take longer than the check. */
function mentions(wanted: ByIdentity): (text: string) => boolean {
  const names = [...new Set([...wanted.values()].map(({ object }) => textAt(object, ['metadata', 'name']) ?? ''))];
  return (text) => names.some((name) => text.includes(name));
}
