/** Finds duplicates of ids that no two objects may share: for one write, and among all stored objects. */

import type { Dialect } from '../../api/dialects.ts';
import { type JsonObject, type Path, textAt } from '../../base/json.ts';
import { type MaybePromise, whenDone } from '../../base/promise.ts';
import { NAME, type Answer, type ComparedObject, type Conflict, type Context, type KeysOf, type Label, type ObjectComparison, type ObjectFact, type RuleResult } from '../rule.ts';
import { isItself } from './inventory-fields.ts';

/** Keys that have to be unique among the objects of a namespace. */
export interface Uniqueness {
  /** Returns the keys of an object. Two objects have a duplicate if a key of both has equal `parts`. */
  keysOf(object: JsonObject): readonly UniqueKey[];
  /** Returns the `parts` of the keys of an object, as JSON. */
  readonly textsOf: KeysOf;
}

interface UniqueKey {
  /** The last one is the value at the path. The others say what it belongs to, such as its ClusterSet. */
  readonly parts: readonly string[];
  readonly path: Path;
}

/** Returns the uniqueness of these keys. */
export function uniqueBy(keysOf: Uniqueness['keysOf']): Uniqueness {
  return { keysOf, textsOf: (object) => [...new Set(keysOf(object).map(textOf))] };
}

/** Returns the uniqueness of a text at a path. An empty text counts as none. */
export function uniqueAt(path: Path): Uniqueness {
  return uniqueBy((object) => {
    const value = textAt(object, path);
    return value ? [{ parts: [value], path }] : [];
  });
}

/**
 * Reports `taken` for the first other object that shares a key, at the first of the keys that it shares.
 * @param label a label that all objects with the same key have; by default, all objects are listed
 */
export function checkUnique(
  { keysOf, textsOf }: Uniqueness,
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
      const theirs = textsOf(other);
      const shared = keys.find((key) => theirs.includes(textOf(key)));
      if (shared) return [taken(shared, textAt(other, NAME))];
    }
    return [];
  };
  const { view, dialect, namespace } = context;
  const listed =
    view.listByKeys?.(dialect, namespace, textsOf, textsOf(context.object)) ?? view.list(dialect, namespace, label);
  return whenDone(listed, compare);
}

function textOf({ parts }: UniqueKey): string {
  return JSON.stringify(parts);
}

/** The keys of one object, as JSON: they are kept for up to 100,000 objects, and a text takes a third of the memory. */
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
 * Returns the comparison of the objects of each kind, in each cluster by itself. An object that shares several keys
 * with others has one finding, which names the first of the others. `check` compares each write (`checkUnique`).
 */
export function compareUnique({ keysOf }: Uniqueness, kinds: readonly Dialect[]): ObjectComparison<Keys> {
  return {
    kinds,
    acrossOnly: false,
    points: ['scan'],
    factOf(object) {
      const keys = keysOf(object).map(({ parts, path }) => [parts, path]);
      return keys.length > 0 ? JSON.stringify(keys) : undefined;
    },
    conflicts(kept) {
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
 * Returns the holders of each key that several objects have. To save memory, keys with one holder are not collected.
 */
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

/**
 * Whether two holders of a key are the same object, read from two files. Their namespaces are equal, as parts of the
 * key.
 */
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
