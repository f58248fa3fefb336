/** From what a test says to the write that the validating webhook would see: the API server's own part is done here. */

import type { Dialect } from '../../api/dialects.ts';
import { keyOf, referenceTo, settled } from '../../cluster/files/index.ts';
import { type Members, missing, type Place, refuse } from '../../config/place.ts';
import { freeze, type Subject } from '../../engine/index.ts';
import { isObject, textAt } from '../../rules/json.ts';
import type { JsonObject, Operation, Reference } from '../../rules/rule.ts';
import { converted, created, generatedName, hasStatus, labelled, withStatus } from '../check/writes.ts';
import { patched } from './merge-patch.ts';
import { dialectAt } from './read-objects.ts';
import type { Situation } from './read-situation.ts';
import type { caseSchema } from './schema.ts';

type Keys = Members<typeof caseSchema>;

/** The write of a test; `own` is what it says itself. Undefined: refused. */
export function writeOf(keys: Keys, own: Situation, defaults: Situation): Subject | undefined {
  const said = own.operation ?? defaults.operation;
  return said === 'DELETE' ? deletionOf(keys, own, defaults) : storingOf(keys, own, defaults, said);
}

function deletionOf(keys: Keys, own: Situation, defaults: Situation): Subject | undefined {
  if (own.object && own.oldObject) refuse(keys.object, 'a DELETE has one object: give it as object or as oldObject');
  const named = own.oldObject ?? own.object ?? defaults.oldObject ?? defaults.object;
  if (named === undefined) return missing(keys.object, 'the object that is deleted');
  const object = changed(keys, named);
  const placed = object && placedAt(keys.object, object);
  if (!placed) return undefined;
  const stored = settled(placed.reference, placed.object);
  return subjectOf(placed, 'DELETE', stored, stored, { ...defaults, ...defined(own), subresource: undefined });
}

function storingOf(keys: Keys, own: Situation, defaults: Situation, said: Operation | undefined): Subject | undefined {
  const all = { ...defaults, ...defined(own) };
  if (said === 'CREATE' && own.oldObject) return void refuse(keys.oldObject, 'a CREATE has no oldObject');
  const base = all.object ?? (said === 'CREATE' ? undefined : all.oldObject);
  const isWritten = all.object !== undefined || keys.change.value !== undefined;
  if (base === undefined || !isWritten)
    return missing(keys.object, 'what is written: object, or change upon oldObject');
  const object = changed(keys, base);
  if (!object) return undefined;
  const placed = placedAt(keys.object, object);
  if (!placed) return undefined;
  const stored = said === 'CREATE' ? undefined : storedOf(keys, placed, all);
  if (stored === undefined && said !== 'UPDATE' && all.subresource === undefined) return creationOf(placed, all);
  if (stored === undefined) {
    return said === 'CREATE'
      ? void refuse(keys.subresource, 'a status is written by UPDATE only')
      : missing(keys.oldObject, 'what is stored before: oldObject, or the object in state');
  }
  return isSame(keys, placed, stored) ? updateOf(keys, placed, stored, all) : undefined;
}

interface Placed {
  readonly dialect: Dialect;
  readonly version: string;
  readonly reference: Reference;
  readonly object: JsonObject;
}

function placedAt(place: Place, object: JsonObject): Placed | undefined {
  const dialect = dialectAt(place, object);
  if (!dialect) return undefined;
  const metadata = object['metadata'];
  const name = textAt(object, ['metadata', 'name']) || generatedName(object, 0);
  if (!isObject(metadata) || !name) return void refuse(place, 'the object has no metadata.name, nor generateName');
  const named = { ...object, metadata: { ...metadata, name } };
  const version = textAt(object, ['apiVersion'])?.split('/')[1] ?? '';
  return { dialect, version, reference: referenceTo(dialect, named), object: named };
}

function storedOf(keys: Keys, { dialect, reference }: Placed, { oldObject, state }: Situation): JsonObject | undefined {
  if (oldObject) return placedAt(keys.oldObject, oldObject)?.object;
  if (!Array.isArray(state)) return undefined;
  const objects = state as readonly JsonObject[];
  return objects.findLast((one) => {
    const other = referenceTo(dialect, one);
    return one['kind'] === dialect.kind && sameGroup(one, dialect) && keyOf(other) === keyOf(reference);
  });
}

function sameGroup(object: JsonObject, { group }: Dialect): boolean {
  return textAt(object, ['apiVersion'])?.split('/')[0] === group;
}

/** An update changes neither kind nor name; where it would, a test has mixed up its objects. */
function isSame(keys: Keys, { dialect, reference }: Placed, stored: JsonObject): boolean {
  const same = stored['kind'] === dialect.kind && sameGroup(stored, dialect);
  if (same && keyOf(referenceTo(dialect, stored)) === keyOf(reference)) return true;
  refuse(keys.oldObject, 'is another object than object: their kinds, names and namespaces have to agree');
  return false;
}

function creationOf(placed: Placed, situation: Situation): Subject {
  const object = created(placed.reference, placed.object);
  const completed = situation.mutate === false ? undefined : labelled(placed.dialect, object);
  return subjectOf(placed, 'CREATE', completed ?? object, undefined, situation);
}

/** A main write leaves the status as it was, a write of the status all else. */
function updateOf(keys: Keys, placed: Placed, before: JsonObject, situation: Situation): Subject | undefined {
  const { dialect, reference, object } = placed;
  const stored = converted(settled(reference, before), textAt(object, ['apiVersion']) ?? '');
  if (!hasStatus(dialect)) {
    if (situation.subresource) return void refuse(keys.subresource, `a ${dialect.kind} has no status of its own`);
    return subjectOf(placed, 'UPDATE', settled(reference, object), stored, situation);
  }
  if (situation.subresource)
    return subjectOf(placed, 'UPDATE', withStatus(stored, object['status']), stored, situation);
  const main = settled(reference, object);
  const completed = situation.mutate === false ? undefined : labelled(dialect, main, stored);
  return subjectOf(placed, 'UPDATE', withStatus(completed ?? main, stored['status']), stored, situation);
}

function subjectOf(
  { dialect, version, reference }: Placed,
  operation: Operation,
  object: JsonObject,
  oldObject: JsonObject | undefined,
  situation: Situation,
): Subject {
  const { name, namespace } = reference;
  const { subresource = '', user, dryRun = false } = situation;
  const write = { dialect, version, operation, subresource, name, namespace, dryRun } as const;
  return freeze({ ...write, object: freeze(object), oldObject: oldObject && freeze(oldObject), identity: user });
}

function changed(keys: Keys, base: JsonObject): JsonObject | undefined {
  const { value } = keys.change;
  if (value === undefined) return base;
  return isObject(value) ? patched(base, value) : void refuse(keys.change, 'expected a merge patch (a map)');
}

/** What is not said takes nothing away from the defaults. */
export function defined(situation: Situation): Situation {
  return Object.fromEntries(Object.entries(situation).filter(([, value]) => value !== undefined));
}
