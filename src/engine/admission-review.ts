/**
 * From an AdmissionReview, already parsed, to the write to judge. `serve` uses it on requests, `check` on reviews kept in files.
 * Each member is read once, by its name: this is on every request's way, and no prototype holds any of these names.
 * Facts on the caller: `request.kind` is what the object was converted to, and governs; `request.name` is empty on
 * deletecollection; null is absent.
 */

import { type Dialect, dialectOf } from '../api/dialects.ts';
import { isObject } from '../rules/json.ts';
import type { Identity, Json, JsonObject, Operation, Subresource } from '../rules/rule.ts';
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

/**
 * Reads one AdmissionReview of admission.k8s.io/v1. Never throws, whatever the value; its depth must be bounded.
 * @param keep what keeps the objects from being changed; to freeze one of megabytes takes longer than to judge it
 */
export function readAdmissionReview(review: Json, keep: Keep = freeze): Reading {
  if (!isObject(review)) return unreadable(undefined, 'the body must be a JSON object, an AdmissionReview');
  const sent = review['request'];
  const problem = problemOf(review, sent);
  if (problem !== undefined || !isObject(sent)) {
    return unreadable(isObject(sent) ? uidOf(sent) : undefined, problem ?? 'request must be an object');
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
function uidOf(request: JsonObject): string | undefined {
  const uid = textOf(request['uid']);
  return uid !== '' && uid.length <= LONGEST_UID ? uid : undefined;
}

function problemOf(review: JsonObject, request: Json | undefined): string | undefined {
  if (review['kind'] !== 'AdmissionReview') return 'kind must be "AdmissionReview"';
  if (review['apiVersion'] !== 'admission.k8s.io/v1') return 'apiVersion must be "admission.k8s.io/v1"';
  if (!isObject(request)) return 'request must be an object';
  if (uidOf(request) === undefined) return 'request.uid must be a text, not empty and not longer than 1024';
  const kind = request['kind'];
  if (!isObject(kind)) return 'request.kind must be an object of group, version and kind';
  if (typeof kind['group'] !== 'string') return 'request.kind.group must be a text';
  if (typeof kind['version'] !== 'string') return 'request.kind.version must be a text';
  if (typeof kind['kind'] !== 'string') return 'request.kind.kind must be a text';
  if (!isOperation(request['operation'])) return 'request.operation must be CREATE, UPDATE, DELETE or CONNECT';
  if (!isTextOrAbsent(request['subResource'])) return 'request.subResource must be a text';
  return isTextOrAbsent(request['namespace']) ? undefined : 'request.namespace must be a text';
}

function isOperation(value: Json | undefined): value is ReviewRequest['operation'] {
  return value === 'CREATE' || value === 'UPDATE' || value === 'DELETE' || value === 'CONNECT';
}

function isTextOrAbsent(value: Json | undefined): boolean {
  return typeof value === 'string' || value === undefined || value === null;
}

/** Empty where there is none, or something else. */
function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** Only of what `problemOf` found nothing in. */
function requestOf(sent: JsonObject): ReviewRequest {
  const operation = sent['operation'] as ReviewRequest['operation'];
  const kind = sent['kind'] as JsonObject;
  const metadata = objectOf(sent, operation)?.['metadata'];
  const named = isObject(metadata) ? metadata : undefined;
  const user = sent['userInfo'];
  return {
    uid: textOf(sent['uid']),
    group: textOf(kind['group']),
    version: textOf(kind['version']),
    kind: textOf(kind['kind']),
    operation,
    subresource: textOf(sent['subResource']),
    name: textOf(named?.['name']) || textOf(sent['name']),
    namespace: textOf(sent['namespace']) || textOf(named?.['namespace']) || undefined,
    username: (isObject(user) && textOf(user['username'])) || undefined,
    dryRun: sent['dryRun'] === true,
  };
}

/** What is judged: the new object, on DELETE the stored one. */
function objectOf(sent: JsonObject, operation: ReviewRequest['operation']): JsonObject | undefined {
  const object = operation === 'DELETE' ? sent['oldObject'] : sent['object'];
  return isObject(object) ? object : undefined;
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
  const object = objectOf(sent, operation);
  const oldObject = operation === 'CREATE' ? undefined : sent['oldObject'];
  if (object === undefined) return refuse(request, operation === 'DELETE' ? 'oldObject' : 'object', operation);
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
    identity: keep(identityOf(sent, request.username)),
    dryRun: request.dryRun,
  };
  return { kind: 'judge', request, subject };
}

function unreadable(uid: string | undefined, problem: string): Reading {
  return { kind: 'refuse', uid, problem, request: undefined };
}

function refuse(request: ReviewRequest, field: string, operation: Operation): Reading {
  return { kind: 'refuse', uid: request.uid, problem: `request.${field} must be an object on ${operation}`, request };
}

/** Undefined where the review does not say who asks: rules on identity then can't tell. */
function identityOf(sent: JsonObject, username: string | undefined): Identity | undefined {
  if (username === undefined) return undefined;
  const groups = (sent['userInfo'] as JsonObject)['groups'];
  if (!Array.isArray(groups)) return { username, groups: [] };
  return { username, groups: groups.every(isText) ? groups : groups.filter(isText) };
}

function isText(value: Json): value is string {
  return typeof value === 'string';
}
