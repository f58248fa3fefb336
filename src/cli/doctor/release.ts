/** Reads from the Secret of a Helm release which objects Helm has installed. */
import { gunzipSync } from 'node:zlib';
import { at, isObject, type JsonObject, listAt, textAt } from '../../base/json.ts';
import type { ApiClient } from '../../cluster/live/client.ts';
import { readDocuments } from '../../documents/index.ts';
import type { Manifest } from '../../manifests/manifest.ts';
import type { Installed } from './installed.ts';
import { read, type Unknown } from './read.ts';

/** A release is some hundred KiB; a compressed text may be as large as it likes. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Returns the objects of the release in use, as the chart rendered them for its values; without Helm undefined. */
export async function releasedObjects(
  client: ApiClient,
  { way, namespace }: Installed,
): Promise<readonly Manifest[] | Unknown | undefined> {
  if (way.kind !== 'helm') return undefined;
  const { release } = way;
  const query = `?labelSelector=owner%3Dhelm%2Cname%3D${release}%2Cstatus%3Ddeployed`;
  const list = await read(client, { apiVersion: 'v1', plural: 'secrets', namespace }, query);
  if (list.kind === 'unknown') return list;
  const [secret] = list.kind === 'found' ? listAt(list.body, ['items']) : [];
  const objects = manifestOf(textAt(secret, ['data', 'release']) ?? '');
  if (objects !== undefined) return objects;
  const remedy = `see what Helm knows of it: helm status ${release} --namespace ${namespace}`;
  return { kind: 'unknown', reason: 'no Secret of Helm has the objects of the release', remedy };
}

/** Helm keeps a release as gzipped JSON in base64, which a Secret has in base64 again. */
function manifestOf(data: string): readonly Manifest[] | undefined {
  try {
    const packed = Buffer.from(Buffer.from(data, 'base64').toString('latin1'), 'base64');
    const release = JSON.parse(gunzipSync(packed, { maxOutputLength: MOST_BYTES }).toString('utf8'));
    const { documents } = readDocuments(textAt(release, ['manifest']) ?? '', 'release');
    return documents.flatMap(({ value }) => (isManifest(value) ? (value as unknown as Manifest) : []));
  } catch {
    return undefined;
  }
}

function isManifest(value: unknown): value is JsonObject {
  if (!isObject(value)) return false;
  return [['apiVersion'], ['kind'], ['metadata', 'name']].every((path) => typeof at(value, path) === 'string');
}
