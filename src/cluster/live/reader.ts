/** Reads a live cluster for `check --live`: any object and any list, each once. */
import type { Resource } from '../../api/dialects.ts';
import { getOrInsert } from '../../base/get-or-insert.ts';
import { at, isObject, type JsonObject } from '../../base/json.ts';
import type { Answer, ClusterView, Reference } from '../../rules/rule.ts';
import { collectionPath, expectApiServer, isStorable, pathOf, servedVersions } from './api-paths.ts';
import { type ApiClient, callAgain, expectObject } from './client.ts';
import { ClusterError, describeReadError, isConnectionError, onlyClusterErrors } from './errors.ts';
import { collectAll } from './list.ts';

export interface ClusterReader extends ClusterView {
  /** Reads one object. @param version the version to read it in, if the cluster serves it; default: the newest one */
  get(reference: Reference<Resource>, version?: string): Promise<Answer<JsonObject | undefined>>;
  /** Returns one line for each problem of reading, with its fix. */
  problems(): readonly string[];
  /** Returns the kinds that were asked for and that the cluster does not serve, so that it has no objects of them. */
  missingKinds(): readonly Resource[];
}

/** Creates a reader. It makes no call until something is read, and no further one if the cluster can't be reached. */
export function createClusterReader(cluster: ApiClient): ClusterReader {
  const problems = new Set<string>();
  const missing = new Set<Resource>();
  const { client, broken } = failingFast(cluster);
  const versions = new Map<string, Promise<readonly string[]>>();
  const objects = new Map<string, Promise<Answer<JsonObject | undefined>>>();
  const lists = new Map<string, Promise<Answer<readonly JsonObject[]>>>();
  let apiServer: Promise<void> | undefined;

  type Call<T> = (served: readonly string[]) => Promise<T>;
  async function read<T>(verb: 'get' | 'list', dialect: Resource, nothing: T, call: Call<T>): Promise<Answer<T>> {
    try {
      const served = await getOrInsert(versions, dialect.name, () => servedVersions(client, dialect));
      if (served.length > 0) return { known: true, value: await call(served) };
      apiServer ??= expectApiServer(client);
      await apiServer;
      missing.add(dialect);
      return { known: true, value: nothing };
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
          const { body } = await client.call({ method: 'GET', path });
          return withoutManagedFields(expectObject(body, [dialect.group, dialect.kind, name]));
        }),
      );
    },
    list: (dialect, namespace) =>
      getOrInsert(lists, `${dialect.name} ${namespace ?? ''}`, () =>
        read<readonly JsonObject[]>('list', dialect, [], ([version = '']) => {
          const options = { path: collectionPath(dialect, version, namespace), signal: broken };
          return collectAll<JsonObject>(client, options, withoutManagedFields);
        }),
      ),
    problems: () => [...problems],
    missingKinds: () => [...missing],
  };
}

/** Returns a client whose calls fail at once after a connection error, instead of each waiting for its timeout. */
function failingFast(cluster: ApiClient): { readonly client: ApiClient; readonly broken: AbortSignal } {
  const broken = new AbortController();
  const client: ApiClient = {
    ...cluster,
    async call(request) {
      broken.signal.throwIfAborted();
      try {
        return await callAgain(cluster, request);
      } catch (error) {
        if (error instanceof ClusterError && isConnectionError(error)) broken.abort(error);
        throw error;
      }
    },
  };
  return { client, broken: broken.signal };
}

/** Returns an object without its managed fields, which take kilobytes, and which no rule reads. */
function withoutManagedFields(object: JsonObject): JsonObject {
  const metadata = at(object, ['metadata']);
  if (!isObject(metadata)) return object;
  const { managedFields: _, ...rest } = metadata;
  return { ...object, metadata: rest };
}
