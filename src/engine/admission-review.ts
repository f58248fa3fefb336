/**
 * From an AdmissionReview, already parsed, to the write to judge. `serve` uses it on requests, `check` on reviews kept in files.
 * Facts on the caller: `request.kind` is what the object was converted to, and governs; `request.name` is empty on
 * deletecollection; null is absent.
 */
import { at, isObject, textAt } from '../rules/json.ts';
import type { Identity, Json, JsonObject, Operation, Subresource } from '../rules/rule.ts';
import { type Dialect, dialectOf } from '../schemas/dialects.ts';
import { freeze, type Subject } from './subject.ts';

/** What a review says of its request, whatever its kind: enough to answer it and to log it. Texts are as long as sent. */
export interface ReviewRequest {
  readonly uid: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly operation: Operation | 'CONNECT';
  readonly subresource: string;
  /** The object's own name, else the request's; empty where neither says. */
  readonly name: string;
  readonly namespace: string | undefined;
  readonly username: string | undefined;
  readonly dryRun: boolean;
}

export type Reading =
  | { readonly kind: 'judge'; readonly request: ReviewRequest; readonly subject: Subject }
  /** No rule speaks of such a request; `why` says in a few words. */
  | { readonly kind: 'pass'; readonly request: ReviewRequest; readonly why: string }
  /** `problem` names the place and what was expected there. The uid is given where it could be read. */
  | {
      readonly kind: 'refuse';
      readonly uid: string | undefined;
      readonly problem: string;
      readonly request: ReviewRequest | undefined;
    };

/** Gives back what it is given. */
export type Keep = <T>(value: T) => T;

const OPERATIONS: readonly string[] = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];

/**
 * Reads one AdmissionReview of admission.k8s.io/v1. Never throws, whatever the value; its depth must be bounded.
 * @param keep what keeps the objects from being changed; to freeze one of megabytes takes longer than to judge it
 */
export function readAdmissionReview(review: Json, keep: Keep = freeze): Reading {
  const problem = problemOf(review);
  const sent = at(review, ['request']);
  if (problem !== undefined || !isObject(sent)) {
    return { kind: 'refuse', uid: uidOf(sent), problem: problem ?? 'request must be an object', request: undefined };
  }
  const request = requestOf(sent);
  const dialect = dialectOf(request.group, request.kind);
  if (dialect === undefined) return { kind: 'pass', request, why: 'a kind muster does not judge' };
  if (request.operation === 'CONNECT') return { kind: 'pass', request, why: 'CONNECT' };
  if (!isJudged(request.subresource)) return { kind: 'pass', request, why: 'a subresource of no rule' };
  return subjectOf(sent, request, { dialect, operation: request.operation, subresource: request.subresource }, keep);
}

/** UTF-16 units. An API server sends 36; the answer repeats it, and waits in memory for as long as its reader pleases. */
const LONGEST_UID = 1024;

/** The uid of a request, where it is one. */
function uidOf(request: Json | undefined): string | undefined {
  const uid = textAt(request, ['uid']) ?? '';
  return uid !== '' && uid.length <= LONGEST_UID ? uid : undefined;
}

function problemOf(review: Json): string | undefined {
  if (!isObject(review)) return 'the body must be a JSON object, an AdmissionReview';
  if (textAt(review, ['kind']) !== 'AdmissionReview') return 'kind must be "AdmissionReview"';
  if (textAt(review, ['apiVersion']) !== 'admission.k8s.io/v1') return 'apiVersion must be "admission.k8s.io/v1"';
  const request = at(review, ['request']);
  if (!isObject(request)) return 'request must be an object';
  if (uidOf(request) === undefined) return 'request.uid must be a text, not empty and not longer than 1024';
  if (!isObject(at(request, ['kind']))) return 'request.kind must be an object of group, version and kind';
  for (const part of ['group', 'version', 'kind']) {
    if (textAt(request, ['kind', part]) === undefined) return `request.kind.${part} must be a text`;
  }
  if (!OPERATIONS.includes(textAt(request, ['operation']) ?? '')) {
    return 'request.operation must be CREATE, UPDATE, DELETE or CONNECT';
  }
  if (!isTextOrAbsent(request, 'subResource')) return 'request.subResource must be a text';
  return isTextOrAbsent(request, 'namespace') ? undefined : 'request.namespace must be a text';
}

function isTextOrAbsent(request: JsonObject, key: string): boolean {
  const value = at(request, [key]);
  return value === undefined || typeof value === 'string';
}

/** Only of what `problemOf` found nothing in. */
function requestOf(sent: JsonObject): ReviewRequest {
  const operation = textAt(sent, ['operation']) as ReviewRequest['operation'];
  const object = at(sent, [operation === 'DELETE' ? 'oldObject' : 'object']);
  return {
    uid: uidOf(sent) ?? '',
    group: textAt(sent, ['kind', 'group']) ?? '',
    version: textAt(sent, ['kind', 'version']) ?? '',
    kind: textAt(sent, ['kind', 'kind']) ?? '',
    operation,
    subresource: textAt(sent, ['subResource']) ?? '',
    name: textAt(object, ['metadata', 'name']) || textAt(sent, ['name']) || '',
    namespace: textAt(sent, ['namespace']) || textAt(object, ['metadata', 'namespace']) || undefined,
    username: textAt(sent, ['userInfo', 'username']) || undefined,
    dryRun: at(sent, ['dryRun']) === true,
  };
}

function isJudged(subresource: string): subresource is Subresource {
  return subresource === '' || subresource === 'status';
}

function subjectOf(
  sent: JsonObject,
  request: ReviewRequest,
  what: { readonly dialect: Dialect; readonly operation: Operation; readonly subresource: Subresource },
  keep: Keep,
): Reading {
  const { dialect, operation, subresource } = what;
  const object = at(sent, [operation === 'DELETE' ? 'oldObject' : 'object']);
  const oldObject = operation === 'CREATE' ? undefined : at(sent, ['oldObject']);
  if (!isObject(object)) return refuse(request, operation === 'DELETE' ? 'oldObject' : 'object', operation);
  if (operation !== 'CREATE' && !isObject(oldObject)) return refuse(request, 'oldObject', operation);
  const subject: Subject = {
    dialect,
    version: request.version,
    operation,
    subresource,
    object: keep(object),
    oldObject: isObject(oldObject) ? keep(oldObject) : undefined,
    name: request.name,
    namespace: dialect.scope === 'Namespaced' ? request.namespace : undefined,
    identity: identityOf(sent),
    dryRun: request.dryRun,
  };
  return { kind: 'judge', request, subject };
}

function refuse(request: ReviewRequest, field: string, operation: Operation): Reading {
  return { kind: 'refuse', uid: request.uid, problem: `request.${field} must be an object on ${operation}`, request };
}

/** Undefined where the review does not say who asks: rules on identity then can't tell. */
function identityOf(sent: JsonObject): Identity | undefined {
  const username = textAt(sent, ['userInfo', 'username']);
  if (username === undefined || username === '') return undefined;
  const groups = at(sent, ['userInfo', 'groups']);
  return freeze({ username, groups: Array.isArray(groups) ? groups.filter((group) => typeof group === 'string') : [] });
}
