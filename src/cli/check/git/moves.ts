/**
 * Finds objects that moved into or out of the named paths: they are neither new nor deleted. Searches only files that changed,
 * and by identity. A file that had the object before and still has it holds a copy for another cluster.
 */
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { decode, type InputObject } from '../../../cluster/files/index.ts';
import { isManifestPath } from '../../../cluster/files/walk.ts';
import { textAt } from '../../../rules/json.ts';
import { dialectOfInput } from '../operations.ts';
import { type Change, untracked } from './files.ts';
import { identityOf, objectsOfText, readFilesAt } from './objects.ts';
import { LONGEST_FILE } from './process.ts';
import type { Repository } from './repository.ts';

/** A repository compared with a revision. */
export interface Comparison {
  readonly repository: Repository;
  readonly ref: string;
  readonly changes: ReadonlyMap<string, Change>;
  readonly isNamed: (path: string) => boolean;
  /** Whether --state or --deleted names a path: no object moves to an export of a cluster. */
  readonly isOther: (path: string) => boolean;
}

type ByIdentity = ReadonlyMap<string, InputObject>;

/** For objects gone from the named paths: the file outside of them that has each now and did not before, by identity. */
export async function movedOut(comparison: Comparison, gone: ByIdentity): Promise<ReadonlyMap<string, string>> {
  if (gone.size === 0) return new Map();
  const { repository, changes, ref } = comparison;
  const changed = [...changes.values()].filter(({ after }) => after).map(({ path }) => path);
  const found = new Map<string, string>();
  const had = [];
  for (const path of new Set([...changed, ...(await untracked(repository))])) {
    if (!isOutside(comparison, path)) continue;
    const now = objectsNow(repository.top, path, gone);
    const before = changes.get(path)?.before;
    for (const input of now) found.set(identityOf(input) ?? '', path);
    if (now.length > 0 && before !== undefined) had.push({ path, id: before });
  }
  for await (const { path, objects } of readFilesAt(repository.git, ref, had)) {
    const old = new Set(objects.map(identityOf));
    for (const [identity, where] of found) if (where === path && old.has(identity)) found.delete(identity);
  }
  return found;
}

/** For documents new to the named paths: the objects as they were outside of them, in files that lost them. */
export async function movedIn(comparison: Comparison, fresh: ByIdentity): Promise<readonly InputObject[]> {
  if (fresh.size === 0) return [];
  const { repository, changes, ref } = comparison;
  const contents = [...changes.values()].flatMap(({ path, before }) => {
    return before === undefined || !isOutside(comparison, path) ? [] : [{ path, id: before }];
  });
  const found: InputObject[] = [];
  for await (const { path, objects } of readFilesAt(repository.git, ref, contents, mentions(fresh))) {
    const moved = objects.filter((input) => isSame(input, fresh));
    const now = moved.length > 0 && changes.get(path)?.after ? objectsNow(repository.top, path, fresh) : [];
    const kept = new Set(now.map(identityOf));
    found.push(...moved.filter((input) => !kept.has(identityOf(input))));
  }
  return found;
}

function isOutside({ isNamed, isOther }: Comparison, path: string): boolean {
  return isManifestPath(path) && !isNamed(path) && !isOther(path);
}

/** Returns which of the objects a file of the working tree has now; none if it can't be read. */
function objectsNow(top: string, path: string, wanted: ByIdentity): readonly InputObject[] {
  const text = textNow(join(top, path));
  return mentions(wanted)(text) ? objectsOfText(text, path).objects.filter((input) => isSame(input, wanted)) : [];
}

/**
 * Members of an inventory have names of their own. Claims and features have the same names in every cluster, so one with
 * another spec belongs to another cluster.
 */
function isSame(input: InputObject, wanted: ByIdentity): boolean {
  const other = wanted.get(identityOf(input) ?? '');
  if (other === undefined) return false;
  const isMember = dialectOfInput(input)?.concept === 'inventory';
  return isMember || isDeepStrictEqual(input.object['spec'], other.object['spec']);
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

/** Parsing all changed files of a large repository would take longer than the check. */
function mentions(wanted: ByIdentity): (text: string) => boolean {
  const names = [...new Set([...wanted.values()].map(({ object }) => textAt(object, ['metadata', 'name']) ?? ''))];
  return (text) => names.some((name) => text.includes(name));
}
