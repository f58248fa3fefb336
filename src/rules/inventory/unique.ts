/** Finds duplicates of ids that no two objects may share: for one write, and among all stored objects. */

import type { Dialect } from '../../api/dialects.ts';
import { type JsonObject, type Path, textAt } from '../../base/json.ts';
import { type MaybePromise, whenDone } from '../../base/promise.ts';
import {
  type Answer,
  type ComparedObject,
  type Conflict,
  type Context,
  type KeysOf,
  type Label,
  NAME,
  type ObjectComparison,
  type ObjectFact,
  type RuleResult,
} from '../rule.ts';
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

/** An object with one of its keys. */
interface KeyedObject {
  readonly object: ComparedObject;
  readonly key: UniqueKey;
  /** The position of the object among all. */
  readonly index: number;
  /** The position of the key among those of the object. */
  readonly rank: number;
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
      const keys = keysOf(object);
      return keys.length > 0 ? JSON.stringify(keys) : undefined;
    },
    conflicts(kept) {
      const found = new Map<ComparedObject, { readonly one: KeyedObject; readonly other: KeyedObject }>();
      for (const sharing of objectsBySharedKey(kept)) {
        for (const one of sharing) {
          const other = sharing.find(({ object }) => !isSame(object, one.object));
          if (other === undefined) continue;
          const before = found.get(one.object);
          const distance = before ? other.index - before.other.index || one.rank - before.one.rank : -1;
          if (distance < 0) found.set(one.object, { one, other });
        }
      }
      return [...found.values()].map(({ one: { object, key }, other }): Conflict => {
        const related = [{ object: other.object, path: other.key.path, messageId: 'other' }];
        return { object, problem: taken(key, other.object.name), related };
      });
    },
  };
}

/** Returns the objects of each key that several have. To save memory, the others are not collected. */
function objectsBySharedKey(kept: readonly ObjectFact<Keys>[]): Iterable<readonly KeyedObject[]> {
  const first = new Map<string, number>();
  const shared = new Map<string, KeyedObject[]>();
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
  if (shared.size === 0) return [];
  for (const [index, { object, fact }] of kept.entries()) {
    for (const [rank, key] of keysIn(fact).entries())
      shared.get(textOf(object, key.parts))?.push({ object, key, index, rank });
  }
  return shared.values();
}

/** Whether two objects with one key are the same, read from two files. Their namespaces are parts of the key. */
function isSame(a: ComparedObject, b: ComparedObject): boolean {
  return a.name === b.name;
}

function keysIn(fact: Keys): readonly UniqueKey[] {
  return JSON.parse(fact);
}

/** The problem of an object whose key another object has. */
function taken({ path, parts }: UniqueKey, other: string | undefined) {
  return { path, messageId: 'taken', data: { value: parts.at(-1), other } };
}
