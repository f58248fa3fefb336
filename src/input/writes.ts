/**
 * Computes what the API server makes of a manifest before it calls an admission webhook: from the file's object and the
 * stored one to the object of the write. Sources: rest.BeforeCreate and rest.BeforeUpdate of the API server; `kubectl
 * apply`.
 */

import { type Dialect, hasStatus } from '../api/dialects.ts';
import { MANAGER_LABEL } from '../api/labels.ts';
import { asObject, at, isObject, type Json, type JsonObject, listAt, textAt } from '../base/json.ts';
import { isTerminating, metadataOf } from '../base/object.ts';
import { formatTime } from '../base/syntax.ts';
import { lostManagerLabel, missingManagerLabel } from '../engine/manager-label.ts';
import type { Reference } from '../rules/rule.ts';
import { inNamespace } from './objects.ts';

/** The annotation in which `kubectl apply` keeps what it applied last. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Metadata of the API server: values in a file are ignored, the stored ones stay. */
const SERVER_MANAGED = [
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'managedFields',
  'selfLink',
];

/** Returns the object of a CREATE: without status and server-managed metadata, with name and namespace. */
export function created(reference: Reference, object: JsonObject): JsonObject {
  const { status: _, ...main } = object;
  const metadata = { ...without(metadataOf(object) ?? {}, SERVER_MANAGED), name: reference.name };
  return inNamespace(reference, { ...(hasStatus(reference.dialect) ? main : object), metadata });
}

/**
 * Returns the object of an UPDATE, merged as `kubectl apply` does: status and server-managed metadata as stored.
 * @param last what was applied last. Undefined: not known, and all but metadata is the file's own
 */
export function updated(reference: Reference, object: JsonObject, stored: JsonObject, last?: JsonObject): JsonObject {
  const file = { ...object, metadata: without(metadataOf(object) ?? {}, SERVER_MANAGED) };
  const owned = last && without(metadataOf(last) ?? {}, [...SERVER_MANAGED, 'name', 'namespace']);
  const main = inNamespace(reference, merged(stored, file, { ...(last ?? stored), metadata: owned ?? {} }));
  return hasStatus(reference.dialect) ? withStatus(main, stored['status']) : main;
}

/** Returns the object without metadata that only an API server sets: in a file, it says nothing of a cluster. */
export function withoutServerMetadata(object: JsonObject): JsonObject {
  const metadata = metadataOf(object);
  if (metadata === undefined || !SERVER_MANAGED.some((key) => Object.hasOwn(metadata, key))) return object;
  return { ...object, metadata: without(metadata, SERVER_MANAGED) };
}

/** Returns the object that an apply of a file stored. @param changed whether the file is different now */
export function storedFromFile(dialect: Dialect, file: JsonObject, changed: boolean): JsonObject {
  const own = withoutServerMetadata(file);
  const object = labelled(dialect, own) ?? own;
  return changed ? asApplied(object, file) : object;
}

/** Returns the object of a `/status` write: the main resource as stored, with the new status. */
export function withStatus(object: JsonObject, status: JsonObject[string] | undefined): JsonObject {
  const { status: _, ...main } = object;
  return status === undefined ? main : { ...main, status };
}

/**
 * Returns a stored object in the version of the request. Only its `apiVersion` changes: rules read a member by all of
 * its names.
 */
export function converted(object: JsonObject, apiVersion: string): JsonObject {
  return object['apiVersion'] === apiVersion ? object : { ...object, apiVersion };
}

/**
 * Returns the object with the manager's label if the mutating webhook would add it: to a new object, or to one that
 * lost the stored label. Else undefined; a wrong label is never overwritten.
 */
export function labelled(dialect: Dialect, object: JsonObject, stored?: JsonObject): JsonObject | undefined {
  if (dialect.concept !== 'inventory') return undefined;
  const name = stored ? lostManagerLabel(dialect, object, stored) : missingManagerLabel(dialect, object);
  if (name === undefined) return undefined;
  const labels = asObject(metadataOf(object)?.['labels']);
  return { ...object, metadata: { ...metadataOf(object), labels: { ...labels, [MANAGER_LABEL]: name } } };
}

/**
 * Returns the object that a DELETE leaves: undefined, or with finalizers the object, terminating.
 * @param now milliseconds since the epoch
 */
export function afterDelete(object: JsonObject, now: number): JsonObject | undefined {
  if (listAt(object, ['metadata', 'finalizers']).length === 0) return undefined;
  if (isTerminating(object)) return object;
  const deletionTimestamp = formatTime(now);
  return { ...object, metadata: { ...metadataOf(object), deletionTimestamp, deletionGracePeriodSeconds: 0 } };
}

/** Returns the object that a write leaves; undefined for a terminating object without finalizers. */
export function afterWrite(object: JsonObject): JsonObject | undefined {
  return isTerminating(object) && listAt(object, ['metadata', 'finalizers']).length === 0 ? undefined : object;
}

/** Returns a name for `generateName`, as the API server makes one; the count makes it unique and repeatable. */
export function generatedName(object: JsonObject, count: number): string | undefined {
  const prefix = textAt(object, ['metadata', 'generateName']);
  // Base 27 in the alphabet of the API server's own suffixes: five letters, no vowels.
  const letters = 'bcdfghjklmnpqrstvwxz2456789';
  const suffix = [4, 3, 2, 1, 0].map((place) => letters[Math.floor(count / 27 ** place) % 27]).join('');
  return prefix ? `${prefix.slice(0, 58)}${suffix}` : undefined;
}

/** Returns what was applied last; undefined without the annotation, or if its text is no object. */
export function lastApplied(stored: JsonObject): JsonObject | undefined {
  const text = textAt(stored, ['metadata', 'annotations', LAST_APPLIED]);
  if (text === undefined) return undefined;
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Returns an object as an apply of `file` stores it: with the annotation. */
export function asApplied(object: JsonObject, file: JsonObject): JsonObject {
  const metadata = at(object, ['metadata']);
  const annotations = at(metadata, ['annotations']) ?? {};
  // A rule reports annotations that are no mapping.
  if (!isObject(metadata) || !isObject(annotations)) return object;
  return {
    ...object,
    metadata: { ...metadata, annotations: { ...annotations, [LAST_APPLIED]: JSON.stringify(file) } },
  };
}

/**
 * Merges three ways, as `kubectl apply` does if it is known what was applied last: the file is a JSON merge patch;
 * fields that were applied last and are gone from the file are removed; fields of other writers stay. Lists are
 * replaced, as for every kind without Go types.
 */
export function merged(stored: Json | undefined, file: JsonObject, last: Json | undefined): JsonObject {
  const result = new Map(Object.entries(asObject(stored) ?? {}));
  const applied = asObject(last) ?? {};
  for (const key of Object.keys(applied)) if (!Object.hasOwn(file, key)) result.delete(key);
  for (const [key, value] of Object.entries(file)) {
    if (value === null) result.delete(key);
    else if (isObject(value)) result.set(key, merged(result.get(key), value, applied[key]));
    else result.set(key, value);
  }
  return Object.fromEntries(result);
}

function without(object: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}
