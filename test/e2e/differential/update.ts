/** One random update, and the form in which each of the three evaluators takes it. */

import { type Dialect, dialects } from '../../../src/api/dialects.ts';
import type { JsonObject, Subresource } from '../../../src/rules/rule.ts';

/** What else exists, and which configuration holds; see `settings.ts`. */
export type Setting = 'alone' | 'member' | 'leaving' | 'configured';

export interface Update {
  readonly dialect: Dialect;
  readonly subresource: Subresource;
  readonly old: JsonObject;
  readonly object: JsonObject;
  readonly username: string;
  readonly groups: readonly string[];
  readonly setting: Setting;
}

/** `deny` and `warn` by rule id: what an evaluator found, the stronger action where a rule found several things. */
export type Found = ReadonlyMap<string, string>;

export interface Verdict {
  readonly outcome: 'allowed' | 'denied' | 'indeterminate' | 'error';
  readonly found: Found;
  /** `status.code` of a denial, where the evaluator answers with one. */
  readonly code?: number | undefined;
  /** As the evaluator put it, for people. */
  readonly texts: readonly string[];
}

export function metadataOf(object: JsonObject): JsonObject {
  return object['metadata'] as JsonObject;
}

export function nameOf({ old }: Pick<Update, 'old'>): string {
  return metadataOf(old)['name'] as string;
}

export function namespaceOf({ old }: Pick<Update, 'old'>): string | undefined {
  return metadataOf(old)['namespace'] as string | undefined;
}

export function versionOf({ object }: Pick<Update, 'object'>): string {
  return String(object['apiVersion']).split('/')[1] ?? '';
}

/** The review that the API server would send for the update. */
export function reviewOf(update: Update, uid: string): object {
  const { dialect, subresource, object, old, username, groups } = update;
  const kind = { group: dialect.group, version: versionOf(update), kind: dialect.kind };
  const resource = { group: dialect.group, version: kind.version, resource: dialect.plural };
  const namespace = namespaceOf(update);
  const request = {
    uid,
    kind,
    resource,
    requestKind: kind,
    requestResource: resource,
    ...(subresource === '' ? {} : { subResource: subresource, requestSubResource: subresource }),
    name: nameOf(update),
    ...(namespace === undefined ? {} : { namespace }),
    operation: 'UPDATE',
    userInfo: { username, groups },
    object,
    oldObject: old,
    dryRun: false,
    options: { kind: 'UpdateOptions', apiVersion: 'meta.k8s.io/v1' },
  };
  return { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', request };
}

/** The dialect of that name. @throws Error where there is none */
export function dialectNamed(name: Dialect['name']): Dialect {
  const found = dialects.find((dialect) => dialect.name === name);
  if (found === undefined) throw new Error(`there is no dialect ${name}`);
  return found;
}

/** Keeps the stronger of two actions. */
export function stronger(found: Map<string, string>, ruleId: string, action: string): void {
  if (found.get(ruleId) !== 'deny') found.set(ruleId, action);
}
