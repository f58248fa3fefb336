/**
 * Stands in for the API server of a `kubectl apply`: makes the new object, and sends an AdmissionReview to each
 * webhook.
 */
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:https';
import { text } from 'node:stream/consumers';
import type { JsonObject } from '../../base/json.ts';
import { UsageError } from '../../base/usage-error.ts';
import type { AddOperation } from '../../engine/manager-label.ts';
import { referenceOfObject } from '../../engine/review.ts';
import { dialectOfObject, keyOf } from '../../input/objects.ts';
import { created, updated, withStatus } from '../../input/writes.ts';
import { validatingWebhookConfiguration } from '../../manifests/registration.ts';
import type { Reference, Subject, Subresource } from '../../rules/rule.ts';
import type { ReviewResponse } from '../../server/admission/respond.ts';
import { identityOf } from '../shared.ts';

interface ApiServerOptions {
  /** The port of the webhook server, on localhost. */
  readonly port: number;
  /** The CA of its certificate (PEM). */
  readonly ca: string;
  /** The stored objects. Writes do not change them: each is tried on the same cluster. */
  readonly state: readonly JsonObject[];
}

/** One write with the answers of the webhooks. */
export interface DemoAnswer {
  readonly reference: Reference;
  readonly subresource: Subresource;
  /** The webhook that allowed or denied the write, as the registration names it. */
  readonly webhook: string;
  readonly response: ReviewResponse;
  /** The JSON Patch of the mutating webhook. */
  readonly patch: readonly AddOperation[];
}

interface DemoWrite extends Pick<Subject, 'version' | 'operation' | 'subresource' | 'object' | 'oldObject'> {
  readonly reference: Reference;
}

/** Opens connections to a webhook server. `apply` rejects with a UsageError if it can't be reached. */
export function openApiServer({ port, ca, state }: ApiServerOptions) {
  const agent = new Agent({ ca, keepAlive: true });
  const stored = new Map(state.map((object) => [keyOf(referenceOf(object)), object]));
  const call = (path: string, write: DemoWrite) => post(agent, `https://localhost:${port}${path}`, reviewOf(write));
  return {
    /** Sends the reviews for an object that is applied; one with a status is a write to its status. */
    async apply(object: JsonObject): Promise<DemoAnswer> {
      const write = writeOf(object, stored.get(keyOf(referenceOf(object))));
      const { reference, subresource } = write;
      const mutates = reference.dialect.concept === 'inventory' && subresource === '';
      const patch = mutates ? patchOf(await call('/mutate', write)) : [];
      const response = await call('/validate', { ...write, object: patched(write.object, patch) });
      return { reference, subresource, webhook: webhookOf(write), response, patch };
    },
    close: () => agent.destroy(),
  };
}

function referenceOf(object: JsonObject): Reference {
  const dialect = dialectOfObject(object);
  if (dialect === undefined) throw new Error(`no API of muster: ${object['apiVersion']} ${object['kind']}`);
  return referenceOfObject(dialect, object);
}

function writeOf(object: JsonObject, oldObject: JsonObject | undefined): DemoWrite {
  const reference = referenceOf(object);
  const version = String(object['apiVersion']).split('/')[1] ?? '';
  const common = { reference, version, oldObject };
  if (oldObject === undefined) {
    return { ...common, operation: 'CREATE', subresource: '', object: created(reference, object) };
  }
  if (object['status'] !== undefined) {
    return { ...common, operation: 'UPDATE', subresource: 'status', object: withStatus(oldObject, object['status']) };
  }
  return { ...common, operation: 'UPDATE', subresource: '', object: updated(reference, object, oldObject) };
}

function reviewOf({ reference, version, operation, subresource, object, oldObject }: DemoWrite): string {
  const { dialect, namespace, name } = reference;
  const { group, kind, plural: resource } = dialect;
  const userInfo = identityOf('jane');
  const where = {
    name,
    ...(namespace !== undefined && { namespace }),
    ...(subresource && { subResource: subresource }),
  };
  const what = { kind: { group, version, kind }, resource: { group, version, resource } };
  const objects = { object, oldObject: oldObject ?? null };
  const request = { uid: randomUUID(), ...what, ...where, operation, userInfo, ...objects, dryRun: false };
  return JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request });
}

async function post(agent: Agent, url: string, review: string): Promise<ReviewResponse> {
  const headers = { 'content-type': 'application/json' };
  const body = await new Promise<string>((resolve, reject) => {
    const fail = ({ name, code = name }: NodeJS.ErrnoException) => {
      reject(new UsageError(`the server can't be called at ${new URL(url).origin} (${code}): allow connections to it`));
    };
    const call = request(url, { agent, method: 'POST', headers, signal: AbortSignal.timeout(10_000) }, (response) => {
      text(response).then(resolve, fail);
    });
    call.on('error', fail).end(review);
  });
  return (JSON.parse(body) as { response: ReviewResponse }).response;
}

function patchOf({ patch }: ReviewResponse): readonly AddOperation[] {
  return patch === undefined ? [] : JSON.parse(Buffer.from(patch, 'base64').toString());
}

function patched(object: JsonObject, patch: readonly AddOperation[]): JsonObject {
  const copy = structuredClone(object);
  for (const { path, value } of patch) {
    const steps = path.split('/').slice(1).map(unescaped);
    // biome-ignore lint/suspicious/noExplicitAny: a JSON Pointer leads anywhere.
    const parent = steps.slice(0, -1).reduce<any>((at, step) => at[step], copy);
    parent[steps.at(-1) ?? ''] = value;
  }
  return copy;
}

function unescaped(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Returns the name of the first webhook of the registration that gets such a write. */
function webhookOf({ reference: { dialect }, operation, subresource }: DemoWrite): string {
  const resource = subresource === '' ? dialect.plural : `${dialect.plural}/${subresource}`;
  const { webhooks } = validatingWebhookConfiguration({ url: '' });
  const matching = webhooks.find(({ rules }) =>
    rules.some(
      ({ apiGroups, resources, operations }) =>
        apiGroups.includes(dialect.group) && resources.includes(resource) && operations.includes(operation),
    ),
  );
  return matching?.name ?? '';
}
