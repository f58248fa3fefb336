/** Reads from the cluster for a check, or applies in a dry run: what is there, that it is missing, or why that is unknown. */

import type { JsonObject } from '../../base/json.ts';
import type { ApiClient } from '../../cluster/live/client.ts';
import { type ClusterError, onlyClusterErrors } from '../../cluster/live/errors.ts';

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

/** Applies in a dry run, which takes the right to patch. */
export async function dryRunApply(client: ApiClient, resource: Resource, expected: object): Promise<Found | Unknown> {
  try {
    const { body } = await client.call({
      method: 'PATCH',
      path: `${pathOf(resource)}?dryRun=All&fieldManager=muster-doctor&force=true`,
      contentType: 'application/apply-patch+yaml',
      body: expected as JsonObject,
    });
    return { kind: 'found', body };
  } catch (error) {
    return unknownFor(onlyClusterErrors(error), rightTo('patch', resource));
  }
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
