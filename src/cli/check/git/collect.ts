/** What a revision holds under the named paths: as the working tree has it where nothing changed, else as git has it. */
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GivenObject } from '../../../cluster/files/index.ts';
import { plain } from '../../../engine/text.ts';
import { type BaseFile, type Change, changedModules } from './files.ts';
import type { Border } from './moves.ts';
import { identityOf, readPast } from './objects.ts';
import { pathWithin, type Repository } from './repository.ts';

/** What was read of the working tree. */
export interface WorkingTree {
  readonly documents: readonly GivenObject[];
  /** Files in which something could not be read. */
  readonly unreadable: ReadonlySet<string>;
}

export interface Gathered {
  /** Objects of files that are as they were. */
  readonly kept: GivenObject[];
  /** Objects at REF, of files that changed since. */
  readonly changed: GivenObject[];
  readonly notes: string[];
  incomplete: boolean;
}

/** What REF holds. A file that is as it was need not be read again: what the working tree has of it is the same. */
export async function gather(request: WorkingTree, border: Border, files: readonly BaseFile[]): Promise<Gathered> {
  const { repository, ref, changes } = border;
  const here = pathsOf(repository, request);
  const gathered: Gathered = { kept: [], changed: [], notes: [], incomplete: here.unreadable.size > 0 };
  const unread: BaseFile[] = [];
  const modules = await changedModules(repository, files);
  for (const file of files) {
    // What a link leads to is met on its own, or lies elsewhere.
    if (file.kind === 'link') continue;
    const kept = keptOf(repository, file, { changes, modules, here: here.documents });
    if (kept !== undefined) gathered.kept.push(...kept.filter((given) => identityOf(given) !== undefined));
    else if (file.kind === 'file') unread.push(file);
    else note(gathered, `${ref}:${file.path}`, 'a submodule that changed since: what it held then is not looked at');
  }
  for await (const { path, objects, problems, sha256 } of readPast(repository.git, ref, unread)) {
    const same = sha256 !== undefined && sha256 === sha256Of(join(repository.top, path));
    if (same) {
      gathered.kept.push(...(here.documents.get(path) ?? []).filter((given) => identityOf(given) !== undefined));
      continue;
    }
    // Not checked out (a sparse checkout), and so neither changed nor gone.
    (changes.has(path) ? gathered.changed : gathered.kept).push(...objects);
    for (const { line, column, message } of problems) note(gathered, `${ref}:${path}:${line}:${column}`, message);
  }
  return gathered;
}

/** What Git LFS checked out is no pointer any more, but it has the digest that the pointer names. */
function sha256Of(file: string): string | undefined {
  if (!lstatSync(file, { throwIfNoEntry: false })?.isFile()) return undefined;
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

interface Here {
  readonly documents: ReadonlyMap<string, readonly GivenObject[]>;
  readonly unreadable: ReadonlySet<string>;
}

/** The working tree's documents, by path within the repository. */
function pathsOf({ top }: Repository, { documents, unreadable }: WorkingTree): Here {
  const files = new Map<string, GivenObject[]>();
  for (const given of documents) {
    const same = files.get(given.source);
    if (same === undefined) files.set(given.source, [given]);
    else same.push(given);
  }
  const inside = (file: string) => pathWithin(top, file) ?? file;
  return {
    documents: new Map([...files].map(([file, objects]) => [inside(file), objects])),
    unreadable: new Set([...unreadable].map(inside)),
  };
}

interface Compared {
  readonly changes: ReadonlyMap<string, Change>;
  /** Submodules that changed. */
  readonly modules: ReadonlySet<string>;
  readonly here: Here['documents'];
}

/** The objects of what did not change; undefined: it did, or is not checked out. */
function keptOf(
  { top }: Repository,
  { path, kind }: BaseFile,
  { changes, modules, here }: Compared,
): readonly GivenObject[] | undefined {
  if (changes.has(path) || modules.has(path)) return undefined;
  if (kind === 'module') {
    return [...here].filter(([file]) => file.startsWith(`${path}/`)).flatMap(([, objects]) => objects);
  }
  return here.get(path) ?? (existsSync(join(top, path)) ? [] : undefined);
}

function note(gathered: Gathered, place: string, message: string): void {
  gathered.notes.push(noteLine(place, `${message}; so nothing counts as absent`));
  gathered.incomplete = true;
}

/** `place: note: message`, safe to print. */
export function noteLine(place: string, message: string): string {
  return plain(`${place}: note: ${message}`);
}
