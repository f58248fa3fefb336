/** Requests that pass unjudged, or that no rule may stop: exemptions, collectors, objects on their way out. */
import { same } from '../rules/json.ts';
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
  if (namespace !== undefined && holds(exemptions.namespaces, namespace)) return true;
  if (identity === undefined) return false;
  const { username, groups } = identity;
  if (holds(exemptions.users, username) || holds(exemptions.serviceAccounts, username)) return true;
  return exemptions.groups.size > 0 && groups.some((group) => exemptions.groups.has(group));
}

/** A finalizer must always be removable: a request on an object being deleted that leaves spec and status alone passes. */
export function onlyLetsGo(subject: Subject): boolean {
  return isTerminating(subject.oldObject) && (subject.operation === 'DELETE' || touchesMetadataOnly(subject));
}

type Write = Pick<Subject, 'identity' | 'operation' | 'object' | 'oldObject'>;

/** Whether the garbage collector or the namespace controller deletes, or touches metadata only. */
export function isCollecting(write: Write): boolean {
  if (write.identity === undefined || !COLLECTORS.has(write.identity.username)) return false;
  return write.operation === 'DELETE' || (write.operation === 'UPDATE' && touchesMetadataOnly(write));
}

function touchesMetadataOnly({ object, oldObject }: Write): boolean {
  return same(object['spec'], oldObject?.['spec']) && same(object['status'], oldObject?.['status']);
}

/** To look up a text takes longer than to see that there is nothing to find, which is how most are configured. */
function holds(names: ReadonlySet<string>, name: string): boolean {
  return names.size > 0 && names.has(name);
}
