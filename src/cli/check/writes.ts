/**
 * What the API server makes of a manifest before an admission webhook sees it. Pure: from the file's object and the stored
 * one to the object of the write. Source: rest.BeforeCreate and rest.BeforeUpdate of the API server; `kubectl apply`.
 */

import type { Dialect } from '../../api/dialects.ts';
import { settled } from '../../cluster/files/index.ts';
import { lostManagerLabel, MANAGER_LABEL, missingManagerLabel } from '../../engine/manager-label.ts';
import { at, isObject, listAt, textAt } from '../../rules/json.ts';
import { isTerminating } from '../../rules/object.ts';
import type { JsonObject, Reference } from '../../rules/rule.ts';
import { asApplied, merged } from './apply.ts';

/** Metadata that belongs to the API server: a file's values never count, the stored ones stay. */
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

/** Whether the kind has a `/status` of its own; claims have none. */
export function hasStatus({ concept }: Dialect): boolean {
  return concept !== 'claim';
}

/** The object of a CREATE: status dropped, server-managed metadata not yet there, name and namespace filled in. */
export function created(reference: Reference, object: JsonObject): JsonObject {
  const { status: _, ...main } = object;
  const metadata = { ...without(metadataOf(object), SERVER_MANAGED), name: reference.name };
  return settled(reference, { ...(hasStatus(reference.dialect) ? main : object), metadata });
}

/**
 * The object of an UPDATE: status as stored; labels, annotations and whatever metadata the file does not mention stay,
 * as `kubectl apply` leaves them. A label set to null goes.
 * @param last what was applied last, where that is known: then it is all merged as an apply would
 */
export function updated(reference: Reference, object: JsonObject, stored: JsonObject, last?: JsonObject): JsonObject {
  const main = settled(reference, last === undefined ? replaced(object, stored) : patched(object, stored, last));
  return hasStatus(reference.dialect) ? withStatus(main, stored['status']) : main;
}

/** A stored object as the cluster would have it after an apply of its file. `changed`: another file is applied now. */
export function storedFromFile(dialect: Dialect, file: JsonObject, changed: boolean): JsonObject {
  const object = labelled(dialect, file) ?? file;
  return changed ? asApplied(object, file) : object;
}

function replaced(object: JsonObject, stored: JsonObject): JsonObject {
  const before = metadataOf(stored);
  const given = without(metadataOf(object), SERVER_MANAGED);
  const metadata: Record<string, JsonObject[string]> = { ...before, ...given };
  for (const key of ['labels', 'annotations']) {
    const [old, own] = [before[key], given[key]];
    if (own === undefined || own === null) metadata[key] = old ?? null;
    else if (isObject(old) && isObject(own)) metadata[key] = dropNulls({ ...old, ...own });
  }
  return { ...object, metadata: dropNulls(metadata) };
}

/** Name and namespace are never taken off, and what the API server manages is of no file. */
function patched(object: JsonObject, stored: JsonObject, last: JsonObject): JsonObject {
  const given = { ...object, metadata: without(metadataOf(object), SERVER_MANAGED) };
  const owned = { ...last, metadata: without(metadataOf(last), [...SERVER_MANAGED, 'name', 'namespace']) };
  return merged(stored, given, owned);
}

/** The object of a `/status` write: the main resource as stored, the status as given. */
export function withStatus(object: JsonObject, status: JsonObject[string] | undefined): JsonObject {
  const { status: _, ...main } = object;
  return status === undefined ? main : { ...main, status };
}

/** A stored object as the request's version has it: admission converts it. */
export function converted(object: JsonObject, apiVersion: string): JsonObject {
  return object['apiVersion'] === apiVersion ? object : { ...object, apiVersion };
}

/**
 * With the manager's label, where the mutating webhook would add it: to a new object, or to one that lost what is stored. Else
 * undefined; a wrong label is never overwritten.
 */
export function labelled(dialect: Dialect, object: JsonObject, stored?: JsonObject): JsonObject | undefined {
  const name = stored ? lostManagerLabel(dialect, object, stored) : missingManagerLabel(dialect, object);
  if (name === undefined) return undefined;
  const labels = at(object, ['metadata', 'labels']);
  const given = isObject(labels) ? labels : {};
  return { ...object, metadata: { ...metadataOf(object), labels: { ...given, [MANAGER_LABEL]: name } } };
}

/** What is left of an object after its DELETE: nothing, or with finalizers the object, terminating. `now` in milliseconds. */
export function afterDelete(object: JsonObject, now: number): JsonObject | undefined {
  if (listAt(object, ['metadata', 'finalizers']).length === 0) return undefined;
  if (isTerminating(object)) return object;
  const deletionTimestamp = new Date(now).toISOString().replace(/\.\d+/, '');
  return { ...object, metadata: { ...metadataOf(object), deletionTimestamp, deletionGracePeriodSeconds: 0 } };
}

/** What is left of an object after a write: a terminating one goes with its last finalizer. */
export function afterWrite(object: JsonObject): JsonObject | undefined {
  return isTerminating(object) && listAt(object, ['metadata', 'finalizers']).length === 0 ? undefined : object;
}

/** A name as the API server makes one from `generateName`; the count keeps it unique and runs repeatable. */
export function generatedName(object: JsonObject, count: number): string | undefined {
  const prefix = textAt(object, ['metadata', 'generateName']);
  // Base 27 in the alphabet of the API server's own suffixes: five letters, no vowels.
  const letters = 'bcdfghjklmnpqrstvwxz2456789';
  let suffix = '';
  for (let rest = count; suffix.length < 5; rest = Math.floor(rest / 27)) suffix = `${letters[rest % 27]}${suffix}`;
  return prefix ? `${prefix.slice(0, 58)}${suffix}` : undefined;
}

function metadataOf(object: JsonObject): JsonObject {
  const metadata = at(object, ['metadata']);
  return isObject(metadata) ? metadata : {};
}

function without(object: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

function dropNulls(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
}
