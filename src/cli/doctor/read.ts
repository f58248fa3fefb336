/** Reads from the cluster, or compares by a dry run: what is there, that it is missing, or why that is unknown. */
import type { JsonObject } from '../../base/json.ts';
import { metadataOf } from '../../base/object.ts';
import type { ApiClient } from '../../cluster/live/client.ts';
import { type ClusterError, onlyClusterErrors } from '../../cluster/live/errors.ts';
import type { Manifest } from '../../manifests/manifest.ts';
import { type Difference, differences, lacks } from './differences.ts';

/** An object, or without a name a list. */
export interface Resource {
  readonly apiVersion: string;
  readonly plural: string;
  readonly namespace?: string | undefined;
  readonly name?: string;
}

export type ReadResult = Found | { readonly kind: 'missing' } | Unknown;

export interface Found {
  readonly kind: 'found';
  readonly body: JsonObject;
}

export interface Unknown {
  readonly kind: 'unknown';
  readonly reason: string;
  readonly remedy: string;
}

/** Reads one object or list. Rejects for bugs alone. */
export async function read(client: ApiClient, resource: Resource, query = ''): Promise<ReadResult> {
  try {
    return { kind: 'found', body: (await client.call({ method: 'GET', path: `${pathOf(resource)}${query}` })).body };
  } catch (thrown) {
    const error = onlyClusterErrors(thrown);
    if (error.code === 'not-found') return { kind: 'missing' };
    return unknownFor(error, rightTo(resource.name === undefined ? 'list' : 'get', resource));
  }
}

/** A stored object beside the expected one. */
export interface Compared {
  readonly kind: 'compared';
  readonly stored: JsonObject;
  readonly differences: readonly Difference[];
  /** Why there was no dry run: then only what the expected object names was compared. */
  readonly byReading?: string;
}

/**
 * Compares an expected object with the stored one by a server-side apply in a dry run, which takes the right to patch.
 * Where that fails, the stored object is read and compared with what the expected one names.
 */
export async function compare(
  client: ApiClient,
  expected: Manifest,
): Promise<Compared | { readonly kind: 'missing' } | Unknown> {
  const resource = resourceOf(expected);
  const stored = await read(client, resource);
  if (stored.kind !== 'found') return stored;
  const wanted = expected as unknown as JsonObject;
  const metadata = ['labels', 'annotations'].flatMap((member) =>
    lacks(`metadata.${member}`, metadataOf(wanted)?.[member] ?? {}, metadataOf(stored.body)?.[member] ?? {}),
  );
  const body = { kind: 'compared', stored: stored.body } as const;
  try {
    const { body: applied } = await client.call({
      method: 'PATCH',
      path: `${pathOf(resource)}?dryRun=All&fieldManager=muster-doctor&force=true`,
      contentType: 'application/apply-patch+yaml',
      body: expected,
    });
    return { ...body, differences: [...metadata, ...differences('', contentOf(applied), contentOf(stored.body))] };
  } catch (error) {
    const { code, message } = onlyClusterErrors(error);
    const { apiVersion, plural } = resource;
    const byReading =
      code === 'forbidden' ? `you lack the right to ${rightTo('patch', { apiVersion, plural })}` : message;
    const content = lacks('', contentOf(wanted), contentOf(stored.body));
    return { ...body, byReading, differences: [...metadata, ...content] };
  }
}

/** Returns where the API server has an object. */
export function resourceOf({ apiVersion, kind, metadata }: Manifest): Resource {
  const { name, namespace } = metadata;
  const plural = kind.toLowerCase().replace(/y$/, 'ie');
  return { apiVersion, plural: `${plural}s`, namespace, name };
}

/** Everything that an operator decides, apart from labels and annotations. */
function contentOf({ apiVersion: _, kind: __, metadata: ___, status: ____, ...content }: JsonObject): JsonObject {
  return content;
}

/** Returns the path of an object or a list. */
export function pathOf({ apiVersion, plural, namespace, name }: Resource): string {
  const parts = [
    apiVersion.includes('/') ? '/apis' : '/api',
    apiVersion,
    ...(namespace === undefined ? [] : ['namespaces', namespace]),
    plural,
    ...(name === undefined ? [] : [encodeURIComponent(name)]),
  ];
  return parts.join('/');
}

/** Names a right, as in `get leases.coordination.k8s.io NAME in muster-system`. */
export function rightTo(verb: string, { apiVersion, plural, namespace, name }: Resource): string {
  const [group] = apiVersion.includes('/') ? apiVersion.split('/') : [];
  const kind = group === undefined ? plural : `${plural}.${group}`;
  return [verb, kind, name, namespace && `in ${namespace}`].filter(Boolean).join(' ');
}

/** What helps against a missing right. */
export const AS_ANOTHER = 'run doctor as a user who has it, such as an administrator of the cluster';

/** Explains why a call gave no answer. */
export function unknownFor({ code, message }: ClusterError, right: string): Unknown {
  if (code === 'forbidden' || code === 'unauthorized') {
    return { kind: 'unknown', reason: `can't be read: you lack the right to ${right}`, remedy: AS_ANOTHER };
  }
  return { kind: 'unknown', reason: `unknown: ${message}`, remedy: 'run doctor again; the API server may be busy' };
}
