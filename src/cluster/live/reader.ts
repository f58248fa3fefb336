/** The whole of a cluster, as far as it is asked for: for `check --live`, which judges many writes and writes nothing. */

import type { Dialect } from '../../api/dialects.ts';
import { at, isObject, listAt, textAt } from '../../rules/json.ts';
import type { Answer, ClusterView, JsonObject, Reference } from '../../rules/rule.ts';
import type { ApiClient } from './client.ts';
import { ClusterError } from './errors.ts';
import { collectionPath, newestOf, pathOf, versionPath } from './paths.ts';
import { whyUnreadable } from './remedy.ts';
import { createTurns } from './turns.ts';

export interface ReaderOptions {
  readonly client: ApiClient;
  /** Objects to a page of a list. */
  readonly pageSize?: number;
}

/** A ClusterView in which each object and each list is read once, at the first question, consistently. */
export interface ClusterReader extends ClusterView {
  /** @param version to read it in, where the cluster serves that; default: the newest that it serves */
  get(reference: Reference, version?: string): Promise<Answer<JsonObject | undefined>>;
  /** What could not be read, one line each with what to mend. */
  problems(): readonly string[];
  /** Kinds that were asked for and that the cluster does not serve: of them nothing exists. */
  missingKinds(): readonly Dialect[];
}

/** Calls at a time: a check must not be what an API server is busy with. */
const MOST_CALLS = 16;
/** How often a list begins anew when the API server has forgotten where it was. */
const MOST_LISTINGS = 3;

/** Talks to the cluster only when asked. A cluster that can't be reached is asked once. */
export function createClusterReader({ client, pageSize = 500 }: ReaderOptions): ClusterReader {
  const reading: Reading = { client, pageSize, problems: new Set(), missing: new Set(), turn: createTurns(MOST_CALLS) };
  const versions = new Map<string, Promise<readonly string[]>>();
  const objects = new Map<string, Promise<Answer<JsonObject | undefined>>>();
  const lists = new Map<string, Promise<Answer<readonly JsonObject[]>>>();
  const served = (dialect: Dialect) => once(versions, dialect.name, () => servedVersions(reading, dialect));
  return {
    get: (reference, version) => {
      const { dialect, namespace, name } = reference;
      return once(objects, `${dialect.name} ${namespace ?? ''} ${name}`, () =>
        answered(reading, 'get', dialect, undefined, async () => {
          if (!isStorable(reference)) return undefined;
          const known = await served(dialect);
          return read(reading, reference, known.find((one) => one === version) ?? known[0]);
        }),
      );
    },
    list: (dialect, namespace) =>
      once(lists, `${dialect.name} ${namespace ?? ''}`, () =>
        answered(reading, 'list', dialect, [], async () => {
          const version = (await served(dialect))[0];
          return readAll(reading, collectionPath(dialect, version ?? newestOf(dialect), namespace));
        }),
      ),
    problems: () => [...reading.problems],
    missingKinds: () => [...reading.missing],
  };
}

interface Reading {
  readonly client: ApiClient;
  readonly pageSize: number;
  readonly problems: Set<string>;
  readonly missing: Set<Dialect>;
  readonly turn: <T>(call: () => Promise<T>) => Promise<T>;
  /** The way to the cluster is broken: why. To try again for each object would take a time limit each. */
  broken?: ClusterError;
}

function once<T>(memory: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const known = memory.get(key) ?? make();
  memory.set(key, known);
  return known;
}

/** A reading as an answer: a kind that is not served has no objects, and what can't be read is unknown and a problem. */
async function answered<T>(
  reading: Reading,
  verb: 'get' | 'list',
  dialect: Dialect,
  nothing: T,
  make: () => Promise<T>,
): Promise<Answer<T>> {
  try {
    return { known: true, value: await make() };
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    if (error.absent === 'object') return { known: true, value: nothing };
    if (error.absent === 'kind') {
      reading.missing.add(dialect);
      return { known: true, value: nothing };
    }
    const reason = whyUnreadable(verb, `${dialect.plural} (${dialect.group})`, error);
    reading.problems.add(reason);
    return { known: false, reason };
  }
}

/** Those of the dialect's versions that the cluster serves, newest first. @throws ClusterError, also where there is none */
async function servedVersions(reading: Reading, dialect: Dialect): Promise<readonly string[]> {
  const found: string[] = [];
  for (const version of dialect.versions.toReversed()) {
    try {
      const resources = listAt(await call(reading, versionPath(dialect, version)), ['resources']);
      if (resources.some((resource) => textAt(resource, ['name']) === dialect.plural)) found.push(version);
    } catch (error) {
      if (!(error instanceof ClusterError)) throw error;
      // Who may not discover can still read; then the newest is as good a guess as any.
      if (error.code === 'forbidden') return [newestOf(dialect)];
      if (error.code !== 'not-found') throw error;
    }
  }
  if (found.length > 0) return found;
  throw new ClusterError('not-found', `the cluster has no ${dialect.plural}`, { absent: 'kind' });
}

/** No object has such a name, and as a part of a path it would lead elsewhere. */
function isStorable({ name, namespace = '' }: Reference): boolean {
  return name !== '' && [name, namespace].every((part) => part !== '.' && part !== '..' && !/[/%]/.test(part));
}

async function read(
  reading: Reading,
  reference: Reference,
  version = newestOf(reference.dialect),
): Promise<JsonObject> {
  return lean(await call(reading, pathOf(reference, version)));
}

/** Page by page; all pages are of one moment. */
async function readAll(reading: Reading, path: string): Promise<readonly JsonObject[]> {
  for (let left = MOST_LISTINGS; ; left -= 1) {
    try {
      return await readPages(reading, path);
    } catch (error) {
      const expired = error instanceof ClusterError && error.status === 410;
      if (!expired || left === 1) throw error;
    }
  }
}

async function readPages(reading: Reading, path: string): Promise<readonly JsonObject[]> {
  const objects: JsonObject[] = [];
  let next: string | undefined = '';
  while (next !== undefined) {
    const query: string = `?limit=${reading.pageSize}${next === '' ? '' : `&continue=${encodeURIComponent(next)}`}`;
    const page: JsonObject = await call(reading, `${path}${query}`);
    for (const item of listAt(page, ['items'])) if (isObject(item)) objects.push(lean(item));
    next = textAt(page, ['metadata', 'continue']) || undefined;
  }
  return objects;
}

/** Without what no rule looks at and every object has kilobytes of. */
function lean(object: JsonObject): JsonObject {
  const metadata = at(object, ['metadata']);
  if (!isObject(metadata)) return object;
  const { managedFields: _, ...rest } = metadata;
  return { ...object, metadata: rest };
}

async function call(reading: Reading, path: string): Promise<JsonObject> {
  return reading.turn(async () => {
    if (reading.broken) throw reading.broken;
    try {
      return await callTwice(reading.client, path);
    } catch (error) {
      if (error instanceof ClusterError && LOST.includes(error.code)) reading.broken = error;
      throw error;
    }
  });
}

/** No other object would be read either. */
const LOST: readonly string[] = ['unreachable', 'timeout', 'no-access', 'unauthorized'];
const WORTH_REPEATING: readonly string[] = ['unreachable', 'unavailable', 'unreadable'];

async function callTwice(client: ApiClient, path: string): Promise<JsonObject> {
  try {
    return (await client.call({ method: 'GET', path })).body;
  } catch (error) {
    const expired = error instanceof ClusterError && error.status === 410;
    if (!(error instanceof ClusterError) || !WORTH_REPEATING.includes(error.code) || expired) throw error;
    return (await client.call({ method: 'GET', path })).body;
  }
}
