/**
 * Builds the write to evaluate, for the webhook, `check`, `scan`, suites and the library. An AdmissionReview comes
 * parsed, from a request or a file. `request.kind` is the kind that the object was converted to, and counts;
 * `request.name` is empty on deletecollection; null is absent.
 */

import { dialectOf, type Resource } from '../api/dialects.ts';
import { asObject, isObject, type Json, type JsonObject, textAt, textOf } from '../base/json.ts';
import { metadataOf } from '../base/object.ts';
import type { Identity, Operation, Reference, Subject } from '../rules/rule.ts';

/** The part of a request that is needed to answer and log it, whatever its kind. Texts are not shortened. */
export interface ReviewRequest {
  readonly uid: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly operation: Operation | 'CONNECT';
  readonly subresource: string;
  /** The name in the object, else that of the request; may be empty. */
  readonly name: string;
  readonly namespace: string | undefined;
  readonly username: string | undefined;
  readonly dryRun: boolean;
}

/** What an AdmissionReview contains. */
export type ParsedReview =
  | { readonly kind: 'evaluate'; readonly request: ReviewRequest; readonly subject: Subject }
  /** No rule applies to such a request: a foreign kind, CONNECT, or another subresource. */
  | { readonly kind: 'skip'; readonly request: ReviewRequest }
  /** The review is malformed: `problem` names the field and what was expected there. The uid, if it could be read. */
  | {
      readonly kind: 'refuse';
      readonly uid: string | undefined;
      readonly problem: string;
      readonly request: ReviewRequest | undefined;
    };

/**
 * Reads one AdmissionReview of admission.k8s.io/v1. Never throws, whatever the JSON value; its depth must be
 * bounded.
 * @param protect protects the objects from changes, by default `freeze`. Freezing an object of megabytes takes longer
 *   than evaluating it
 */
export function readAdmissionReview(review: unknown, protect: <T>(value: T) => T = freeze): ParsedReview {
  if (!isObject(review)) {
    const problem = 'the body must be a JSON object, an AdmissionReview';
    return { kind: 'refuse', uid: undefined, problem, request: undefined };
  }
  const sent = review['request'];
  const problem = problemOf(review, sent);
  if (problem !== undefined || !isObject(sent)) {
    const uid = isObject(sent) ? uidOf(sent) : undefined;
    return { kind: 'refuse', uid, problem: problem ?? '', request: undefined };
  }
  const request = requestOf(sent);
  const { operation, subresource } = request;
  const dialect = dialectOf(request.group, request.kind);
  if (dialect === undefined || operation === 'CONNECT' || (subresource !== '' && subresource !== 'status'))
    return { kind: 'skip', request };
  const object = objectOf(sent, operation);
  const oldObject = asObject(sent['oldObject']);
  if (object === undefined) return refuse(request, operation === 'DELETE' ? 'oldObject' : 'object');
  if (operation !== 'CREATE' && oldObject === undefined) return refuse(request, 'oldObject');
  const { name, version, dryRun } = request;
  const namespace = dialect.scope === 'Namespaced' ? request.namespace : undefined;
  const identity = identityOf(sent, request.username);
  const write = { version, operation, subresource, object, oldObject, identity, dryRun } as const;
  const subject = subjectOf({ dialect, namespace, name }, write, protect);
  return { kind: 'evaluate', request, subject };
}

/** In UTF-16 units; an API server sends 36. The answer repeats the uid, and is in memory until the caller reads it. */
const LONGEST_UID = 1024;

/** Returns the uid of a request, if it is valid. */
function uidOf(request: JsonObject): string | undefined {
  const uid = textOf(request['uid']);
  return uid && uid.length <= LONGEST_UID ? uid : undefined;
}

const ADMITTED: ReadonlySet<unknown> = new Set(['CREATE', 'UPDATE', 'DELETE', 'CONNECT']);

function problemOf(review: JsonObject, request: Json | undefined): string | undefined {
  if (review['kind'] !== 'AdmissionReview') return 'kind must be "AdmissionReview"';
  if (review['apiVersion'] !== 'admission.k8s.io/v1') return 'apiVersion must be "admission.k8s.io/v1"';
  if (!isObject(request)) return 'request must be an object';
  if (uidOf(request) === undefined) return 'request.uid must be a non-empty string of at most 1024 characters';
  const kind = request['kind'];
  if (!isObject(kind)) return 'request.kind must be an object of group, version and kind';
  if (typeof kind['group'] !== 'string') return 'request.kind.group must be a string';
  if (typeof kind['version'] !== 'string') return 'request.kind.version must be a string';
  if (typeof kind['kind'] !== 'string') return 'request.kind.kind must be a string';
  if (!ADMITTED.has(request['operation'])) return 'request.operation must be CREATE, UPDATE, DELETE or CONNECT';
  if (!isTextOrAbsent(request['subResource'])) return 'request.subResource must be a string';
  return isTextOrAbsent(request['namespace']) ? undefined : 'request.namespace must be a string';
}

function isTextOrAbsent(value: Json | undefined): boolean {
  return typeof value === 'string' || value === undefined || value === null;
}

/** Reads a request in which `problemOf` found nothing wrong. */
function requestOf(sent: JsonObject): ReviewRequest {
  const operation = sent['operation'] as ReviewRequest['operation'];
  const kind = sent['kind'] as JsonObject;
  const metadata = metadataOf(objectOf(sent, operation));
  return {
    uid: textOf(sent['uid']) ?? '',
    group: textOf(kind['group']) ?? '',
    version: textOf(kind['version']) ?? '',
    kind: textOf(kind['kind']) ?? '',
    operation,
    subresource: textOf(sent['subResource']) ?? '',
    name: textOf(metadata?.['name']) || textOf(sent['name']) || '',
    namespace: textOf(sent['namespace']) || textOf(metadata?.['namespace']) || undefined,
    username: textOf(asObject(sent['userInfo'])?.['username']) || undefined,
    dryRun: sent['dryRun'] === true,
  };
}

/** Returns the object to evaluate: the new one, or on DELETE the stored one. */
function objectOf(sent: JsonObject, operation: ReviewRequest['operation']): JsonObject | undefined {
  return asObject(operation === 'DELETE' ? sent['oldObject'] : sent['object']);
}

function refuse(request: ReviewRequest, field: string): ParsedReview {
  const problem = `request.${field} must be an object on ${request.operation}`;
  return { kind: 'refuse', uid: request.uid, problem, request };
}

/** Returns the user; undefined if the review does not name one: then rules on the user report `unknown`. */
function identityOf(sent: JsonObject, username: string | undefined): Identity | undefined {
  if (username === undefined) return undefined;
  const groups = (sent['userInfo'] as JsonObject)['groups'];
  return { username, groups: Array.isArray(groups) ? groups.filter((group) => typeof group === 'string') : [] };
}

/**
 * Returns the dialect, namespace and name of an object. A namespaced one that names no namespace is in `default`, as
 * kubectl assumes.
 */
export function referenceOfObject<Kind extends Resource>(dialect: Kind, object: JsonObject): Reference<Kind> {
  const name = textAt(object, ['metadata', 'name']) ?? '';
  if (dialect.scope === 'Cluster') return { dialect, name };
  return { dialect, namespace: textAt(object, ['metadata', 'namespace']) || 'default', name };
}

/** A write without the kind, namespace and name of its object. */
export type Write = Pick<Subject, 'version' | 'operation' | 'object'> &
  Partial<Pick<Subject, 'subresource' | 'oldObject' | 'identity' | 'dryRun'>>;

/**
 * Returns a write, ready to be evaluated. By default it is one of the main resource by an unknown user.
 * @param protect protects the objects from changes, by default `freeze`
 */
export function subjectOf(
  { dialect, namespace, name }: Reference,
  { version, operation, subresource = '', object, oldObject, identity, dryRun = false }: Write,
  protect: <T>(value: T) => T = freeze,
): Subject {
  return {
    dialect,
    version,
    operation,
    subresource,
    object: protect(object),
    // A CREATE has none, whatever was sent.
    oldObject: operation === 'CREATE' ? undefined : oldObject && protect(oldObject),
    name,
    namespace,
    identity: identity && protect(identity),
    dryRun,
  };
}

/** Freezes a JSON value and all values in it. The decoder bounds the depth. */
export function freeze<T>(value: T): T {
  // True for texts, numbers, booleans and null, too.
  if (Object.isFrozen(value)) return value;
  for (const member of Object.values(value as object)) freeze(member);
  return Object.freeze(value);
}
