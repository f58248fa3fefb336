/** Builds the write of a test as the validating webhook would see it: what the API server itself does is done here. */
import type { Dialect } from '../../api/dialects.ts';
import { isObject, type Json, type JsonObject, textAt } from '../../base/json.ts';
import { inNamespace, keyOf, referenceTo } from '../../cluster/files/index.ts';
import type { Reporter } from '../../config/schema-reader.ts';
import { freeze } from '../../engine/index.ts';
import type { Identity, Reference, Subject } from '../../rules/rule.ts';
import { converted, created, generatedName, hasStatus, labelled, withStatus } from '../check/writes.ts';
import { dialectAt } from './references.ts';
import type { WrittenRequest } from './schema.ts';

/** What a test says about its request, with references resolved. */
export interface TestRequest
  extends Omit<WrittenRequest, 'object' | 'oldObject' | 'state' | 'clusters' | 'user' | 'now'> {
  readonly object?: JsonObject | undefined;
  readonly oldObject?: JsonObject | undefined;
  readonly state?: readonly JsonObject[] | 'unknown' | undefined;
  /** What other clusters hold, by name. */
  readonly clusters?: ReadonlyMap<string, readonly JsonObject[]> | undefined;
  readonly user?: Identity | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: number | undefined;
}

export interface RequestSource {
  /** What the test itself says, and what its suite says by default. */
  readonly own: TestRequest;
  readonly defaults: TestRequest;
  readonly change: JsonObject | undefined;
  /** The location of the test. */
  readonly at: Reporter;
}

/** Returns the write of a test; undefined where it was refused. */
export function subjectOf(source: RequestSource): Subject | undefined {
  const operation = source.own.operation ?? source.defaults.operation;
  return operation === 'DELETE' ? deletionOf(source) : storingOf(source, operation);
}

/** What is not said takes nothing away from the defaults. */
export function merged(defaults: TestRequest, own: TestRequest): TestRequest {
  return { ...defaults, ...Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined)) };
}

/** Applies a JSON merge patch (RFC 7396): null removes a member, a list replaces a list. */
export function patched(value: Json | undefined, patch: JsonObject): JsonObject {
  const members = new Map(Object.entries(isObject(value) ? value : {}));
  for (const [key, change] of Object.entries(patch)) {
    if (change === null) members.delete(key);
    else members.set(key, isObject(change) ? patched(members.get(key), change) : change);
  }
  return Object.fromEntries(members);
}

function deletionOf({ own, defaults, change = {}, at }: RequestSource): Subject | undefined {
  const here = at.below('object');
  if (own.object && own.oldObject) return here.refuse('a DELETE has one object: write it as object or as oldObject');
  const object = own.oldObject ?? own.object ?? defaults.oldObject ?? defaults.object;
  if (object === undefined) return here.refuse('missing; expected the object that is deleted');
  const target = targetOf(patched(object, change), here);
  if (!target) return undefined;
  const stored = inNamespace(target.reference, target.object);
  return subject(target, 'DELETE', stored, stored, { ...merged(defaults, own), subresource: undefined });
}

function storingOf(source: RequestSource, operation: 'CREATE' | 'UPDATE' | undefined): Subject | undefined {
  const { own, defaults, change, at } = source;
  const request = merged(defaults, own);
  if (operation === 'CREATE' && own.oldObject) return at.below('oldObject').refuse('a CREATE has no oldObject');
  const base = request.object ?? (operation === 'CREATE' ? undefined : request.oldObject);
  const here = at.below('object');
  if (base === undefined || (request.object === undefined && change === undefined))
    return here.refuse('missing; expected the written object: object, or change on oldObject');
  const target = targetOf(change ? patched(base, change) : base, here);
  if (!target) return undefined;
  const stored = operation === 'CREATE' ? undefined : storedOf(target, request, at);
  if (stored && isOf(target, stored)) return updateOf(target, stored, request, at);
  if (stored)
    return at
      .below('oldObject')
      .refuse('is another object than object: their kinds, names and namespaces have to agree');
  if (operation !== 'UPDATE' && request.subresource === undefined) {
    const object = created(target.reference, target.object);
    const written = (request.mutate !== false && labelled(target.dialect, object)) || object;
    return subject(target, 'CREATE', written, undefined, request);
  }
  if (operation === 'CREATE') return at.below('subresource').refuse('a status is written by UPDATE only');
  return at.below('oldObject').refuse('missing; expected the stored object: oldObject, or the object in state');
}

/** The object of a write with its name. */
interface Target {
  readonly dialect: Dialect;
  readonly version: string;
  readonly reference: Reference;
  readonly object: JsonObject;
}

function targetOf(object: JsonObject, at: Reporter): Target | undefined {
  const dialect = dialectAt(object, at);
  if (!dialect) return undefined;
  const metadata = object['metadata'];
  const name = textAt(object, ['metadata', 'name']) || generatedName(object, 0);
  if (!isObject(metadata) || !name) return at.refuse('the object has no metadata.name, nor generateName');
  const named = { ...object, metadata: { ...metadata, name } };
  const version = textAt(object, ['apiVersion'])?.split('/')[1] ?? '';
  return { dialect, version, reference: referenceTo(dialect, named), object: named };
}

function storedOf(target: Target, { oldObject, state }: TestRequest, at: Reporter): JsonObject | undefined {
  if (oldObject) return targetOf(oldObject, at.below('oldObject'))?.object;
  return Array.isArray(state) ? state.findLast((one: JsonObject) => isOf(target, one)) : undefined;
}

/** Whether it is the same object, in whatever version. */
function isOf({ dialect, reference }: Target, object: JsonObject): boolean {
  const isKind = object['kind'] === dialect.kind && textAt(object, ['apiVersion'])?.split('/')[0] === dialect.group;
  return isKind && keyOf(referenceTo(dialect, object)) === keyOf(reference);
}

/** A main write keeps the stored status, a write of the status keeps everything else. */
function updateOf(target: Target, before: JsonObject, request: TestRequest, at: Reporter): Subject | undefined {
  const { dialect, reference, object } = target;
  const stored = converted(inNamespace(reference, before), textAt(object, ['apiVersion']) ?? '');
  const keepsStatus = hasStatus(dialect);
  if (request.subresource) {
    if (!keepsStatus) return at.below('subresource').refuse(`a ${dialect.kind} has no status of its own`);
    return subject(target, 'UPDATE', withStatus(stored, object['status']), stored, request);
  }
  const main = inNamespace(reference, object);
  const written = (request.mutate !== false && labelled(dialect, main, stored)) || main;
  return subject(target, 'UPDATE', keepsStatus ? withStatus(written, stored['status']) : written, stored, request);
}

function subject(
  { dialect, version, reference }: Target,
  operation: Subject['operation'],
  object: JsonObject,
  oldObject: JsonObject | undefined,
  { subresource, user, dryRun = false }: TestRequest,
): Subject {
  const { name, namespace } = reference;
  const write = { dialect, version, operation, subresource: subresource ?? '', name, namespace, dryRun } as const;
  return freeze({ ...write, object: freeze(object), oldObject: oldObject && freeze(oldObject), identity: user });
}
