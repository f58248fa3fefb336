/** Paths of the API: claims and inventory objects, and muster's own Leases. */
import { type Dialect, lockLeaseOf } from '../../api/dialects.ts';
import type { Reference } from '../../rules/rule.ts';

/** Returns the path of an object. @param version a served version of the API */
export function pathOf({ dialect, namespace, name }: Reference, version: string): string {
  const space = dialect.scope === 'Cluster' ? undefined : (namespace ?? '');
  return `${collectionPath(dialect, version, space)}/${encodeURIComponent(name)}`;
}

/** Returns the path of all objects of a dialect, in one namespace or, without one, in all. */
export function collectionPath(dialect: Dialect, version: string, namespace?: string): string {
  const space = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${versionPath(dialect, version)}${space}/${dialect.plural}`;
}

/** Returns the path of the resources that a version of a dialect's group has. */
export function versionPath({ group }: Dialect, version: string): string {
  return `/apis/${group}/${encodeURIComponent(version)}`;
}

/** Returns the path of the Lease that holds the lock of a claim dialect. */
export function leasePath(namespace: string, dialect: Dialect): string {
  return `/apis/coordination.k8s.io/v1/namespaces/${encodeURIComponent(namespace)}/leases/${lockLeaseOf(dialect)}`;
}

/** Whether the object is the id or the membership: no rule reads another one, and RBAC grants no other. */
export function isWellKnown({ claim }: Dialect, name: string): boolean {
  return claim !== undefined && (claim.idNames.includes(name) || claim.membershipName === name);
}

/** Returns the newest known version of a dialect. */
export function newestOf({ versions }: Dialect): string {
  return versions.at(-1) ?? '';
}
