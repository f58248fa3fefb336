/** `same` for what may be large: it may be interrupted, so that others are served while two maps of 100,000 members are compared. */
import { isObject, same } from './json.ts';
import { INTERRUPTIBLE, type Interruptible, type Json, type JsonObject } from './rule.ts';

/** Work that yields wherever it may be interrupted. */
export type Steps<T> = Generator<Interruptible, T>;

/** Entries or members between two such places; to compare as many takes well under a millisecond. */
const STEP = 1024;

/** Whether `same` finds them equal. */
export function* comparing(a: Json | undefined, b: Json | undefined): Steps<boolean> {
  if (Array.isArray(a)) return Array.isArray(b) && (yield* comparingLists(a, b));
  if (!isObject(a) || !isObject(b)) return same(a, b);
  return (yield* keeping(a, b)) && (yield* addingNothing(a, b));
}

/** Whether every member of `a`, but the one that is free, is the same in `b`. */
export function* keeping(a: JsonObject, b: JsonObject, free?: string): Steps<boolean> {
  const keys = Object.keys(a);
  for (const [index, key] of keys.entries()) {
    // The first, too: to list the keys of a large map takes longest.
    if (index % STEP === 0 && keys.length > STEP) yield INTERRUPTIBLE;
    if (key === free) continue;
    const one = a[key];
    const other = Object.hasOwn(b, key) ? b[key] : undefined;
    if (!(isDeep(one) ? yield* comparing(one, other) : same(one, other))) return false;
  }
  return true;
}

function* addingNothing(a: JsonObject, b: JsonObject): Steps<boolean> {
  const keys = Object.keys(b);
  for (const [index, key] of keys.entries()) {
    if (index % STEP === 0 && keys.length > STEP) yield INTERRUPTIBLE;
    if (!Object.hasOwn(a, key) && (b[key] ?? undefined) !== undefined) return false;
  }
  return true;
}

function* comparingLists(a: readonly Json[], b: readonly Json[]): Steps<boolean> {
  if (a.length !== b.length) return false;
  for (const [index, item] of a.entries()) {
    if (index % STEP === STEP - 1) yield INTERRUPTIBLE;
    if (!(isDeep(item) ? yield* comparing(item, b[index]) : same(item, b[index]))) return false;
  }
  return true;
}

function isDeep(value: Json | undefined): boolean {
  return typeof value === 'object' && value !== null;
}
