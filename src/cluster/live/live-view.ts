/**
 * The view of a live cluster in the server, for one request: consistent reads by name until its deadline, without a
 * cache, and only of what RBAC allows the server. Commands use `reader.ts`, which reads anything.
 */

import type { Dialect } from '../../api/dialects.ts';
import { getOrInsert } from '../../base/collections.ts';
import type { JsonObject } from '../../base/json.ts';
import type { MaybePromise } from '../../base/promise.ts';
import { isLabelValue } from '../../base/syntax.ts';
import type { Deadline } from '../../engine/cluster-state.ts';
import type { Answer, ClusterView, Label, Reference } from '../../rules/rule.ts';
import { collectionPath, isReadByName, isStorable, newestOf, objectPath } from './api-paths.ts';
import { type ApiClient, expectList, expectObject } from './client.ts';
import { withDeadline, withRetries } from './client-wrappers.ts';
import { type ClusterErrorCode, clusterErrorCodes, describeServerReadError, onlyClusterErrors } from './errors.ts';
import type { ObjectAnswer, SharedReads } from './shared-reads.ts';

export interface LiveViewOptions {
  readonly client: ApiClient;
  readonly observer?: ReadObserver;
  readonly deadline: Deadline;
  /**
   * The version of the API in which to read a dialect. Default: the newest known.
   * @param unserved a version that it returned, and in which the cluster does not serve the dialect
   */
  readonly version?: (dialect: Dialect, unserved?: string) => MaybePromise<string>;
  /** Shares reads of referenced objects with other requests. Default: nothing is shared. */
  readonly sharedReads?: SharedReads;
}

/** The outcome of a read, as a label of metrics. */
type ReadOutcome = 'found' | 'absent' | 'no-kind' | ClusterErrorCode;

/** All outcomes that a read can have. What is not found is `absent` or `no-kind`, and only a write has a conflict. */
export const readOutcomes: readonly ReadOutcome[] = [
  'found',
  'absent',
  'no-kind',
  ...clusterErrorCodes.filter((code) => code !== 'not-found' && code !== 'conflict'),
];

export interface ReadObserver {
  read(outcome: ReadOutcome): void;
}

/** Creates a view that reads each object once, so that all rules see the same state. */
export function createLiveView(options: LiveViewOptions): ClusterView {
  const answers = new Map<string, Promise<ObjectAnswer>>();
  return {
    get(reference) {
      const key = `${reference.dialect.name} ${reference.namespace ?? ''}/${reference.name}`;
      return getOrInsert(answers, key, () => readShared(options, reference, key));
    },
    list: async (dialect, namespace, label) =>
      label && isLabelValue(label.value)
        ? listByLabel(options, dialect, namespace, label)
        : { known: false, reason: `other ${dialect.kind} objects are compared by scan` },
  };
}

/**
 * Of a referenced object only the metadata are read: a write may refer to a hundred, each of 1.5 MiB, and many such
 * writes may come at once. An API server that can't leave out the rest sends the whole object.
 */
const METADATA = metadataAs('PartialObjectMetadata');
const METADATA_OF_LIST = metadataAs('PartialObjectMetadataList');
/** The most bytes of them: the annotations may have 256 KiB. */
const MOST_BYTES_OF_METADATA = 512 * 1024;

function metadataAs(kind: string): { readonly accept: string } {
  return { accept: `application/json;as=${kind};v=v1;g=meta.k8s.io,application/json` };
}

/** Lists the metadata of at most `limit` objects with the label. */
async function listByLabel(
  options: LiveViewOptions,
  dialect: Dialect,
  namespace: string | undefined,
  { key, value, limit }: Label,
): Promise<Answer<readonly JsonObject[]>> {
  const { client, observer, deadline } = options;
  const query = new URLSearchParams({ labelSelector: `${key}=${value}`, limit: String(limit) });
  try {
    const mostBytes = limit * MOST_BYTES_OF_METADATA;
    const items = await inServedVersion(options, dialect, async (version) => {
      const path = `${collectionPath(dialect, version, namespace)}?${query}`;
      const request = withDeadline({ method: 'GET', path, headers: METADATA_OF_LIST, mostBytes }, deadline);
      return expectList((await withRetries(client).call(request)).body, path);
    });
    observer?.read(items.length > 0 ? 'found' : 'absent');
    return { known: true, value: items };
  } catch (error) {
    const failure = onlyClusterErrors(error);
    observer?.read(failure.absent === 'kind' ? 'no-kind' : failure.code);
    const what = `${dialect.plural} with the label ${key} (${dialect.group})`;
    return { known: false, reason: describeServerReadError('list', what, failure) };
  }
}

function readShared(options: LiveViewOptions, reference: Reference, key: string): Promise<ObjectAnswer> {
  const { sharedReads } = options;
  const readIt = () => read(options, reference);
  return sharedReads && reference.dialect.isReferenced ? sharedReads(key, readIt, options.deadline) : readIt();
}

async function read(options: LiveViewOptions, reference: Reference): Promise<ObjectAnswer> {
  const { client, observer, deadline } = options;
  const { dialect, name } = reference;
  const isReferenced = dialect.isReferenced === true;
  const limits = isReferenced ? { headers: METADATA, mostBytes: MOST_BYTES_OF_METADATA } : {};
  const what = `${dialect.plural} "${name}" (${dialect.group})`;
  if (!isReadByName(dialect, name)) return { known: false, reason: `muster does not read ${what} in a cluster` };
  if (!isStorable(reference)) return { known: true, value: undefined };
  try {
    // Reads of referenced objects are not repeated, since one write may refer to a hundred.
    const caller = isReferenced ? client : withRetries(client);
    const value = await inServedVersion(options, dialect, async (version) => {
      const request = withDeadline({ method: 'GET', path: objectPath(reference, version), ...limits }, deadline);
      const { body } = await caller.call(request);
      const isMetadata = isReferenced && body['kind'] === 'PartialObjectMetadata';
      const [group, kind] = isMetadata ? ['meta.k8s.io', 'PartialObjectMetadata'] : [dialect.group, dialect.kind];
      return expectObject(body, [group, kind, name]);
    });
    observer?.read('found');
    // That it exists is all that rules ask, and it may be remembered.
    return { known: true, value: isReferenced ? { metadata: { name } } : value };
  } catch (error) {
    const failure = onlyClusterErrors(error);
    if (failure.absent === 'object') {
      observer?.read('absent');
      return { known: true, value: undefined };
    }
    observer?.read(failure.absent === 'kind' ? 'no-kind' : failure.code);
    return { known: false, reason: describeServerReadError('get', what, failure) };
  }
}

/** Reads in the version of the view; if the cluster does not serve that one any more, once more in another one. */
async function inServedVersion<Result>(
  { version = newestOf }: LiveViewOptions,
  dialect: Dialect,
  call: (version: string) => Promise<Result>,
): Promise<Result> {
  const first = await version(dialect);
  try {
    return await call(first);
  } catch (error) {
    if (onlyClusterErrors(error).absent !== 'kind') throw error;
    const other = await version(dialect, first);
    if (other === first) throw error;
    return call(other);
  }
}
