/**
 * The rules on names and ids that no two objects may share: the check of a write, and the comparison of all that is
 * stored.
 */

import { type JsonObject, type Path, textAt } from '../../base/json.ts';
import type {
  Answer,
  ComparedObject,
  Conflict,
  Context,
  Label,
  MaybePromise,
  ObjectComparison,
  ObjectFact,
  RuleResult,
} from '../rule.ts';
import { isItself } from './inventory-fields.ts';

/** Ids that identify an object within its namespace. */
export interface Uniqueness {
  /** The keys of an object. Two objects that have equal parts in one of them share it. */
  keysOf(object: JsonObject): readonly UniqueKey[];
}

interface UniqueKey {
  /** The last is the value at the path; those before it say what it belongs to. */
  readonly parts: readonly string[];
  readonly path: Path;
}

/** That no two objects have the same text at a path. An empty one counts as none. */
export function uniqueAt(path: Path): Uniqueness {
  const keysOf = (object: JsonObject) => {
    const value = textAt(object, path);
    return value ? [{ parts: [value], path }] : [];
  };
  return { keysOf };
}

/**
 * Reports `taken` for the first other object that shares a key, at the first of the keys that it shares.
 * @param label that all objects with the same key carry; default: all objects are compared
 */
export function checkUnique(
  { keysOf }: Uniqueness,
  context: Context,
  label?: Label,
): MaybePromise<readonly RuleResult[]> {
  const keys = keysOf(context.object);
  const [first] = keys;
  if (first === undefined) return [];
  const compare = (listed: Answer<readonly JsonObject[]>): readonly RuleResult[] => {
    if (!listed.known) return [{ path: first.path, unknown: listed.reason }];
    for (const other of listed.value) {
      if (isItself(context, other)) continue;
      const theirs = new Set(keysOf(other).map(({ parts }) => JSON.stringify(parts)));
      const shared = keys.find(({ parts }) => theirs.has(JSON.stringify(parts)));
      if (shared) return [taken(shared, textAt(other, ['metadata', 'name']))];
    }
    return [];
  };
  const listed = context.view.list(context.dialect, context.namespace, label);
  return 'then' in listed ? listed.then(compare) : compare(listed);
}

/** The keys of one object, as JSON. Of 100,000 objects each is kept, and one text takes a third of the lists in it. */
type Keys = string;

/** An object that has a key. */
interface Holder {
  readonly object: ComparedObject;
  /** The position of the object among all. */
  readonly index: number;
  /** The position of the key among those of the object. */
  readonly rank: number;
  readonly fact: Keys;
}

/**
 * Compares the objects of one kind, in each cluster by itself. An object that shares several values with others has one
 * finding, on the object that came first. At `check` each write was compared before.
 */
export function compareUnique({ keysOf }: Uniqueness): ObjectComparison<Keys> {
  return {
    concepts: ['inventory'],
    acrossOnly: false,
    factOf(object) {
      const keys = keysOf(object).map(({ parts, path }) => [parts, path]);
      return keys.length > 0 ? JSON.stringify(keys) : undefined;
    },
    conflicts(kept, { point }) {
      if (point === 'check') return [];
      const found = new Map<ComparedObject, { readonly holder: Holder; readonly other: Holder }>();
      for (const sharing of holdersByKey(kept)) {
        for (const holder of sharing) {
          const other = sharing.find(({ object }) => !isSame(object, holder.object));
          if (other === undefined) continue;
          const before = found.get(holder.object);
          const distance = before ? other.index - before.other.index || holder.rank - before.holder.rank : -1;
          if (distance < 0) found.set(holder.object, { holder, other });
        }
      }
      return [...found.values()].map(({ holder, other }) => conflictOf(holder, other));
    },
  };
}

/**
 * Returns a function that finds, of each of some objects, the first one that differs from it.
 * @param keyOf equal for objects that do not differ
 */
export function firstOther<T>(all: readonly T[], keyOf: (one: T) => string): (one: T) => T | undefined {
  const [first] = all;
  if (first === undefined) return () => undefined;
  const key = keyOf(first);
  const second = all.find((one) => keyOf(one) !== key);
  return (one) => (keyOf(one) === key ? second : first);
}

/** Returns the holders of each key that several objects have. Most keys have one, for which nothing more is kept. */
function* holdersByKey(kept: readonly ObjectFact<Keys>[]): Generator<readonly Holder[]> {
  const first = new Map<string, number>();
  const shared = new Map<string, Holder[]>();
  const textOf = ({ cluster, dialect, namespace }: ComparedObject, parts: readonly string[]) =>
    JSON.stringify([cluster, dialect.name, namespace, ...parts]);
  for (const [index, { object, fact }] of kept.entries()) {
    for (const { parts } of keysIn(fact)) {
      const text = textOf(object, parts);
      const before = kept[first.get(text) ?? -1];
      if (before === undefined) first.set(text, index);
      else if (!isSame(before.object, object)) shared.set(text, []);
    }
  }
  if (shared.size === 0) return;
  for (const [index, { object, fact }] of kept.entries()) {
    for (const [rank, { parts }] of keysIn(fact).entries())
      shared.get(textOf(object, parts))?.push({ object, index, rank, fact });
  }
  yield* shared.values();
}

/** An object that two files hold is one object. The namespace is part of the key that they share. */
function isSame(a: ComparedObject, b: ComparedObject): boolean {
  return a.name === b.name;
}

function keysIn(fact: Keys): readonly UniqueKey[] {
  const keys = JSON.parse(fact) as readonly (readonly [UniqueKey['parts'], Path])[];
  return keys.map(([parts, path]) => ({ parts, path }));
}

function keyOf({ fact, rank }: Holder): UniqueKey {
  return keysIn(fact)[rank] as UniqueKey;
}

function conflictOf(holder: Holder, other: Holder): Conflict {
  const related = [{ object: other.object, path: keyOf(other).path, messageId: 'other' }];
  return { object: holder.object, problem: taken(keyOf(holder), other.object.name), related };
}

/** The problem of an object whose key another object has. */
function taken({ path, parts }: UniqueKey, other: string | undefined) {
  return { path, messageId: 'taken', data: { value: parts.at(-1), other } };
}
