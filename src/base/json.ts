/**
 * Any JSON value. The functions of this module read own properties only, so that no prototype supplies a value, and
 * treat `null` as absent.
 */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A JSON object. It is never changed. */
export type JsonObject = { readonly [key: string]: Json };

/** Where a value is: keys and list indices, from the root. */
export type Path = readonly (string | number)[];

/**
 * The most levels of lists and objects that are read. The API server lets some 9,000 pass, `JSON.stringify` overflows
 * the stack near 5,000, and no object of ours needs 20.
 */
export const MAX_DEPTH = 200;

/** Whether lists and objects are nested deeper than `levels` in a value. */
export function isDeeper(value: Json, levels = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner: Json) => isDeeper(inner, levels - 1));
}

/** Whether a value is a JSON object (neither list nor null). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value at a path; undefined where a step of the path is missing or null, or leads into a scalar. */
export function at(value: Json | undefined, path: Path): Json | undefined {
  let here: unknown = value;
  for (let index = 0; index < path.length; index++) {
    const step = path[index] as string | number;
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return undefined;
    here = (here as Record<string | number, unknown>)[step];
  }
  return here === null ? undefined : (here as Json | undefined);
}

/** Returns the string at a path; undefined where there is none, or a value of another type. */
export function textAt(value: Json | undefined, path: Path): string | undefined {
  return textOf(at(value, path));
}

/** Returns a value that is a string; undefined for any other. */
export function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Whether a value is a number or a boolean, as YAML reads 7, 1.30, no or On without quotes. */
export function isUnquoted(value: unknown): value is number | boolean {
  return typeof value === 'number' || typeof value === 'boolean';
}

/** Returns the list at a path; an empty one where there is none, or a value of another type. */
export function listAt(value: Json | undefined, path: Path): readonly Json[] {
  return listOf(at(value, path));
}

/** Returns a value that is a list; an empty list for any other. */
export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : NO_ENTRIES;
}

const NO_ENTRIES: readonly Json[] = [];

/** Deep equality in which a member that is null equals a missing one. The decoder bounds the depth. */
export function same(a: Json | undefined, b: Json | undefined): boolean {
  const left = a ?? undefined;
  const right = b ?? undefined;
  if (left === right) return true;
  if (Array.isArray(left)) return Array.isArray(right) && sameList(left, right);
  return isObject(left) && isObject(right) && sameMembers(left, right);
}

function sameList(a: readonly Json[], b: readonly Json[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (!same(a[index], b[index])) return false;
  return true;
}

function sameMembers(a: JsonObject, b: JsonObject): boolean {
  for (const key of Object.keys(a)) if (!same(a[key], Object.hasOwn(b, key) ? b[key] : undefined)) return false;
  for (const key of Object.keys(b)) if ((b[key] ?? undefined) !== undefined && !Object.hasOwn(a, key)) return false;
  return true;
}

/** Returns a text that is equal for two values exactly if `same` holds: members are sorted, null ones left out. */
export function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item)).join()}]`;
  if (!isObject(value)) return typeof value === 'string' ? `"${value.length}:${value}` : String(value);
  const keys = Object.keys(value).filter((key) => value[key] !== null);
  return `{${keys
    .sort()
    .map((key) => `${key.length}:${key}=${canonical(value[key] ?? null)}`)
    .join()}}`;
}

/** Returns a value that is an object; undefined for any other. */
export function asObject(value: Json | undefined): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}
