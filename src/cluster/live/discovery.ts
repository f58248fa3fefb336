/** Whether a cluster serves a kind, and in which version to list it. */

import type { Dialect } from '../../api/dialects.ts';
import { listAt, textAt } from '../../rules/json.ts';
import type { JsonObject } from '../../rules/rule.ts';
import type { ApiClient } from './client.ts';
import { ClusterError } from './errors.ts';
import { versionPath } from './paths.ts';

/**
 * The version to list a dialect in: the newest we know that is served, else the one the API server prefers; undefined where
 * the cluster does not serve the kind. (A list of a kind that is not there may be refused as forbidden, so that is asked.)
 * @throws ClusterError where the API server can't be asked
 */
export async function servedVersion(client: ApiClient, dialect: Dialect): Promise<string | undefined> {
  const group = await find(client, `/apis/${dialect.group}`);
  if (group === undefined) return undefined;
  const served = listAt(group, ['versions']).map((version) => textAt(version, ['version']) ?? '');
  const known = dialect.versions.toReversed().filter((version) => served.includes(version));
  const preferred = textAt(group, ['preferredVersion', 'version']) ?? '';
  const others = [preferred, ...served].filter((version) => version !== '' && !known.includes(version));
  for (const version of new Set([...known, ...others])) {
    const resources = await find(client, versionPath(dialect, version));
    const names = listAt(resources, ['resources']).map((resource) => textAt(resource, ['name']));
    if (names.includes(dialect.plural)) return version;
  }
  return undefined;
}

async function find(client: ApiClient, path: string): Promise<JsonObject | undefined> {
  try {
    return (await client.call({ method: 'GET', path })).body;
  } catch (error) {
    if (error instanceof ClusterError && error.code === 'not-found') return undefined;
    throw error;
  }
}
