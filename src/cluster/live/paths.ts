/** What is read in a cluster, and under which path: the well-known claims, and our own Leases. */

import type { Dialect } from '../../api/dialects.ts';
import { lockLeaseOf } from '../../api/dialects.ts';
import type { Reference } from '../../rules/rule.ts';

/** @param version of the API, as the request has it; it is served, or the request would not be here */
export function pathOf({ dialect, namespace, name }: Reference, version: string): string {
  const space = dialect.scope === 'Cluster' ? undefined : (namespace ?? '');
  return `${collectionPath(dialect, version, space)}/${encodeURIComponent(name)}`;
}

/** All objects of a dialect: of one namespace, or without one of all. */
export function collectionPath(dialect: Dialect, version: string, namespace?: string): string {
  const space = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${versionPath(dialect, version)}${space}/${dialect.plural}`;
}

/** What a version of a dialect's group serves. */
export function versionPath({ group }: Dialect, version: string): string {
  return `/apis/${group}/${encodeURIComponent(version)}`;
}

export function leasePath(namespace: string, dialect: Dialect): string {
  return `/apis/coordination.k8s.io/v1/namespaces/${encodeURIComponent(namespace)}/leases/${lockLeaseOf(dialect)}`;
}

/** Whether it is the id or the membership: nothing else decides on another object, and RBAC grants nothing else. */
export function isWellKnown({ claim }: Dialect, name: string): boolean {
  return claim !== undefined && (claim.idNames.includes(name) || claim.membershipName === name);
}

/** The newest version of a dialect that we know. */
export function newestOf({ versions }: Dialect): string {
  return versions.at(-1) ?? '';
}
