/** Which kinds a cluster serves, and in which versions. */
import type { Dialect } from '../../api/dialects.ts';
import { listAt, textAt } from '../../rules/json.ts';
import type { JsonObject } from '../../rules/rule.ts';
import type { ApiClient, ApiRequest } from './client.ts';
import { ClusterError } from './errors.ts';
import { newestOf, versionPath } from './paths.ts';

/**
 * Returns the versions in which the cluster serves the kind: those that muster knows, newest first, then others, the one that the API
 * server prefers first. Empty: it does not serve the kind. Without the right to discover, the newest known version is assumed.
 * @throws ClusterError where the API server does not answer
 */
export async function servedVersions(client: Pick<ApiClient, 'call'>, dialect: Dialect): Promise<readonly string[]> {
  const get = (path: string) => find(client, { method: 'GET', path });
  try {
    const group = await get(`/apis/${dialect.group}`);
    const offered = listAt(group, ['versions']).map((version) => textAt(version, ['version']) ?? '');
    const preferred = textAt(group, ['preferredVersion', 'version']) ?? '';
    const known = dialect.versions.toReversed().filter((version) => offered.includes(version));
    const candidates = [...new Set([...known, preferred, ...offered])].filter((version) => version !== '');
    const lists = await Promise.all(candidates.map((version) => get(versionPath(dialect, version))));
    return candidates.filter((_, index) => {
      return listAt(lists[index], ['resources']).some((resource) => textAt(resource, ['name']) === dialect.plural);
    });
  } catch (error) {
    if (error instanceof ClusterError && error.code === 'forbidden') return [newestOf(dialect)];
    throw error;
  }
}

async function find(client: Pick<ApiClient, 'call'>, request: ApiRequest): Promise<JsonObject | undefined> {
  try {
    return (await client.call(request)).body;
  } catch (error) {
    if (error instanceof ClusterError && error.code === 'not-found') return undefined;
    throw error;
  }
}
