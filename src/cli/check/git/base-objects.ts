/** Reads what a revision holds under the named paths: unchanged files from the working tree, the others from git. */
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InputObject } from '../../../cluster/files/index.ts';
import { plain } from '../../../engine/text.ts';
import type { BaseFile } from './files.ts';
import type { Comparison } from './moves.ts';
import { identityOf, readFilesAt } from './objects.ts';
import { pathWithin } from './repository.ts';

/** What was read of the working tree. */
export interface WorkingTree {
  readonly documents: readonly InputObject[];
  /** Files that could not be read whole. */
  readonly unreadable: ReadonlySet<string>;
}

export interface BaseObjects {
  /** Objects of files that did not change. */
  readonly unchanged: InputObject[];
  /** Objects at REF, of files that changed since. */
  readonly changed: InputObject[];
  readonly notes: string[];
  /** Whether something could not be read, so that absence proves nothing. */
  isIncomplete: boolean;
}

/** Reads the objects at REF. */
export async function readBaseObjects(
  { documents, unreadable }: WorkingTree,
  { repository, ref, changes }: Comparison,
  files: readonly BaseFile[],
): Promise<BaseObjects> {
  const { top, git } = repository;
  const base: BaseObjects = { unchanged: [], changed: [], notes: [], isIncomplete: unreadable.size > 0 };
  const note = (where: string, message: string) => {
    base.notes.push(noteLine(where, `${message}; so nothing counts as absent`));
    base.isIncomplete = true;
  };
  const inTree = byPath(top, documents);
  const toRead: BaseFile[] = [];
  for (const file of files) {
    const { path, kind } = file;
    // The target of a link is a file of its own, or elsewhere.
    if (kind === 'link') continue;
    if (kind === 'module') {
      if (changes.has(path))
        note(`${ref}:${path}`, 'a submodule that changed since: what it held then is not looked at');
      else for (const [inner, same] of inTree) if (inner.startsWith(`${path}/`)) base.unchanged.push(...same);
      continue;
    }
    const same = changes.has(path) ? undefined : (inTree.get(path) ?? (existsSync(join(top, path)) ? [] : undefined));
    if (same === undefined) toRead.push(file);
    else base.unchanged.push(...same);
  }
  for await (const { path, objects, problems, sha256 } of readFilesAt(git, ref, toRead)) {
    if (sha256 !== undefined && sha256 === sha256Of(join(top, path))) {
      base.unchanged.push(...(inTree.get(path) ?? []));
      continue;
    }
    // A file that is not checked out (in a sparse checkout) did not change.
    (changes.has(path) ? base.changed : base.unchanged).push(...objects);
    for (const { line, column, message } of problems) note(`${ref}:${path}:${line}:${column}`, message);
  }
  return base;
}

/** Groups the objects of the working tree by path within the repository. */
function byPath(top: string, documents: readonly InputObject[]): ReadonlyMap<string, readonly InputObject[]> {
  const files = new Map<string, InputObject[]>();
  for (const input of documents) {
    const objects = files.get(input.source) ?? [];
    if (objects.length === 0) files.set(input.source, objects);
    if (identityOf(input) !== undefined) objects.push(input);
  }
  return new Map([...files].map(([file, objects]) => [pathWithin(top, file) ?? file, objects]));
}

/** A file that Git LFS checked out has the digest that its pointer names. */
function sha256Of(file: string): string | undefined {
  if (!lstatSync(file, { throwIfNoEntry: false })?.isFile()) return undefined;
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/** Returns `location: note: message`, safe to print. */
export function noteLine(location: string, message: string): string {
  return plain(`${location}: note: ${message}`);
}
