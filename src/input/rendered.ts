/**
 * Compares the files that a rendering replaces with the objects in it. Helm leaves out some files of a chart
 * (`.helmignore`, partials, libraries), and kustomize takes some as data, or leaves objects out: kubectl still reads
 * them as manifests.
 */
import { couldNameOurs, type Position, readDocuments, type SourceDocument } from '../documents/index.ts';
import { evaluatedIn, type InputObject, leftOutByKustomize } from './objects.ts';

/** The objects of renderings. */
interface RenderedObjects {
  add(documents: readonly SourceDocument[]): void;
  /**
   * Returns the position of the first object of muster's kinds in a text, as kubectl reads it, that no rendering has;
   * or of an error in a text without template actions.
   * @param isChanged whether kustomize may have changed the objects: then only what it leaves out is missing
   */
  missingIn(text: string, file: string, isChanged: boolean): Position | undefined;
}

/** Returns an empty collection. */
export function createRenderedObjects(): RenderedObjects {
  const rendered = new Set<string>();
  const has = ({ object }: InputObject) => {
    const text = JSON.stringify(object);
    return rendered.has(text) || (text.includes('{{') && couldBecome(text, rendered));
  };
  return {
    add(documents) {
      for (const { object } of documents.flatMap(evaluatedIn)) rendered.add(JSON.stringify(object));
    },
    missingIn(text, file, isChanged) {
      if (!couldNameOurs(text)) return undefined;
      const { documents, errors } = readDocuments(text, file);
      const [error] = errors;
      // kubectl reads what comes before an error.
      const readable = documents.filter(({ start }) => error === undefined || start.line < error.line);
      const isMissing = (input: InputObject) => (isChanged ? leftOutByKustomize(input) !== undefined : !has(input));
      const missing = readable.flatMap(evaluatedIn).find(isMissing);
      return missing?.start ?? (isChanged || text.includes('{{') ? undefined : error);
    },
  };
}

/** Returns whether one of the rendered objects equals the given one, with any text for each template action. */
function couldBecome(object: string, rendered: Iterable<string>): boolean {
  const [first = '', ...rest] = betweenActions(object);
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

/** Returns the texts around template actions. A regular expression would take quadratic time for `{{{{…`. */
function betweenActions(text: string): readonly string[] {
  const found: string[] = [];
  let from = 0;
  for (;;) {
    const begin = text.indexOf('{{', from);
    const end = begin < 0 ? -1 : text.indexOf('}}', begin + 2);
    if (end < 0) return [...found, text.slice(from)];
    found.push(text.slice(from, begin));
    from = end + 2;
  }
}
