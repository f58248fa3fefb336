/** Building plain JSON data: what YAML and JSON documents have in common. */
import type { Json } from '../rules/rule.ts';

/** Levels of lists and mappings a document may have. The server refuses deeper ones too. */
export const MAX_DEPTH = 200;

export const TOO_DEEP = `more than ${MAX_DEPTH} levels of nesting: no Kubernetes object is that deep`;

/** Sets a member as an own property, `__proto__` too. */
export function setMember(target: Record<string, Json>, key: string, value: Json): void {
  if (key !== '__proto__') target[key] = value;
  else Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}

/** What to say of a key that stands twice in one mapping. */
export function duplicateKey(key: string, firstLine: number): string {
  return `duplicate key "${key}": it already stands on line ${firstLine}; keep one of the two`;
}
