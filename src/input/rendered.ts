/**
 * Compares the files that a rendering replaces with the objects in it. Helm leaves out some files of a chart
 * (`.helmignore`, partials, libraries), and kustomize takes some as data: kubectl still reads them as manifests.
 */
import { couldNameOurs, type Position, readDocuments, type SourceDocument } from '../documents/index.ts';
import { isEvaluated, objectsIn } from './objects.ts';

/** The objects of renderings. */
export interface RenderedObjects {
  add(documents: readonly SourceDocument[]): void;
  /**
   * Returns where a text has an object of muster's kinds, as kubectl reads it, that no rendering has; or where a text
   * without template actions can't be read.
   */
  missingIn(text: string, source: string): Position | undefined;
}

/** Returns an empty collection. */
export function createRenderedObjects(): RenderedObjects {
  const rendered = new Set<string>();
  const has = (object: string) => rendered.has(object) || (object.includes('{{') && couldBecome(object, rendered));
  return {
    add(documents) {
      for (const text of documents.flatMap(objectTexts)) rendered.add(text);
    },
    missingIn(text, source) {
      if (!couldNameOurs(text)) return undefined;
      const { documents, errors } = readDocuments(text, source);
      const [error] = errors;
      // kubectl reads what comes before an error.
      const readable = documents.filter(({ start }) => error === undefined || start.line < error.line);
      const missing = readable.find((document) => objectTexts(document).some((object) => !has(object)));
      return missing?.start ?? (text.includes('{{') ? undefined : error);
    },
  };
}

function objectTexts(document: SourceDocument): readonly string[] {
  const objects = objectsIn(document).objects.filter(isEvaluated);
  return objects.map(({ object }) => JSON.stringify(object));
}

/** Returns whether one of the objects is the given one with any texts in place of its template actions. */
function couldBecome(object: string, rendered: Iterable<string>): boolean {
  const [first = '', ...rest] = object.split(/\{\{.*?\}\}/);
  return [...rendered].some((text) => {
    let at: number = first.length;
    const isNext = (piece: string) => {
      const found = text.indexOf(piece, at);
      at = found + piece.length;
      return found >= 0;
    };
    return text.startsWith(first) && rest.every(isNext);
  });
}
