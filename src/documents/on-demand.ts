/** What is made when it is asked for: most documents are never asked where a value stands, and need not keep it ready. */
import type { Json } from '../rules/rule.ts';

/** From so many characters on, what was made of a text is kept: to make it again takes more than some milliseconds. */
const DEAR = 16_384;

/**
 * Gives what `make` makes of a text; makes it anew only where it was let go since.
 * @param ready what is there already and will surely be asked for
 */
export function onDemand<T extends object>(length: number, make: () => T, ready?: T): () => T {
  let kept = ready;
  let recent: WeakRef<T> | undefined;
  return () => {
    if (kept) return kept;
    const found = recent?.deref() ?? make();
    if (length >= DEAR) kept = found;
    else recent = new WeakRef(found);
    return found;
  };
}

/** Whether a document is a list of objects, each of which is asked where it begins. */
export function isAskedFor(value: Json): boolean {
  return typeof value === 'object' && value !== null && 'items' in value && Array.isArray(value['items']);
}
