/**
 * The view of a live cluster for one run of a command, or one round of the registrar: any object and any list, each
 * read once. `src/input/live.ts` reads the previous state of `check --live` by it. A request in the server has the view
 * of `live-view.ts`.
 */
import type { Resource } from '../../api/dialects.ts';
import { getOrInsert } from '../../base/collections.ts';
import { at, isObject, type JsonObject } from '../../base/json.ts';
import type { Answer, ClusterView, Reference } from '../../rules/rule.ts';
import { collectionPath, isStorable, objectPath } from './api-paths.ts';
import { type ApiClient, expectObject } from './client.ts';
import { withRetries } from './client-wrappers.ts';
import { expectApiServer, servedVersions } from './discovery.ts';
import { describeCommandReadError, isConnectionError, onlyClusterErrors } from './errors.ts';
import { collectAll } from './list.ts';

export interface ClusterReader extends ClusterView {
  /**
   * Reads one object. Whoever reads it again gets the same answer, also with another version: a run sees one state.
   * @param version the version to read it in, if the cluster serves it; default: the newest one
   */
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
  /** Aborted by the first connection error: the calls that follow fail at once, instead of each after its timeout. */
  const broken = new AbortController();
  const once: ApiClient = {
    ...cluster,
    async call(request) {
      broken.signal.throwIfAborted();
      try {
        return await cluster.call(request);
      } catch (error) {
        const failure = onlyClusterErrors(error);
        // A list would be asked for three more times, each for a minute.
        if (failure.code === 'timeout') broken.abort(failure);
        throw failure;
      }
    },
  };
  const client = withRetries(once);
  const versions = new Map<string, Promise<readonly string[]>>();
  const objects = new Map<string, Promise<Answer<JsonObject | undefined>>>();
  const lists = new Map<string, Promise<Answer<readonly JsonObject[]>>>();
  let apiServer: Promise<void> | undefined;

  interface Read<T> {
    readonly verb: 'get' | 'list';
    readonly dialect: Resource;
    /** The version to read in, if it is served. */
    readonly preferred?: string;
    /** The value if the cluster does not have it. */
    readonly nothing: T;
  }
  async function read<T>(
    { verb, dialect, preferred = '', nothing }: Read<T>,
    call: (version: string) => Promise<T>,
  ): Promise<Answer<T>> {
    try {
      const served = await getOrInsert(versions, dialect.name, () => servedVersions(client, dialect));
      const isServed = served.includes(preferred);
      const found = await inFirst(isServed ? [...new Set([preferred, ...served])] : served, call);
      if (found !== undefined) return { known: true, ...found };
      apiServer ??= expectApiServer(client);
      await apiServer;
      missing.add(dialect);
      return { known: true, value: nothing };
    } catch (error) {
      const failure = onlyClusterErrors(error);
      if (isConnectionError(failure)) broken.abort(failure);
      if (failure.absent === 'object') return { known: true, value: nothing };
      const reason = describeCommandReadError(
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
        read<JsonObject | undefined>(
          { verb: 'get', dialect, preferred: version, nothing: undefined },
          async (servedVersion) => {
            const { body } = await client.call({ method: 'GET', path: objectPath(reference, servedVersion) });
            return withoutManagedFields(expectObject(body, [dialect.group, dialect.kind, name]));
          },
        ),
      );
    },
    list: (dialect, namespace) =>
      getOrInsert(lists, `${dialect.name} ${namespace ?? ''}`, () =>
        read<readonly JsonObject[]>({ verb: 'list', dialect, nothing: [] }, (version) => {
          const options = { path: collectionPath(dialect, version, namespace), signal: broken.signal };
          // A list repeats its calls itself.
          return collectAll<JsonObject>(once, options, withoutManagedFields);
        }),
      ),
    problems: () => [...problems],
    missingKinds: () => [...missing],
  };
}

/**
 * Returns the result in the first version that the cluster serves; undefined if it serves none. Without the right to
 * discover, the versions are only those that muster knows.
 */
async function inFirst<T>(
  versions: readonly string[],
  call: (version: string) => Promise<T>,
): Promise<{ readonly value: T } | undefined> {
  for (const version of versions) {
    try {
      return { value: await call(version) };
    } catch (error) {
      if (onlyClusterErrors(error).absent !== 'kind') throw error;
    }
  }
  return undefined;
}

/** Returns an object without its managed fields, which take kilobytes, and which no rule reads. */
function withoutManagedFields(object: JsonObject): JsonObject {
  const metadata = at(object, ['metadata']);
  if (!isObject(metadata)) return object;
  const { managedFields: _, ...rest } = metadata;
  return { ...object, metadata: rest };
}
