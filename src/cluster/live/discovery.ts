/** Finds out what an API server serves: the versions of a kind, and whether it is an API server at all. */
import type { Resource } from '../../api/dialects.ts';
import { type JsonObject, textAt } from '../../base/json.ts';
import { versionPath } from './api-paths.ts';
import { type ApiClient, readIfThere } from './client.ts';
import { ClusterError } from './errors.ts';

/** The most versions of a group that are looked at, each with a call: no group has nearly as many. */
const MOST_VERSIONS = 100;

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
    const offered = group ? namesIn(group, 'versions', 'version', `/apis/${dialect.group}`) : [];
    if (offered.length > MOST_VERSIONS) throw unreadable(`/apis/${dialect.group}`, 'versions');
    const preferred = textAt(group, ['preferredVersion', 'version']) ?? '';
    const known = dialect.versions.toReversed().filter((version) => offered.includes(version));
    const candidates = [...new Set([...known, preferred, ...offered])].filter((version) => version !== '');
    const served = await Promise.all(
      candidates.map(async (version) => {
        const path = versionPath(dialect.group, version);
        const list = await get(path);
        return list !== undefined && namesIn(list, 'resources', 'name', path).includes(dialect.plural);
      }),
    );
    return candidates.filter((_, index) => served[index]);
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

/**
 * Returns the names in a list of an answer; none where the list is null, as Go encodes an empty one.
 * @throws ClusterError if they can't be read: then a kind would seem not to be served
 */
function namesIn(answer: JsonObject, list: 'versions' | 'resources', field: string, path: string): string[] {
  const entries = answer[list];
  if (entries === null) return [];
  if (!Array.isArray(entries)) throw unreadable(path, list);
  return entries.map((entry) => {
    const name = textAt(entry, [field]);
    if (name === undefined) throw unreadable(path, list);
    return name;
  });
}

function unreadable(path: string, list: 'versions' | 'resources'): ClusterError {
  return new ClusterError(
    'unreadable',
    `GET ${path}: the answer names no ${list}, or too many; is a proxy in between?`,
  );
}
