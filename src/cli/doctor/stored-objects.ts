/** Reads objects of the cluster, and compares them with the expected ones by a dry run. */
import { isObject, type Json, type JsonObject, listAt, same, textAt } from '../../base/json.ts';
import { metadataOf } from '../../base/object.ts';
import { addressPath, type ObjectAddress } from '../../cluster/live/api-paths.ts';
import type { ApiClient } from '../../cluster/live/client.ts';
import { ANONYMOUS, type ClusterError, isAnonymous, onlyClusterErrors } from '../../cluster/live/errors.ts';
import type { Manifest } from '../../manifests/manifest.ts';
import type { Detail } from './report.ts';

export type ReadResult =
  | { readonly kind: 'found'; readonly body: JsonObject }
  | { readonly kind: 'missing' }
  | UnknownObject;

export interface UnknownObject {
  readonly kind: 'unknown';
  readonly reason: string;
  readonly remedy: string;
}

/** Reads one object or list. Rejects only for bugs. */
export async function read(client: ApiClient, resource: ObjectAddress, query = ''): Promise<ReadResult> {
  try {
    return {
      kind: 'found',
      body: (await client.call({ method: 'GET', path: `${addressPath(resource)}${query}` })).body,
    };
  } catch (thrown) {
    const error = onlyClusterErrors(thrown);
    if (error.code === 'not-found') return { kind: 'missing' };
    return unknownFor(error, rightTo(resource.name === undefined ? 'list' : 'get', resource));
  }
}

/** Returns the object or list that was read; undefined if there is none. */
export function bodyOf(result: ReadResult): JsonObject | undefined {
  return result.kind === 'found' ? result.body : undefined;
}

/** Returns the objects of a list that was read. */
export function itemsOf(list: ReadResult): readonly JsonObject[] {
  return listAt(bodyOf(list), ['items']).filter(isObject);
}

/** Returns the condition of a type in the status of an object. */
export function conditionOf(object: JsonObject | undefined, type: string): Json | undefined {
  return listAt(object, ['status', 'conditions']).find((condition) => textAt(condition, ['type']) === type);
}

/** A stored object beside the expected one. */
interface Compared {
  readonly kind: 'compared';
  readonly stored: JsonObject;
  readonly differences: readonly ObjectDifference[];
  /** Set if the dry run was refused, so that only the fields of the expected object were compared. */
  readonly byReading?: { readonly reason: string; readonly remedy: string };
}

/** Instead of a comparison, that the object is missing or can't be read. */
export type ComparisonResult = Compared | Exclude<ReadResult, { kind: 'found' }>;

export interface ObjectDifference extends Detail {
  readonly path: string;
}

/**
 * Compares an expected object with the stored one by a server-side apply in a dry run, which takes the right to patch:
 * the API server merges and fills in defaults, and leaves what other field managers own. Where that fails, the stored
 * object is compared with what the expected one names.
 */
export async function compare(client: ApiClient, expected: Manifest): Promise<ComparisonResult> {
  const resource = resourceOf(expected);
  const result = await read(client, resource);
  if (result.kind !== 'found') return result;
  const stored = result.body;
  const wanted = expected as unknown as JsonObject;
  const metadata = ['labels', 'annotations'].flatMap((member) =>
    lacks(`metadata.${member}`, metadataOf(wanted)?.[member] ?? {}, metadataOf(stored)?.[member] ?? {}),
  );
  try {
    const { body: applied } = await client.call({
      method: 'PATCH',
      path: `${addressPath(resource)}?dryRun=All&fieldManager=muster-doctor&force=true`,
      contentType: 'application/apply-patch+yaml',
      body: expected,
    });
    const content = differences('', contentOf(applied), contentOf(stored));
    return { kind: 'compared', stored, differences: [...metadata, ...content] };
  } catch (error) {
    const { code, message } = onlyClusterErrors(error);
    const { apiVersion, plural } = resource;
    const right = rightTo('patch', { apiVersion, plural });
    const byReading =
      code === 'forbidden'
        ? { reason: `you lack the right to ${right}`, remedy: AS_ANOTHER }
        : { reason: message, remedy: 'fix what refuses the dry run: an apply may be refused for it, too' };
    const content = lacks('', contentOf(wanted), contentOf(stored));
    return { kind: 'compared', stored, byReading, differences: [...metadata, ...content] };
  }
}

/** Returns everything in an object that an operator decides, apart from labels and annotations. */
function contentOf({ apiVersion: _, kind: __, metadata: ___, status: ____, ...content }: JsonObject): JsonObject {
  return content;
}

/** Returns how the stored value differs from the expected one. Further fields of the stored one are no differences. */
export function lacks(path: string, expected: Json | undefined, stored: Json | undefined): readonly ObjectDifference[] {
  return differences(path, expected, stored, false);
}

/**
 * Returns how a stored value differs from the wanted one below a path: the first difference of each branch.
 * @param isWhole whether further fields of the stored value are differences, too
 */
export function differences(
  path: string,
  wanted: Json | undefined,
  stored: Json | undefined,
  isWhole = true,
): readonly ObjectDifference[] {
  if (isObject(wanted) && isObject(stored)) {
    const keys = new Set([...Object.keys(wanted), ...(isWhole ? Object.keys(stored) : [])]);
    return [...keys].flatMap((key) => differences(path ? `${path}.${key}` : key, wanted[key], stored[key], isWhole));
  }
  if (Array.isArray(wanted) && Array.isArray(stored)) {
    if ([...wanted, ...stored].every((item) => textAt(item, ['name']) !== undefined)) {
      return wanted.flatMap((item) => {
        const name = textAt(item, ['name']);
        const other = stored.find((each) => textAt(each, ['name']) === name);
        return differences(`${path}[${name}]`, item, other, isWhole);
      });
    }
    if (wanted.length === stored.length) {
      return wanted.flatMap((item, index) => differences(`${path}[${index}]`, item, stored[index], isWhole));
    }
  }
  return same(wanted ?? undefined, stored ?? undefined) ? [] : [difference(path, wanted, stored)];
}

/** Describes one difference, without the value of an environment variable, which may be secret. */
export function difference(path: string, expected: Json | undefined, found: Json | undefined): ObjectDifference {
  if (/\.env\[/.test(path)) return { path, message: `${path}: differs` };
  const message = `${path}: expected ${shown(expected)}, found ${shown(found)}`;
  return { path, message, ...(expected !== undefined && { expected }), ...(found !== undefined && { found }) };
}

function shown(value: Json | undefined): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}

/** Returns where the API server has an object. */
function resourceOf({ apiVersion, kind, metadata }: Manifest): ObjectAddress {
  const { name, namespace } = metadata;
  return { apiVersion, plural: `${kind.toLowerCase().replace(/y$/, 'ie')}s`, namespace, name };
}

/** Returns the API group of a resource; empty for the core group. */
export function groupOf({ apiVersion }: ObjectAddress): string {
  return apiVersion.includes('/') ? apiVersion.replace(/\/.*/, '') : '';
}

/** Names a right, as in `get leases.coordination.k8s.io NAME in muster-system`. */
export function rightTo(verb: string, resource: ObjectAddress): string {
  const { plural, namespace, name } = resource;
  const kind = [plural, groupOf(resource)].filter(Boolean).join('.');
  return [verb, kind, name, namespace && `in ${namespace}`].filter(Boolean).join(' ');
}

/** The remedy for a missing right. */
export const AS_ANOTHER = 'run doctor as a user who has it, such as an administrator of the cluster';

/** Explains why a call gave no answer. */
export function unknownFor(error: ClusterError, right: string): UnknownObject {
  const { code, message } = error;
  if (isAnonymous(error)) return { kind: 'unknown', ...ANONYMOUS };
  if (code === 'forbidden' || code === 'unauthorized') {
    return { kind: 'unknown', reason: `can't be read: you lack the right to ${right}`, remedy: AS_ANOTHER };
  }
  return { kind: 'unknown', reason: `unknown: ${message}`, remedy: 'run doctor again; the API server may be busy' };
}
