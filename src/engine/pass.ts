/** Requests that pass unjudged, or that no rule may stop: exemptions, collectors, objects on their way out. */
import { at, same } from '../rules/json.ts';
import { isTerminating } from '../rules/object.ts';
import { serviceAccountUser } from '../rules/principal.ts';
import type { Policy } from './policy.ts';
import type { Subject } from './subject.ts';

/** Refusing their deletions wedges a namespace. */
const COLLECTORS: ReadonlySet<string> = new Set(
  ['generic-garbage-collector', 'namespace-controller'].map((name) => serviceAccountUser(`kube-system/${name}`)),
);

/** Whether the configuration exempts the caller or the namespace. */
export function isExempt({ identity, namespace }: Subject, { exemptions }: Policy): boolean {
  if (namespace !== undefined && exemptions.namespaces.has(namespace)) return true;
  if (identity === undefined) return false;
  const { username, groups } = identity;
  if (exemptions.users.has(username) || exemptions.serviceAccounts.has(username)) return true;
  return groups.some((group) => exemptions.groups.has(group));
}

/** A finalizer must always be removable: a request on an object being deleted that leaves spec and status alone passes. */
export function onlyLetsGo(subject: Subject): boolean {
  return isTerminating(subject.oldObject) && (subject.operation === 'DELETE' || touchesMetadataOnly(subject));
}

/** Whether the garbage collector or the namespace controller deletes, or touches metadata only. */
export function isCollecting(subject: Subject): boolean {
  if (subject.identity === undefined || !COLLECTORS.has(subject.identity.username)) return false;
  return subject.operation === 'DELETE' || (subject.operation === 'UPDATE' && touchesMetadataOnly(subject));
}

function touchesMetadataOnly({ object, oldObject }: Subject): boolean {
  return ['spec', 'status'].every((part) => same(at(object, [part]), at(oldObject, [part])));
}
