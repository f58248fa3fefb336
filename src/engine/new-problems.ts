/**
 * Ratcheting, as in the validation of CustomResourceDefinitions: an UPDATE is evaluated on what it changes. Problems
 * that the stored object has already (same rule, same value) are dropped, so that objects older than the webhook stay
 * editable. It applies to each rule without `ratchets: false`, on the main resource and on /status.
 */

import { LIST_KEYS } from '../api/schema.ts';
import { getOrInsert } from '../base/collections.ts';
import { at, canonical, isObject, type Json, type Path, same } from '../base/json.ts';
import type { Problem } from '../rules/rule.ts';

/** An entry, or the value of a problem, with more values than this is large. Real ones have far fewer. */
const LARGE = 1000;

/**
 * Returns the problems that are new. A problem is dropped if the stored object has it for the same entry of a list,
 * wherever that entry is now, or at the same path (an entry that is edited in place). Matching by path and matching by
 * entry are counted separately; an extra copy of an entry is new.
 */
export function newProblems(
  problems: readonly Problem[],
  object: Json,
  before: readonly Problem[],
  oldObject: Json,
): Problem[] {
  const keys = new ProblemKeys();
  const entries = new Map<string, number>();
  const paths = new Set<string>();
  for (const { path } of before) {
    const entry = keys.entryKey(path, oldObject);
    entries.set(entry, (entries.get(entry) ?? 0) + 1);
    paths.add(keys.pathKey(path, oldObject, object));
  }
  const takes = (entry: string): boolean => {
    const left = entries.get(entry) ?? 0;
    entries.set(entry, left - 1);
    return left > 0;
  };
  const moved = new Map<Problem, string>();
  // Problems at an unchanged path are matched first: of two copies of an entry, the one that moved is the new one.
  for (const problem of problems) {
    const entry = keys.entryKey(problem.path, object);
    if (paths.has(keys.pathKey(problem.path, object, oldObject))) takes(entry);
    else moved.set(problem, entry);
  }
  return [...moved].filter(([, entry]) => !takes(entry)).map(([problem]) => problem);
}

/** Makes keys of problems. It interns values, so that the keys stay short. */
class ProblemKeys {
  private readonly numbers = new Map<string, number>();
  private readonly known = new Map<Json | undefined, string>();
  private unlike = 0;

  /**
   * Returns a key for the list entry of a problem, without its index: made of the entry's keys, or of its whole content
   * if the list has no keys. A large entry without keys is not recognized at another index: comparing takes too long.
   */
  entryKey(path: Path, object: Json): string {
    const last = path.findLastIndex((step) => typeof step === 'number');
    let value: Json | undefined = object;
    const steps = path.map((step, index) => {
      value = at(value, [step]);
      if (typeof step !== 'number') return step;
      // A key is never null, so null distinguishes entries without keys.
      return keysOf(value, path[index - 1]) ?? [null, index === last ? this.nameOf(value) : ''];
    });
    return `${JSON.stringify(steps)} ${this.nameOf(value)}`;
  }

  /** Returns a key for the path and the value of a problem. Other parts of its entry may change. */
  pathKey(path: Path, object: Json, other: Json): string {
    const value = at(object, path);
    const name = isLarge(value) && same(value, at(other, path)) ? 'stays' : this.nameOf(value);
    return `${JSON.stringify(path)} ${name}`;
  }

  /** Returns a name that is equal for two values exactly if `same` holds; for a large value, always a new name. */
  private nameOf(value: Json | undefined): string {
    return getOrInsert(this.known, value, () =>
      isLarge(value) ? `unlike ${this.unlike++}` : this.numbered(canonical(value ?? null)),
    );
  }

  private numbered(text: string): string {
    return String(getOrInsert(this.numbers, text, () => this.numbers.size));
  }
}

/** Returns the values of an entry's keys; undefined if the list has no keys, or the entry lacks one. */
function keysOf(entry: Json | undefined, list: string | number | undefined): readonly Json[] | undefined {
  const keys = typeof list === 'string' && Object.hasOwn(LIST_KEYS, list) ? LIST_KEYS[list] : undefined;
  if (keys === undefined || !isObject(entry)) return undefined;
  const values = keys.map((key) => entry[key]);
  return values.every((value) => typeof value === 'string') ? (values as string[]) : undefined;
}

/** Whether a value contains so many others that it takes long to make a text of it. */
function isLarge(value: Json | undefined): boolean {
  const waiting: unknown[] = [value];
  for (let seen = 0; waiting.length > 0; seen++) {
    if (seen + waiting.length > LARGE) return true;
    const next = waiting.pop();
    if (typeof next !== 'object' || next === null) continue;
    // Counts the keys first: listing the values of a large map takes three times as long.
    if ((Array.isArray(next) ? next : Object.keys(next)).length > LARGE) return true;
    waiting.push(...Object.values(next));
  }
  return false;
}
