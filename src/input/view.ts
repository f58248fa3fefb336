/**
 * The ClusterView of objects from files. An object that is missing in files may still exist. So the answer is "no such
 * object" only if its kind is known: the state or a document of the run contains the kind, or the state is empty.
 */
import type { Dialect } from '../api/dialects.ts';
import type { JsonObject } from '../base/json.ts';
import { freeze } from '../engine/index.ts';
import type { Answer, ClusterView, Reference } from '../rules/rule.ts';
import { dialectOfObject, inNamespace, keyOf, referenceOfObject } from './objects.ts';

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
type ViewEntry = { readonly reference: Reference; readonly object: JsonObject | undefined };

/** Creates the view. It never fails; objects of kinds that muster does not evaluate are ignored. */
export function createRunView(options: RunViewOptions = {}): RunView {
  const { state = [], behind } = options;
  const entries = new Map<string, ViewEntry>();
  const known = new Set([...(options.known ?? [])].map(({ name }) => name));
  // Answers that were copied. Copying the same answer again for each document would take quadratic time.
  const copied = new Set<Answer<readonly JsonObject[]>>();
  const put = (reference: Reference, object: JsonObject | undefined) =>
    void entries.set(keyOf(reference), { reference, object: object && freeze(object) });
  const absent = (dialect: Dialect): Answer<undefined> => {
    const reason = whyUnknown(options, known, dialect);
    return reason === undefined ? { known: true, value: undefined } : { known: false, reason };
  };
  /** Lists the objects of the view behind, and copies those that have no entry. */
  const listBehind = async (view: ClusterView, dialect: Dialect, namespace: string | undefined) => {
    const answer = await view.list(dialect, namespace);
    if (!answer.known) return answer;
    for (const object of copied.has(answer) ? [] : answer.value) {
      const reference = referenceOfObject(dialect, object);
      if (!entries.has(keyOf(reference))) put(reference, object);
    }
    copied.add(answer);
    return listOf(entries, dialect, namespace);
  };
  for (const object of state) {
    const dialect = dialectOfObject(object);
    if (dialect === undefined) continue;
    known.add(dialect.name);
    const reference = referenceOfObject(dialect, object);
    put(reference, inNamespace(reference, object));
  }
  return {
    get(reference) {
      const entry = entries.get(keyOf(reference));
      if (entry !== undefined) return { known: true, value: entry.object };
      return behind ? behind.get(reference) : absent(reference.dialect);
    },
    list(dialect, namespace) {
      if (behind) return listBehind(behind, dialect, namespace);
      const answer = absent(dialect);
      return answer.known ? listOf(entries, dialect, namespace) : answer;
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
): Answer<readonly JsonObject[]> {
  const value: JsonObject[] = [];
  for (const { reference, object } of entries.values()) {
    if (reference.dialect.name !== dialect.name || object === undefined) continue;
    if (namespace === undefined || reference.namespace === namespace) value.push(object);
  }
  return { known: true, value };
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
