/**
 * The ClusterView of objects from files. An object that is missing in files may still exist. So the answer is "no such
 * object" only if its kind is known: the state or a document of the run contains the kind, or the state is empty.
 */
import type { Dialect } from '../api/dialects.ts';
import { getOrInsert } from '../base/collections.ts';
import type { JsonObject } from '../base/json.ts';
import { freeze } from '../engine/index.ts';
import { referenceOfObject } from '../engine/review.ts';
import type { Answer, ClusterView, KeysOf, Reference } from '../rules/rule.ts';
import { inNamespace, keyOf, referenceOf } from './objects.ts';

export interface RunViewOptions {
  /** The objects that exist, of any kind. Undefined: not known. Empty: nothing exists. */
  readonly state?: readonly JsonObject[] | undefined;
  /** Whether part of the state could not be read, so that a missing object may still exist. */
  readonly incomplete?: boolean;
  /** Dialects that count as known although the state does not contain them: those of the run's own documents. */
  readonly known?: Iterable<Dialect>;
  /** The source of the state in messages. Default: `--state`. */
  readonly from?: string;
  /** Asked for objects that neither the state nor a change has; its answer counts, also if it is unknown. */
  readonly behind?: ClusterView;
}

/** A view that can change: `check` stores what it allowed. */
export interface RunView extends ClusterView {
  /** Returns the stored object; undefined does not prove its absence. */
  stored(reference: Reference): JsonObject | undefined;
  /** Returns all stored objects; of the view behind, those that were read so far. */
  all(): readonly StoredObject[];
  /**
   * Freezes and stores an object, in place of the one with its name. Undefined: from then on it is known to be absent.
   */
  store(reference: Reference, object: JsonObject | undefined): void;
}

export interface StoredObject {
  readonly reference: Reference;
  readonly object: JsonObject;
}

/** An entry without an object is known to be absent. */
interface ViewEntry {
  readonly reference: Reference;
  /** The position among all entries, which a changed object keeps. */
  readonly position: number;
  object: JsonObject | undefined;
}

/** Creates the view. It never fails; objects of kinds that muster does not evaluate are ignored. */
export function createRunView(options: RunViewOptions = {}): RunView {
  const { state = [], behind } = options;
  const entries = new Map<string, ViewEntry>();
  const known = new Set([...(options.known ?? [])].map(({ name }) => name));
  // Answers that were copied. Copying the same answer again for each document would take quadratic time.
  const copied = new Set<Answer<readonly JsonObject[]>>();
  const indexes = new Map<KeysOf, KeyIndex>();
  const put = (reference: Reference, object: JsonObject | undefined) => {
    const position = entries.size;
    const entry = getOrInsert(entries, keyOf(reference), () => ({ reference, position, object: undefined }));
    const before = entry.object;
    entry.object = object && freeze(object);
    for (const index of indexes.values()) index.update(entry, before);
  };
  const absent = (dialect: Dialect): Answer<undefined> => {
    const reason = whyUnknown(options, known, dialect);
    return reason === undefined ? { known: true, value: undefined } : { known: false, reason };
  };
  /** Copies the objects of the view behind that have no entry. */
  const copyBehind = async (view: ClusterView, dialect: Dialect, namespace: string | undefined) => {
    const answer = await view.list(dialect, namespace);
    if (!answer.known || copied.has(answer)) return answer;
    for (const object of answer.value) {
      const reference = referenceOfObject(dialect, object);
      if (!entries.has(keyOf(reference))) put(reference, object);
    }
    copied.add(answer);
    return answer;
  };
  /** Returns what `find` finds among the objects, if all of the dialect in the namespace are known. */
  const listed = (dialect: Dialect, namespace: string | undefined, find: () => readonly JsonObject[]) => {
    const found = (answer: Answer<unknown>) => (answer.known ? { known: true as const, value: find() } : answer);
    return behind ? copyBehind(behind, dialect, namespace).then(found) : found(absent(dialect));
  };
  const list = (dialect: Dialect, namespace?: string) =>
    listed(dialect, namespace, () => listOf(entries, dialect, namespace));
  for (const object of state) {
    const reference = referenceOf(object);
    if (reference === undefined) continue;
    known.add(reference.dialect.name);
    put(reference, inNamespace(reference, object));
  }
  return {
    get(reference) {
      const entry = entries.get(keyOf(reference));
      if (entry !== undefined) return { known: true, value: entry.object };
      return behind ? behind.get(reference) : absent(reference.dialect);
    },
    list,
    listByKeys(dialect, namespace, keysOf, keys) {
      // Those of all namespaces together have no index.
      if (dialect.scope === 'Namespaced' && namespace === undefined) return list(dialect);
      const indexed = () => getOrInsert(indexes, keysOf, () => new KeyIndex(keysOf, entries.values()));
      return listed(dialect, namespace, () => indexed().find({ dialect, namespace }, keys));
    },
    stored: (reference) => entries.get(keyOf(reference))?.object,
    all: () =>
      [...entries.values()].flatMap(({ reference, object }) => (object === undefined ? [] : [{ reference, object }])),
    store: put,
  };
}

function listOf(
  entries: Map<string, ViewEntry>,
  dialect: Dialect,
  namespace: string | undefined,
): readonly JsonObject[] {
  const objects: JsonObject[] = [];
  for (const { reference, object } of entries.values()) {
    if (reference.dialect.name !== dialect.name || object === undefined) continue;
    if (namespace === undefined || reference.namespace === namespace) objects.push(object);
  }
  return objects;
}

/** How many objects of one key are found: one of them may be the evaluated object itself. */
const MOST_FOUND = 2;

/** Finds objects by their keys. Without it, comparing each object of a run with all others takes quadratic time. */
class KeyIndex {
  /** The entries with each key, in their order. */
  readonly #entries = new Map<string, ViewEntry[]>();
  readonly #keysOf: KeysOf;

  constructor(keysOf: KeysOf, entries: Iterable<ViewEntry>) {
    this.#keysOf = keysOf;
    for (const entry of entries) this.update(entry, undefined);
  }

  /** Lists an entry under the keys of its object, and takes it out of those that only its former object had. */
  update(entry: ViewEntry, former: JsonObject | undefined): void {
    const before = this.#keysOfObject(entry.reference, former);
    const now = this.#keysOfObject(entry.reference, entry.object);
    for (const key of before) {
      if (now.has(key)) continue;
      const entries = this.#entries.get(key) ?? [];
      entries.splice(placeOf(entry, entries), 1);
    }
    for (const key of now) {
      if (before.has(key)) continue;
      const entries = getOrInsert(this.#entries, key, () => []);
      entries.splice(placeOf(entry, entries), 0, entry);
    }
  }

  /** Returns the first objects of each key, in the order of all entries. */
  find(at: Pick<Reference, 'dialect' | 'namespace'>, keys: readonly string[]): readonly JsonObject[] {
    const found = new Set(keys.flatMap((key) => this.#entries.get(placed(at, key))?.slice(0, MOST_FOUND) ?? []));
    const inOrder = [...found].sort((a, b) => a.position - b.position);
    return inOrder.map(({ object }) => object).filter((object) => object !== undefined);
  }

  #keysOfObject(reference: Reference, object: JsonObject | undefined): ReadonlySet<string> {
    return new Set(object && this.#keysOf(object).map((key) => placed(reference, key)));
  }
}

/** Returns where an entry is among others, or belongs. A search from one end takes long where many share a key. */
function placeOf({ position }: ViewEntry, inOrder: readonly ViewEntry[]): number {
  let low = 0;
  let high = inOrder.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((inOrder[middle] as ViewEntry).position < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns a key among the objects of one dialect in one namespace. */
function placed({ dialect, namespace }: Pick<Reference, 'dialect' | 'namespace'>, key: string): string {
  return JSON.stringify([dialect.name, namespace, key]);
}

/** How the reason begins where no state was given. `muster doctor` recognizes a server without a cluster by it. */
export const NOTHING_KNOWN = 'nothing is known of other';

/** Returns why it is not known what else a dialect has, with the fix; undefined if that is known. */
function whyUnknown(options: RunViewOptions, known: Set<string>, dialect: Dialect): string | undefined {
  const { state, incomplete, from = '--state' } = options;
  const kind = `${dialect.kind} objects (${dialect.group})`;
  if (incomplete === true) return `part of ${from} could not be read, so what other ${kind} exist is not known`;
  if (known.has(dialect.name) || state?.length === 0) return undefined;
  if (state === undefined) return `${NOTHING_KNOWN} ${kind}: give what exists with --state PATH`;
  return `${from} holds no ${kind}: add them to it (an empty folder or file as --state says that nothing exists)`;
}
