/**
 * The Services and Namespaces among documents. Most documents of a repository are of kinds like these, so they are
 * parsed only where something asks for them.
 */
import { supportingKindOf } from '../api/supporting-kinds.ts';
import type { SkippedDocument } from '../documents/index.ts';
import { type InputObject, objectsIn } from './objects.ts';

/** An object of a supporting kind; or a document that was not parsed, which may hold some. */
export type Supporting =
  | InputObject
  /** With the namespace of its Helm release. */
  | (SkippedDocument & { readonly namespace: string | undefined });

/** Returns whether an object is of a supporting kind. */
export function isSupporting({ apiVersion, kind }: InputObject): boolean {
  return supportingKindOf(apiVersion, kind) !== undefined;
}

/**
 * Parses what was not parsed yet. Returns all objects of the supporting kinds, and why they are not all known. Other
 * tools report mistakes in them.
 */
export function readSupporting(all: readonly Supporting[]) {
  let unread: string | undefined;
  const objects = all.flatMap((one) => {
    if ('object' in one) return one;
    const { documents, errors } = one.read();
    const read = documents.map((document) => objectsIn(document, one.namespace));
    if (errors.length > 0 || read.some((each) => each.errors.length > 0)) unread = UNREADABLE;
    return read.flatMap((each) => each.objects.filter(isSupporting));
  });
  return { objects, unread };
}

const UNREADABLE = "a document that may hold a Service can't be read";
