/** The objects in a revision's files. */
import { decode, type GivenObject, keyOf, objectsIn, referenceTo } from '../../../cluster/files/index.ts';
import { readDocuments } from '../../../documents/index.ts';
import { textAt } from '../../../rules/json.ts';
import { dialectOfInput } from '../operations.ts';
import { blobs, type GitContext, LONGEST_FILE } from './process.ts';

/** A file's content at the revision. */
export interface Content {
  readonly path: string;
  readonly id: string;
}

export interface Past {
  readonly path: string;
  /** Those of our kinds that have a name, as `REF:path` in reports. */
  readonly objects: readonly GivenObject[];
  /** What of it could not be read. */
  readonly problems: readonly { readonly line: number; readonly column: number; readonly message: string }[];
  /** The SHA-256 of the content, where Git LFS keeps that elsewhere. */
  readonly sha256?: string;
}

/** What stands at the beginning of a file whose content Git LFS keeps elsewhere. */
const POINTER = 'version https://git-lfs.github.com/spec/';

/**
 * Reads them one after the other. A text in which `worthwhile` sees nothing is not parsed.
 * @throws GitError where a content is not to be had
 */
export async function* readPast(
  git: GitContext,
  ref: string,
  contents: readonly Content[],
  worthwhile: (text: string) => boolean = () => true,
): AsyncGenerator<Past> {
  let index = 0;
  const ids = contents.map(({ id }) => id);
  for await (const bytes of blobs(git, ids)) {
    const { path } = contents[index++] ?? { path: '' };
    yield bytes === undefined ? failed(path, TOO_LARGE) : pastOf(path, ref, bytes, worthwhile);
  }
}

/** By identity: an object in any version of its kind, wherever its file is. Undefined: none of ours, or without a name. */
export function identityOf(given: GivenObject): string | undefined {
  const dialect = dialectOfInput(given);
  if (dialect === undefined || !textAt(given.object, ['metadata', 'name'])) return undefined;
  return keyOf(referenceTo(dialect, given.object));
}

/** Those of our kinds that have a name, and what could not be read. */
export function objectsOfText(text: string, source: string): Omit<Past, 'path'> {
  const { documents, errors } = readDocuments(text, source);
  const found = documents.map(objectsIn);
  const objects = found.flatMap((one) => one.objects).filter((given) => identityOf(given) !== undefined);
  return { objects, problems: [...errors, ...found.flatMap((one) => one.errors)] };
}

function pastOf(path: string, ref: string, bytes: Buffer, worthwhile: (text: string) => boolean): Past {
  const decoded = decode(bytes, path);
  if ('message' in decoded) return failed(path, decoded.message);
  const { text } = decoded;
  if (text.startsWith(POINTER)) {
    const past = failed(path, 'there it is a pointer of Git LFS, and its content is elsewhere');
    const sha256 = /^oid sha256:([0-9a-f]{64})$/m.exec(text)?.[1];
    return sha256 === undefined ? past : { ...past, sha256 };
  }
  return worthwhile(text) ? { path, ...objectsOfText(text, `${ref}:${path}`) } : { path, objects: [], problems: [] };
}

function failed(path: string, message: string): Past {
  return { path, objects: [], problems: [{ line: 1, column: 1, message }] };
}

const TOO_LARGE = `it is larger than ${LONGEST_FILE / 1024 / 1024} MiB`;
