/** Reads the objects that a revision holds: of unchanged files from the working tree, of the others from git. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  decode,
  dialectOfObject,
  type InputObject,
  keyOf,
  MAX_BYTES,
  objectsIn,
  referenceTo,
} from '../../../cluster/files/index.ts';
import { type Position, readManifests } from '../../../documents/index.ts';
import { plain } from '../../../engine/text.ts';
import { textAt } from '../../../rules/json.ts';
import type { BaseFile, Comparison } from './files.ts';
import { blobs, type GitContext } from './process.ts';
import { pathWithin } from './repository.ts';

/** What was read of the working tree. */
export interface WorkingTree {
  readonly documents: readonly InputObject[];
  /** Files that are not read as manifests, as parts of charts and kustomizations. */
  readonly leftOut: readonly string[];
  /** Files that could not be read whole. */
  readonly unreadable: ReadonlySet<string>;
}

export interface BaseObjects {
  /** Objects of files that did not change. */
  readonly unchanged: InputObject[];
  /** Objects at REF, of files that changed since. */
  readonly changed: InputObject[];
  readonly notes: string[];
  /** The clusters of which something could not be read, so that absence proves nothing. */
  readonly incomplete: Set<string | undefined>;
}

/** Reads the objects of these files at REF. */
export async function readBaseObjects(
  { documents, leftOut, unreadable }: WorkingTree,
  { repository, ref, changes, clusterOf, layout }: Comparison,
  files: readonly BaseFile[],
): Promise<BaseObjects> {
  const { top, git } = repository;
  const incomplete = new Set([...unreadable].map((file) => clusterOf(pathWithin(top, file) ?? file)));
  const base: BaseObjects = { unchanged: [], changed: [], notes: [], incomplete };
  const note = (path: string, where: string, message: string) => {
    base.notes.push(noteLine(`${ref}:${path}${where}`, `${message}; so nothing counts as absent`));
    incomplete.add(clusterOf(path));
  };
  const named = documents.filter((input) => identityOf(input) !== undefined);
  const inTree = Map.groupBy(named, ({ source }) => pathWithin(top, source) ?? source);
  const parts = new Set(leftOut.map((file) => pathWithin(top, file)));
  const toRead: BaseFile[] = [];
  for (const file of files) {
    const { path, kind } = file;
    const isChanged = changes.has(path);
    // The target of a link is a file of its own, or elsewhere.
    if (kind === 'link' || !layout.isManifest(path)) continue;
    if (kind === 'module' && isChanged) {
      note(path, '', 'a submodule that changed since: what it held then is not looked at');
    } else if (kind === 'module') {
      for (const [inner, objects] of inTree) if (inner.startsWith(`${path}/`)) base.unchanged.push(...objects);
    } else if (isChanged || parts.has(path) || !existsSync(join(top, path))) toRead.push(file);
    else base.unchanged.push(...(inTree.get(path) ?? []));
  }
  const isRelevant = (text: string, path: string) => !layout.isTemplate(path, text);
  for await (const { path, objects, problems } of readFilesAt(git, ref, toRead, isRelevant)) {
    // A file that is not checked out (in a sparse checkout) did not change.
    const target = changes.has(path) || parts.has(path) ? base.changed : base.unchanged;
    for (const object of objects) target.push(inCluster(object, clusterOf(path)));
    for (const { line, column, message } of problems) note(path, `:${line}:${column}`, message);
  }
  for (const { name, path, result } of layout.renderings) {
    const read = 'text' in result ? objectsOfText(result.text, name) : { objects: [], problems: [result] };
    for (const object of read.objects) base.changed.push(inCluster(object, clusterOf(path)));
    for (const { line, column, message } of read.problems) note(path, `:${line}:${column}`, message);
  }
  return base;
}

export interface FileObjects {
  /** Objects of our kinds that have a name. Reports call their file `REF:path`. */
  readonly objects: readonly InputObject[];
  /** What could not be read. */
  readonly problems: readonly (Position & { readonly message: string })[];
}

/**
 * Reads files at REF one after the other. A text for which `isRelevant` is false is not parsed.
 * @throws GitError for a content that is missing
 */
export async function* readFilesAt(
  git: GitContext,
  ref: string,
  files: readonly { readonly path: string; readonly id: string }[],
  isRelevant: (text: string, path: string) => boolean = () => true,
): AsyncGenerator<FileObjects & { readonly path: string }> {
  const paths = files.values();
  const ids = files.map(({ id }) => id);
  for await (const bytes of blobs(git, ids)) {
    const { path = '' } = paths.next().value ?? {};
    const decoded = bytes.length > MAX_BYTES ? { message: 'it is too large' } : decode(bytes, path);
    if ('message' in decoded) yield { path, objects: [], problems: [{ line: 1, column: 1, message: decoded.message }] };
    else if (isRelevant(decoded.text, path)) yield { path, ...objectsOfText(decoded.text, `${ref}:${path}`) };
  }
}

/** Returns the objects of a text that have an identity, and what could not be read. */
export function objectsOfText(text: string, source: string): FileObjects {
  const batches = [...readManifests(text, source)];
  const found = batches.flatMap(({ documents }) => documents).map(objectsIn);
  const objects = found.flatMap((one) => one.objects).filter((input) => identityOf(input) !== undefined);
  return { objects, problems: [...batches, ...found].flatMap(({ errors }) => errors) };
}

/** Returns what identifies an object: cluster, kind in any version, namespace, name. Undefined if it is none of ours, or has no name. */
export function identityOf(input: InputObject): string | undefined {
  const key = objectKey(input);
  return key && `${input.cluster ?? ''}\n${key}`;
}

/** Returns what identifies an object within a cluster. */
export function objectKey({ object }: InputObject): string | undefined {
  const dialect = dialectOfObject(object);
  if (dialect === undefined || !textAt(object, ['metadata', 'name'])) return undefined;
  return keyOf(referenceTo(dialect, object));
}

/** Returns the object as one of a cluster. */
export function inCluster(input: InputObject, cluster: string | undefined): InputObject {
  return cluster === undefined ? input : { ...input, cluster };
}

/** Returns `location: note: message`, safe to print. */
export function noteLine(location: string, message: string): string {
  return plain(`${location}: note: ${message}`);
}
