/** Reads from the Secret of a Helm release which objects Helm has installed. */
import { gunzipSync } from 'node:zlib';
import { at, isObject, type Json, textAt } from '../../base/json.ts';
import type { ApiClient } from '../../cluster/live/client.ts';
import { readDocuments } from '../../documents/index.ts';
import type { Manifest } from '../../manifests/manifest.ts';
import type { InstallationPart } from '../../manifests/names.ts';
import type { Installed } from './installed.ts';
import { itemsOf, read, type UnknownObject } from './stored-objects.ts';

/** An object that should be there, and the part of the installation that it belongs to. */
export interface Expected {
  readonly part: InstallationPart;
  readonly object: Manifest;
}

/** The objects of a Helm release, as the chart has rendered them for its values. */
export interface Released {
  readonly kind: 'released';
  readonly objects: readonly Expected[];
  /** Set if its values name the tag or digest of the image, which an upgrade of the chart then keeps. */
  readonly pinned?: 'tag' | 'digest' | undefined;
  /** Those of the values for failure policies and time limits that are set. An upgrade keeps them, too. */
  readonly webhookValues: readonly WebhookValue[];
}

/** Values below `webhooks` of the chart, by the field of a webhook that they set. */
export const WEBHOOK_VALUES = {
  failurePolicy: ['failurePolicy', 'failurePolicies'],
  timeoutSeconds: ['timeoutSeconds', 'timeouts'],
} as const;
export type WebhookValue = (typeof WEBHOOK_VALUES)[keyof typeof WEBHOOK_VALUES][number];

/** A release that Helm does not know any more, since its Secrets were deleted with the namespace. Objects are left. */
export interface LostRelease {
  readonly kind: 'lost';
}

/** The most bytes of an unpacked release, which usually has some hundred KiB. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Reads the objects of the deployed release; undefined without Helm. */
export async function readReleased(
  client: ApiClient,
  { way, namespace, deployment, programs: { helm } }: Installed,
): Promise<Released | LostRelease | UnknownObject | undefined> {
  if (way.kind !== 'helm') return undefined;
  const { release } = way;
  const query = `?labelSelector=owner%3Dhelm%2Cname%3D${release}`;
  const secrets = { apiVersion: 'v1', plural: 'secrets', namespace };
  const list = await read(client, secrets, `${query}%2Cstatus%3Ddeployed`);
  if (list.kind === 'unknown') return list;
  // Helm may keep its releases elsewhere (HELM_DRIVER). If the namespace was deleted, there is no Deployment either.
  if (itemsOf(list).length === 0 && deployment.kind === 'missing') {
    const all = await read(client, secrets, query);
    if (all.kind === 'found' && itemsOf(all).length === 0) return { kind: 'lost' };
  }
  try {
    return releasedIn(textAt(itemsOf(list)[0], ['data', 'release']) ?? '');
  } catch {
    const remedy = `see what Helm knows of it: ${helm} status ${release} --namespace ${namespace}`;
    return { kind: 'unknown', reason: 'no Secret of Helm has the objects of the release', remedy };
  }
}

/** Helm keeps a release as gzipped JSON in base64, which a Secret has in base64 again. Throws for another format. */
function releasedIn(data: string): Released {
  const packed = Buffer.from(Buffer.from(data, 'base64').toString('latin1'), 'base64');
  const release = JSON.parse(gunzipSync(packed, { maxOutputLength: MOST_BYTES }).toString('utf8'));
  const pinned = (['digest', 'tag'] as const).find((key) => textAt(release, ['config', 'image', key]));
  const webhookValues = Object.values(WEBHOOK_VALUES)
    .flat()
    .filter((key) => isSet(at(release, ['config', 'webhooks', key])));
  return { kind: 'released', objects: objectsIn(String(release.manifest)), pinned, webhookValues };
}

/** Returns whether a value is another than the chart's: that is `""`, 0 or an empty map. */
function isSet(value: Json | undefined): boolean {
  return isObject(value) ? Object.keys(value).length > 0 : Boolean(value);
}

function objectsIn(manifest: string): readonly Expected[] {
  return manifest.split(/^---\n/m).flatMap((text) => {
    // A release may have other charts, too.
    const [, template] = /^# Source: \S*kube-muster\/templates\/([\w-]+)/m.exec(text) ?? [];
    if (template === undefined) return [];
    const part = PART_OF_TEMPLATE[template] ?? (template as InstallationPart);
    return readDocuments(text, 'release').documents.flatMap(({ value }) =>
      isObject(value) ? [{ part, object: value as unknown as Manifest }] : [],
    );
  });
}

/** The parts of templates that are not named like their part. */
const PART_OF_TEMPLATE: Readonly<Record<string, InstallationPart>> = {
  'cert-manager': 'certs',
  events: 'rbac',
  registrar: 'rbac',
};
