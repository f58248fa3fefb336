/**
 * Paths of the API: claims and inventory objects, muster's Leases, and the versions in which a cluster serves a kind.
 */
import { type Dialect, lockLeaseName, type Resource } from '../../api/dialects.ts';
import { type JsonObject, listAt, textAt } from '../../base/json.ts';
import type { Reference } from '../../rules/rule.ts';
import type { ApiClient, ApiRequest } from './client.ts';
import { ClusterError } from './errors.ts';

/** Returns the path of an object. @param version a served version of the API */
export function pathOf({ dialect, namespace, name }: Reference<Resource>, version: string): string {
  const space = dialect.scope === 'Cluster' ? undefined : (namespace ?? '');
  return `${collectionPath(dialect, version, space)}/${encodeURIComponent(name)}`;
}

/** Whether an object can have this name and namespace. Any other could lead to another path. */
export function isStorable({ dialect, name, namespace }: Reference<Resource>): boolean {
  const isNamed = name !== '' && (dialect.scope === 'Cluster' || (namespace ?? '') !== '');
  return isNamed && [name, namespace ?? ''].every((part) => part !== '.' && part !== '..' && !/[/%]/.test(part));
}

/** Returns the path of all objects of a dialect, in one namespace or, without one, in all. */
export function collectionPath(dialect: Resource, version: string, namespace?: string): string {
  const space = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${versionPath(dialect, version)}${space}/${dialect.plural}`;
}

/** Returns the path of a version of a dialect's group. */
function versionPath({ group }: Resource, version: string): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${encodeURIComponent(version)}`;
}

/** Returns the path of the Leases of a namespace. */
export function leasesPath(namespace: string): string {
  return `/apis/coordination.k8s.io/v1/namespaces/${encodeURIComponent(namespace)}/leases`;
}

/** Returns the path of the Lease that holds the lock of a claim dialect. */
export function leasePath(namespace: string, dialect: Dialect): string {
  return `${leasesPath(namespace)}/${lockLeaseName(dialect)}`;
}

/** Whether a rule reads the object by name: an id, a membership, or an object that others refer to. RBAC allows it. */
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

/**
 * Returns the versions in which the cluster serves the kind: first those that muster knows, newest first, then others
 * in the API server's order. Empty if it does not serve the kind. Without the right to discover, all that muster knows
 * are assumed.
 * @throws ClusterError if the API server does not answer
 */
export async function servedVersions(client: Pick<ApiClient, 'call'>, dialect: Resource): Promise<readonly string[]> {
  // Every cluster serves the core group.
  if (dialect.group === '') return dialect.versions;
  const get = (path: string) => readIfThere(client, { method: 'GET', path });
  try {
    const group = await get(`/apis/${dialect.group}`);
    if (group && !Array.isArray(group['versions'])) throw unreadable(`/apis/${dialect.group}`);
    const offered = listAt(group, ['versions']).map((version) => textAt(version, ['version']) ?? '');
    const preferred = textAt(group, ['preferredVersion', 'version']) ?? '';
    const known = dialect.versions.toReversed().filter((version) => offered.includes(version));
    const candidates = [...new Set([...known, preferred, ...offered])].filter((version) => version !== '');
    const lists = await Promise.all(candidates.map((version) => get(versionPath(dialect, version))));
    return candidates.filter((_, index) => {
      return listAt(lists[index], ['resources']).some((resource) => textAt(resource, ['name']) === dialect.plural);
    });
  } catch (error) {
    if (error instanceof ClusterError && error.code === 'forbidden') return dialect.versions.toReversed();
    throw error;
  }
}

/**
 * Throws if there is no API server at the address of the cluster, for whoever finds that it does not serve a kind: a
 * gateway answers 404 to a wrong path, and the cluster would seem to have no objects.
 * @throws ClusterError
 */
export async function expectApiServer(client: Pick<ApiClient, 'call'>): Promise<void> {
  const request = { method: 'GET', path: '/version' } as const;
  const answer = await readIfThere(client, request).catch((error) => {
    if (error instanceof ClusterError && error.code === 'forbidden') return {};
    throw error;
  });
  if (answer !== undefined) return;
  const message = 'no API server is at the address of the cluster (/version: 404); correct the path in its server';
  throw new ClusterError('unreadable', message);
}

function unreadable(path: string): ClusterError {
  return new ClusterError('unreadable', `GET ${path}: the answer names no versions; is a proxy in between?`);
}

/** Returns the answer to a read; undefined if there is no such object. @throws ClusterError */
export async function readIfThere(
  client: Pick<ApiClient, 'call'>,
  request: ApiRequest,
): Promise<JsonObject | undefined> {
  try {
    return (await client.call(request)).body;
  } catch (error) {
    if (error instanceof ClusterError && error.code === 'not-found') return undefined;
    throw error;
  }
}
