/** `same` for what may be large: it may be interrupted, so that others are served while two maps of 100,000 members are compared. */
import { isObject, same } from './json.ts';
import { INTERRUPTIBLE, type Interruptible, type Json, type JsonObject } from './rule.ts';

/** Work that yields wherever it may be interrupted. */
export type Steps<T> = Generator<Interruptible, T>;

/** Entries or members between two such places; as many are gone through in about a millisecond. */
export const STEP = 1024;

/** Whether `same` finds them equal. */
export function* comparing(a: Json | undefined, b: Json | undefined): Steps<boolean> {
  if (Array.isArray(a)) return Array.isArray(b) && (yield* comparingLists(a, b));
  if (!isObject(a) || !isObject(b)) return same(a, b);
  return (yield* differing(a, b)) === undefined;
}

/** The first member of either, but the one that is free, that is not the same in both. */
export function* differing(a: JsonObject, b: JsonObject, free?: string): Steps<string | undefined> {
  return (yield* lost(a, b, free)) ?? (yield* lost(b, a, free, true));
}

/** The first member of `a`, but the one that is free, that is not the same in `b`; or only of those that `b` lacks. */
export function* lost(a: JsonObject, b: JsonObject, free?: string, ifLacking = false): Steps<string | undefined> {
  const keys = Object.keys(a);
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] as string;
    // Before the first, too: to list the keys of a large map takes longest.
    if (index % STEP === 0 && keys.length > STEP) yield INTERRUPTIBLE;
    const own = Object.hasOwn(b, key);
    if (key === free || (ifLacking && own)) continue;
    const one = a[key];
    const other = own ? b[key] : undefined;
    if (!(isDeep(one) ? yield* comparing(one, other) : same(one, other))) return key;
  }
  return undefined;
}

function* comparingLists(a: readonly Json[], b: readonly Json[]): Steps<boolean> {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) {
    if (index % STEP === STEP - 1) yield INTERRUPTIBLE;
    const item = a[index];
    if (!(isDeep(item) ? yield* comparing(item, b[index]) : same(item, b[index]))) return false;
  }
  return true;
}

/** All else is compared without ceremony. */
function isDeep(value: Json | undefined): boolean {
  return typeof value === 'object' && value !== null;
}
