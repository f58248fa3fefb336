/**
 * The *files* ClusterView: other objects as files give them. Absence is not proof, so a kind has to be known before
 * "no such object" is an answer: because the state or a document of the run contains it, or because the state is empty.
 */

import { type Dialect, dialectOf } from '../../api/dialects.ts';
import { freeze } from '../../engine/index.ts';
import { at, isObject, textAt } from '../../rules/json.ts';
import type { Answer, ClusterView, JsonObject, Reference } from '../../rules/rule.ts';

export interface FilesViewOptions {
  /** What exists, of any kind. Undefined: no state was given. Empty: a world with nothing in it. */
  readonly state?: readonly JsonObject[] | undefined;
  /** Part of the state could not be read: what is missing may still exist. */
  readonly incomplete?: boolean;
  /** Dialects that count as known although the state does not contain them: those of the run's own documents. */
  readonly known?: Iterable<Dialect>;
  /** What the state comes from, as a message calls it. Default: `--state`. */
  readonly from?: string;
  /** Asked for what is neither in the state nor stored since; then nothing is presumed of what it does not know. */
  readonly behind?: ClusterView;
}

/** A view that can change: `check` stores what it allowed. `serve` hands it out as a plain ClusterView. */
export interface FilesView extends ClusterView {
  /** The object as stored, or undefined; says nothing of whether that proves absence. */
  stored(reference: Reference): JsonObject | undefined;
  /** Freezes and keeps an object, in place of the one of its name. */
  store(reference: Reference, object: JsonObject): void;
  /** Takes an object away; from then on it is known to be absent. */
  remove(reference: Reference): void;
}

/** Builds the view. It answers at once and never fails; objects of kinds muster does not judge are passed over. */
export function createFilesView(options: FilesViewOptions = {}): FilesView {
  const world: World = new Map();
  const known = new Set([...(options.known ?? [])].map((dialect) => dialect.name));
  for (const object of options.state ?? []) {
    const dialect = dialectOfObject(object);
    if (dialect === undefined) continue;
    known.add(dialect.name);
    const reference = referenceTo(dialect, object);
    world.set(keyOf(reference), { reference, object: freeze(settled(reference, object)) });
  }
  const ignorance = (dialect: Dialect) => whyUnknown(options, known, dialect);
  const reads = options.behind ? readsBefore(options.behind, world) : readsOf(world, ignorance);
  return {
    ...reads,
    stored: (reference) => world.get(keyOf(reference))?.object,
    store: (reference, object) => void world.set(keyOf(reference), { reference, object: freeze(object) }),
    remove: (reference) => void world.set(keyOf(reference), { reference, object: undefined }),
  };
}

/** One world: the state, and what was stored since. */
function readsOf(world: World, ignorance: (dialect: Dialect) => string | undefined): ClusterView {
  return {
    get: (reference) => answerGet(world.get(keyOf(reference)), ignorance(reference.dialect)),
    list: (dialect, namespace) => answerList(world.values(), dialect, namespace, ignorance(dialect)),
  };
}

/** Two worlds, the nearer before the other. What was listed of the other is taken over, but for what the nearer knows better. */
function readsBefore(behind: ClusterView, world: World): ClusterView {
  const taken = new Set<Answer<readonly JsonObject[]>>();
  return {
    get: async (reference) => {
      const entry = world.get(keyOf(reference));
      return entry === undefined ? behind.get(reference) : { known: true, value: entry.object };
    },
    list: async (dialect, namespace) => {
      const answer = await behind.list(dialect, namespace);
      if (!answer.known) return answer;
      // The same answer again says nothing new, and to take it over for each document would be a square.
      if (!taken.has(answer)) takeOver(answer.value, dialect, world);
      taken.add(answer);
      return answerList(world.values(), dialect, namespace, undefined);
    },
  };
}

function takeOver(objects: readonly JsonObject[], dialect: Dialect, world: World): void {
  for (const object of objects) {
    const reference = referenceTo(dialect, object);
    if (!world.has(keyOf(reference))) world.set(keyOf(reference), { reference, object: freeze(object) });
  }
}

/** Where an object stands: its dialect, namespace and name. */
export function referenceTo(dialect: Dialect, object: JsonObject): Reference {
  const namespace = namespaceOf(dialect, object);
  const name = textAt(object, ['metadata', 'name']) ?? '';
  return namespace === undefined ? { dialect, name } : { dialect, namespace, name };
}

/** The namespace of an object: `default` where a namespaced one names none, as kubectl has it; none for cluster-scoped kinds. */
export function namespaceOf(dialect: Dialect, object: JsonObject): string | undefined {
  if (dialect.scope === 'Cluster') return undefined;
  return textAt(object, ['metadata', 'namespace']) || 'default';
}

/** The object with the namespace it is stored in: the one kubectl presumes, and none for cluster-scoped kinds. */
export function settled({ namespace }: Reference, object: JsonObject): JsonObject {
  const metadata = at(object, ['metadata']);
  if (!isObject(metadata) || textAt(metadata, ['namespace']) === namespace) return object;
  const { namespace: _, ...rest } = metadata;
  return { ...object, metadata: namespace === undefined ? rest : { ...rest, namespace } };
}

type World = Map<string, Entry>;

interface Entry {
  readonly reference: Reference;
  /** Undefined: known to be gone. */
  readonly object: JsonObject | undefined;
}

function dialectOfObject(object: JsonObject): Dialect | undefined {
  const [group, version] = (textAt(object, ['apiVersion']) ?? '').split('/');
  return version === undefined ? undefined : dialectOf(group ?? '', textAt(object, ['kind']) ?? '');
}

/** Versions of one group are one world, so the version is no part of the key. None of the parts may hold a newline. */
export function keyOf({ dialect, namespace, name }: Reference): string {
  return [dialect.name, dialect.scope === 'Cluster' ? '' : (namespace ?? ''), name].join('\n');
}

function answerGet(entry: Entry | undefined, ignorance: string | undefined): Answer<JsonObject | undefined> {
  if (entry !== undefined) return { known: true, value: entry.object };
  return ignorance === undefined ? { known: true, value: undefined } : { known: false, reason: ignorance };
}

function answerList(
  entries: Iterable<Entry>,
  dialect: Dialect,
  namespace: string | undefined,
  ignorance: string | undefined,
): Answer<readonly JsonObject[]> {
  if (ignorance !== undefined) return { known: false, reason: ignorance };
  const found: JsonObject[] = [];
  for (const { reference, object } of entries) {
    if (reference.dialect.name !== dialect.name || object === undefined) continue;
    if (namespace === undefined || reference.namespace === namespace) found.push(object);
  }
  return { known: true, value: found };
}

/** Why absence proves nothing for a dialect, with the remedy; undefined where it does. */
function whyUnknown(options: FilesViewOptions, known: Set<string>, dialect: Dialect): string | undefined {
  const { state, incomplete, from = '--state' } = options;
  const kind = `${dialect.kind} objects (${dialect.group})`;
  if (incomplete === true) return `part of ${from} could not be read, so what other ${kind} exist is not known`;
  if (known.has(dialect.name) || state?.length === 0) return undefined;
  if (state === undefined) return `nothing is known of other ${kind}: give what exists with --state PATH`;
  return `${from} holds no ${kind}: add them to it (an empty folder or file as --state says that nothing exists)`;
}
