/** Building plain JSON data: what YAML and JSON documents have in common. */
import type { Json } from '../rules/rule.ts';

/** Levels of lists and mappings a document may have. The server refuses deeper ones too. */
export const MAX_DEPTH = 200;

export const TOO_DEEP = `more than ${MAX_DEPTH} levels of nesting: no Kubernetes object is that deep`;

/**
 * Characters a document may have: a list of all that a large cluster holds. Above the text itself YAML takes some eighty
 * times as much memory while it is read, JSON five times.
 */
export const MAX_LENGTH = { YAML: 16 * 2 ** 20, JSON: 64 * 2 ** 20 };

/** What to say of a document that is larger. */
export function tooLarge(format: keyof typeof MAX_LENGTH): string {
  const limit = `a document may have ${MAX_LENGTH[format] / 2 ** 20} MiB`;
  const remedy =
    format === 'YAML' ? 'separate its objects by lines of ---, or give it as JSON' : 'give its objects one by one';
  return `${limit} as ${format}: ${remedy}`;
}

/** Sets a member as an own property, `__proto__` too. */
export function setMember(target: Record<string, Json>, key: string, value: Json): void {
  if (key !== '__proto__') target[key] = value;
  else Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}

/** What to say of a key that stands twice in one mapping. */
export function duplicateKey(key: string, firstLine: number): string {
  return `duplicate key "${key}": it already stands on line ${firstLine}; keep one of the two`;
}
