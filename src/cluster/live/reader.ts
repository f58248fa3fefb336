/** A live cluster as `check --live` reads it: any object and any list, each once and consistently. */
import type { Resource } from '../../api/dialects.ts';
import { getOrInsert } from '../../base/get-or-insert.ts';
import { at, isObject, type JsonObject } from '../../base/json.ts';
import type { Answer, ClusterView, Reference } from '../../rules/rule.ts';
import { collectionPath, isStorable, pathOf, servedVersions } from './api-paths.ts';
import { type ApiClient, callTwice } from './client.ts';
import { ClusterError, describeReadError, isConnectionError, onlyClusterErrors } from './errors.ts';
import { listAll } from './list.ts';

export interface ClusterReader extends ClusterView {
  /** @param version in which to read the object, where the cluster serves it; default: the newest that it serves */
  get(reference: Reference<Resource>, version?: string): Promise<Answer<JsonObject | undefined>>;
  /** Returns what could not be read, one line each with its fix. */
  problems(): readonly string[];
  /** Returns the kinds that were asked for and that the cluster does not serve: it holds no object of them. */
  missingKinds(): readonly Resource[];
}

/** Creates a reader, which calls the cluster only when asked. A cluster that can't be reached is called once. */
export function createClusterReader(cluster: ApiClient): ClusterReader {
  const problems = new Set<string>();
  const missing = new Set<Resource>();
  const { client, broken } = failingFast(cluster);
  const versions = new Map<string, Promise<readonly string[]>>();
  const objects = new Map<string, Promise<Answer<JsonObject | undefined>>>();
  const lists = new Map<string, Promise<Answer<readonly JsonObject[]>>>();

  type Call<T> = (served: readonly string[]) => Promise<T>;
  async function read<T>(verb: 'get' | 'list', dialect: Resource, nothing: T, call: Call<T>): Promise<Answer<T>> {
    try {
      const served = await getOrInsert(versions, dialect.name, () => servedVersions(client, dialect));
      if (served.length === 0) missing.add(dialect);
      return { known: true, value: served.length === 0 ? nothing : await call(served) };
    } catch (error) {
      const failure = onlyClusterErrors(error);
      if (failure.absent !== undefined) return { known: true, value: nothing };
      const reason = describeReadError(
        verb,
        dialect.group === '' ? dialect.plural : `${dialect.plural} (${dialect.group})`,
        failure,
      );
      problems.add(reason);
      return { known: false, reason };
    }
  }

  return {
    async get(reference, version = '') {
      const { dialect, namespace, name } = reference;
      if (!isStorable(reference)) return { known: true, value: undefined };
      return getOrInsert(objects, `${dialect.name} ${namespace ?? ''} ${name}`, () =>
        read<JsonObject | undefined>('get', dialect, undefined, async (served) => {
          const path = pathOf(reference, served.includes(version) ? version : (served[0] ?? ''));
          return withoutManagedFields((await client.call({ method: 'GET', path })).body);
        }),
      );
    },
    list: (dialect, namespace) =>
      getOrInsert(lists, `${dialect.name} ${namespace ?? ''}`, () =>
        read<readonly JsonObject[]>('list', dialect, [], async ([version = '']) => {
          const found: JsonObject[] = [];
          const options = { path: collectionPath(dialect, version, namespace), signal: broken };
          await listAll(client, options, {
            begin: () => void found.splice(0),
            take: ({ items }) => {
              for (const object of items) found.push(withoutManagedFields(object));
            },
          });
          return found;
        }),
      ),
    problems: () => [...problems],
    missingKinds: () => [...missing],
  };
}

/** Once the way to the cluster is broken every call fails at once, not each after a time limit of its own. */
function failingFast(cluster: ApiClient): { readonly client: ApiClient; readonly broken: AbortSignal } {
  const broken = new AbortController();
  const client: ApiClient = {
    ...cluster,
    async call(request) {
      broken.signal.throwIfAborted();
      try {
        return await callTwice(cluster, request);
      } catch (error) {
        if (error instanceof ClusterError && isConnectionError(error)) broken.abort(error);
        throw error;
      }
    },
  };
  return { client, broken: broken.signal };
}

/** Without what no rule reads and every object has kilobytes of. */
function withoutManagedFields(object: JsonObject): JsonObject {
  const metadata = at(object, ['metadata']);
  if (!isObject(metadata)) return object;
  const { managedFields: _, ...rest } = metadata;
  return { ...object, metadata: rest };
}
