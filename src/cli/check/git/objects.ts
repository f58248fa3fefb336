/** Reads the objects in the files of a revision. */
import { decode, type InputObject, keyOf, objectsIn, referenceTo } from '../../../cluster/files/index.ts';
import { readDocuments } from '../../../documents/index.ts';
import { textAt } from '../../../rules/json.ts';
import { dialectOfInput } from '../operations.ts';
import { blobs, type GitContext, LONGEST_FILE } from './process.ts';

/** The content of a file at the revision. */
export interface Content {
  readonly path: string;
  readonly id: string;
}

export interface FileObjects {
  readonly path: string;
  /** Objects of our kinds that have a name. Reports call their file `REF:path`. */
  readonly objects: readonly InputObject[];
  /** What could not be read. */
  readonly problems: readonly { readonly line: number; readonly column: number; readonly message: string }[];
  /** The SHA-256 of the content, if Git LFS keeps that elsewhere. */
  readonly sha256?: string | undefined;
}

/** The beginning of a file whose content Git LFS keeps elsewhere. */
const POINTER = 'version https://git-lfs.github.com/spec/';

/**
 * Reads files one after the other. A text for which `isRelevant` is false is not parsed.
 * @throws GitError for a content that is missing
 */
export async function* readFilesAt(
  git: GitContext,
  ref: string,
  contents: readonly Content[],
  isRelevant: (text: string) => boolean = () => true,
): AsyncGenerator<FileObjects> {
  let index = 0;
  const ids = contents.map(({ id }) => id);
  for await (const bytes of blobs(git, ids)) {
    const { path } = contents[index++] ?? { path: '' };
    const decoded = bytes === undefined ? { message: TOO_LARGE } : decode(bytes, path);
    if ('message' in decoded) yield unread(path, decoded.message);
    else if (decoded.text.startsWith(POINTER)) yield { ...unread(path, LFS), sha256: digestIn(decoded.text) };
    else if (!isRelevant(decoded.text)) yield { path, objects: [], problems: [] };
    else yield { path, ...objectsOfText(decoded.text, `${ref}:${path}`) };
  }
}

/** Returns what identifies an object: kind in any version, namespace, name. Undefined if it is none of ours, or has no name. */
export function identityOf(input: InputObject): string | undefined {
  const dialect = dialectOfInput(input);
  if (dialect === undefined || !textAt(input.object, ['metadata', 'name'])) return undefined;
  return keyOf(referenceTo(dialect, input.object));
}

/** Returns the objects of a text that have an identity, and what could not be read. */
export function objectsOfText(text: string, source: string): Omit<FileObjects, 'path'> {
  const { documents, errors } = readDocuments(text, source);
  const found = documents.map(objectsIn);
  const objects = found.flatMap((one) => one.objects).filter((input) => identityOf(input) !== undefined);
  return { objects, problems: [...errors, ...found.flatMap((one) => one.errors)] };
}

const TOO_LARGE = `it is larger than ${LONGEST_FILE / 1024 / 1024} MiB`;
const LFS = 'there it is a pointer of Git LFS, and its content is elsewhere';

function unread(path: string, message: string): FileObjects {
  return { path, objects: [], problems: [{ line: 1, column: 1, message }] };
}

function digestIn(pointer: string): string | undefined {
  return /^oid sha256:([0-9a-f]{64})$/m.exec(pointer)?.[1];
}
