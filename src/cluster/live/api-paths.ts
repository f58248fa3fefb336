/** Paths of the API: of kinds and their objects; which names and versions may be in one. */
import { type Dialect, lockLeaseName, type Resource } from '../../api/dialects.ts';
import type { Reference } from '../../rules/rule.ts';

/** Returns the path of an object. @param version a served version of the API */
export function objectPath({ dialect, namespace, name }: Reference<Resource>, version: string): string {
  const space = dialect.scope === 'Cluster' ? undefined : (namespace ?? '');
  return `${collectionPath(dialect, version, space)}/${encodeURIComponent(name)}`;
}

/** Whether an object can have this name and namespace. Any other could lead to another path. */
export function isStorable({ dialect, name, namespace }: Reference<Resource>): boolean {
  const isNamed = name !== '' && (dialect.scope === 'Cluster' || (namespace ?? '') !== '');
  return isNamed && [name, namespace ?? ''].every((part) => part !== '.' && part !== '..' && !/[/%]/.test(part));
}

/** Where the API server has an object of any kind; without a name, a list of them. */
export interface ObjectAddress {
  readonly apiVersion: string;
  readonly plural: string;
  readonly namespace?: string | undefined;
  readonly name?: string;
}

/** Returns the path of an object or a list. */
export function addressPath({ apiVersion, plural, namespace, name }: ObjectAddress): string {
  const [version = '', group = ''] = apiVersion.split('/').toReversed();
  const path = collectionPath({ group, plural }, version, namespace);
  return name === undefined ? path : `${path}/${encodeURIComponent(name)}`;
}

/** Returns the path of all objects of a kind, in one namespace or, without one, in all. */
export function collectionPath(
  { group, plural }: Pick<Resource, 'group' | 'plural'>,
  version: string,
  namespace?: string,
): string {
  const space = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${versionPath(group, version)}${space}/${plural}`;
}

/** Returns the path of a version of a group. */
export function versionPath(group: string, version: string): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${encodeURIComponent(version)}`;
}

/** Returns the path of the Leases of a namespace. */
export function leasesPath(namespace: string): string {
  return addressPath({ apiVersion: 'coordination.k8s.io/v1', plural: 'leases', namespace });
}

/** Returns the path of the Lease that holds the lock of a claim dialect. */
export function leasePath(namespace: string, dialect: Dialect): string {
  return `${leasesPath(namespace)}/${lockLeaseName(dialect)}`;
}

/**
 * Whether the server reads the object by name: an id, a membership, or an object that others refer to. Its RBAC allows
 * no other.
 */
export function isReadByName(dialect: Dialect, name: string): boolean {
  return dialect.isReferenced === true || isWellKnown(dialect, name);
}

/** Whether the object is an id or a membership. */
export function isWellKnown({ claim }: Dialect, name: string): boolean {
  return claim !== undefined && (claim.idNames.includes(name) || claim.membershipName === name);
}

/** Returns the newest known version of a dialect: the last that src/api/dialects.ts lists. */
export function newestOf({ versions }: Resource): string {
  return versions.at(-1) ?? '';
}
