/**
 * The Services and Namespaces among documents. Most documents of a repository are of kinds like these, so they are
 * parsed only where something asks for them.
 */
import { type SupportingKind, supportingKindOf } from '../api/supporting-kinds.ts';
import type { SkippedDocument } from '../documents/index.ts';
import { type InputObject, objectsIn } from './objects.ts';

/** What was read of the supporting kinds. */
interface SupportingObjects {
  readonly objects: readonly InputObject[];
  /** Whether a document that may hold others can't be read. */
  readonly isIncomplete: boolean;
}

/** The reason for which Services are not all known. */
export const UNREADABLE = "a document that may hold a Service can't be read";

/** Documents that may hold objects of the supporting kinds. */
export interface SupportingDocuments {
  /** The names of their files. */
  readonly sources: ReadonlySet<string>;
  /** Parses the documents, and returns the objects of a kind. Other tools report mistakes in them. */
  read(kind: SupportingKind): SupportingObjects;
}

/** Collects such documents while files are read. */
interface SupportingCollector extends SupportingDocuments {
  /** Takes an object of a document that was parsed, in the order of reading. */
  take(object: InputObject): void;
  /** Takes a document that was not parsed. @param namespace the one of its Helm release */
  skip(document: SkippedDocument, namespace: string | undefined): void;
}

/** Returns an empty collector. */
export function createSupportingCollector(): SupportingCollector {
  const found: (InputObject | { readonly document: SkippedDocument; readonly namespace: string | undefined })[] = [];
  const sources = new Set<string>();
  return {
    sources,
    take(object) {
      if (supportingKindOf(object.apiVersion, object.kind) === undefined) return;
      sources.add(object.file);
      found.push(object);
    },
    skip(document, namespace) {
      if (!document.maySupport()) return;
      sources.add(document.file);
      found.push({ document, namespace });
    },
    read(kind) {
      let isIncomplete = false;
      const objects = found.flatMap((one) => {
        if ('object' in one) return one;
        const { documents, errors } = one.document.read();
        const read = documents.map((document) => objectsIn(document, one.namespace));
        isIncomplete ||= errors.length > 0 || read.some((each) => each.errors.length > 0);
        return read.flatMap((each) => each.objects);
      });
      return { objects: objects.filter((one) => supportingKindOf(one.apiVersion, one.kind) === kind), isIncomplete };
    },
  };
}

/** Returns the documents of several places as one, in their order. */
export function joinedSupporting(parts: readonly SupportingDocuments[]): SupportingDocuments {
  return {
    sources: new Set(parts.flatMap(({ sources }) => [...sources])),
    read(kind) {
      const read = parts.map((part) => part.read(kind));
      return {
        objects: read.flatMap(({ objects }) => objects),
        isIncomplete: read.some(({ isIncomplete }) => isIncomplete),
      };
    },
  };
}

/** No documents. */
export const NO_SUPPORTING: SupportingDocuments = createSupportingCollector();
