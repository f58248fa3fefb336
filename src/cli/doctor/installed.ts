/** Reads how muster is installed: by Helm, by its manifests, or as a server outside, which is called by a URL. */
import { at, isObject, type Json, type JsonObject, listAt, textAt } from '../../base/json.ts';
import type { ApiClient } from '../../cluster/live/client.ts';
import { LEASES, NAMESPACE, SERVER, WEBHOOKS } from '../../manifests/names.ts';
import { type ReadResult, type Resource, read } from './read.ts';

/** The way in which muster was installed, and so in which it is repaired. */
export type Way =
  /** `appliesServerSide`: its upgrades are server-side applies, which conflict with changes of others. */
  | { readonly kind: 'helm'; readonly release: string; readonly appliesServerSide: boolean }
  | { readonly kind: 'manifests' }
  /** `url`: base URL, `https://HOST:PORT`; undefined if no webhook names it any more. */
  | { readonly kind: 'url'; readonly url: string | undefined };

/** The Service that webhooks call. */
export interface Service {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/** One of the two configurations, as far as it can be read. */
export type Side = Awaited<ReturnType<typeof readSide>>;

export interface Installed {
  readonly way: Way;
  /** Where muster and its Leases live. */
  readonly namespace: string;
  readonly names: Names;
  /** Its usual one where no webhook names one. */
  readonly service: Service;
  readonly sides: readonly Side[];
  readonly deployment: ReadResult;
  /** Whether something of muster is there, apart from its namespace. */
  readonly isThere: boolean;
  /** Who makes the server's certificate; `other`: neither cert-manager nor `muster certs`. */
  readonly issuer:
    | { readonly kind: 'certs' | 'other' }
    | { readonly kind: 'cert-manager'; readonly certificate: string };
}

/** The names of objects, which a Helm release may choose. */
export interface Names {
  /** Of the registration and of the server's objects; names of others begin with it. */
  readonly base: string;
  readonly account: string;
  /** The Secret of the certificate. */
  readonly secret: string;
}

/** Reads how muster is installed. @param wanted the namespace of the flags */
export async function readInstalled(client: ApiClient, wanted: string | undefined): Promise<Installed> {
  const sides = await Promise.all([readSide(client, 'validating'), readSide(client, 'mutating')]);
  const target = targetOf(webhooksOf(sides));
  const registered = target !== undefined && 'service' in target ? target.service : undefined;
  const fromClient = client.namespace === 'default' ? NAMESPACE : client.namespace;
  const namespace = wanted ?? registered?.namespace ?? fromClient;
  const resource = { apiVersion: 'apps/v1', plural: 'deployments', namespace };
  const [first] = sides.flatMap(({ stored }) => nameOf(stored) ?? []);
  const deployment = await readNamed(client, { ...resource, name: first ?? SERVER }, `${LABEL},${COMPONENT}`);
  const names = namesOf(first ?? nameOf(deployment) ?? SERVER, deployment);
  const named = (apiVersion: string, plural: string, name: string) =>
    read(client, { apiVersion, plural, namespace, name });
  const [service, lease, cronJob] = await Promise.all([
    named('v1', 'services', names.base),
    named('coordination.k8s.io/v1', 'leases', LEASES[0] ?? ''),
    named('batch/v1', 'cronjobs', `${names.base}-certs`),
  ]);
  const parts = [...sides.map(({ stored }) => stored), deployment, service, lease];
  const url = target !== undefined && 'url' in target ? target.url : undefined;
  // Without a registration and anything that it could call, a server may run outside: never register a Service for it.
  const isLost = sides.every(({ stored }) => stored.kind === 'missing');
  const isInside = !isLost || [deployment, service].some(({ kind }) => kind === 'found');
  const found: Way = helmOf(parts) ?? (isInside ? { kind: 'manifests' } : { kind: 'url', url: undefined });
  const certificate = certManagerOf(sides);
  return {
    namespace,
    names,
    sides,
    deployment,
    way: url === undefined ? found : { kind: 'url', url },
    service: registered ?? { namespace, name: names.base, port: HTTPS },
    isThere: parts.some(({ kind }) => kind !== 'missing'),
    issuer:
      certificate === undefined
        ? { kind: cronJob.kind === 'missing' ? 'other' : 'certs' }
        : { kind: 'cert-manager', certificate },
  };
}

/** Returns the names that a server uses, else those of the manifests. They become parts of commands. */
function namesOf(base: string, deployment: ReadResult): Names {
  const pod = deployment.kind === 'found' ? at(deployment.body, ['spec', 'template', 'spec']) : undefined;
  const volume = (name: string) => listAt(pod, ['volumes']).find((each) => textAt(each, ['name']) === name);
  const known = (name: string | undefined, otherwise: string) => (isName(name) ? name : otherwise);
  return {
    base,
    account: known(textAt(pod, ['serviceAccountName']), base),
    secret: known(textAt(volume('tls'), ['secret', 'secretName']), `${base}-tls`),
  };
}

const LABEL = 'app.kubernetes.io%2Fname%3Dmuster';
const COMPONENT = 'app.kubernetes.io%2Fcomponent%3Dserver';

/** Reads an object by its usual name, else the first with our labels. */
async function readNamed(client: ApiClient, resource: Required<Resource>, labels: string): Promise<ReadResult> {
  const stored = await read(client, resource);
  if (stored.kind !== 'missing') return stored;
  const { name: _, ...all } = resource;
  const list = await read(client, all, `?labelSelector=${labels}`);
  const found = list.kind === 'found' ? listAt(list.body, ['items']).filter(isObject) : [];
  const body = found.find((object) => isName(textAt(object, ['metadata', 'name'])));
  return body === undefined ? stored : { kind: 'found', body };
}

function nameOf(stored: ReadResult): string | undefined {
  const name = stored.kind === 'found' ? textAt(stored.body, ['metadata', 'name']) : undefined;
  return isName(name) ? name : undefined;
}

/** Returns every webhook that could be read. */
export function webhooksOf(sides: readonly Side[]): readonly JsonObject[] {
  return sides.flatMap(({ stored }) => (stored.kind === 'found' ? webhooksIn(stored.body) : []));
}

/** Returns the webhooks of a configuration. */
export function webhooksIn(configuration: JsonObject): readonly JsonObject[] {
  return listAt(configuration, ['webhooks']) as readonly JsonObject[];
}

/** Returns an object's image of the server, or of a job. */
export function imageOf(workload: JsonObject): string | undefined {
  return textAt(workload, ['spec', 'template', 'spec', 'containers', 0, 'image']);
}

const HTTPS = 443;

async function readSide(client: ApiClient, name: 'validating' | 'mutating') {
  const kind = name === 'validating' ? 'ValidatingWebhookConfiguration' : 'MutatingWebhookConfiguration';
  const plural = `${kind.toLowerCase()}s`;
  const resource = { apiVersion: 'admissionregistration.k8s.io/v1', plural, namespace: undefined, name: WEBHOOKS };
  return { name, kind, stored: await readNamed(client, resource, LABEL) } as const;
}

type Target = { readonly service: Service } | { readonly url: string };

/** Returns what most webhooks call; undefined if none names a server. */
function targetOf(webhooks: readonly JsonObject[]): Target | undefined {
  const targets = webhooks.flatMap((webhook) => targetOfOne(webhook) ?? []);
  const groups = [...Map.groupBy(targets, (target) => JSON.stringify(target)).values()];
  return groups.toSorted((a, b) => b.length - a.length)[0]?.[0];
}

function targetOfOne(webhook: Json): Target | undefined {
  const url = textAt(webhook, ['clientConfig', 'url']);
  if (url !== undefined) return URL.canParse(url) ? { url: url.replace(/\/(validate|mutate)\/?$/, '') } : undefined;
  const name = textAt(webhook, ['clientConfig', 'service', 'name']);
  const namespace = textAt(webhook, ['clientConfig', 'service', 'namespace']);
  const port = at(webhook, ['clientConfig', 'service', 'port']);
  if (!isName(name) || !isName(namespace)) return undefined;
  return { service: { namespace, name, port: typeof port === 'number' ? port : HTTPS } };
}

/** Returns the release that owns one of the objects. */
function helmOf(parts: readonly ReadResult[]): Way | undefined {
  const objects = parts.flatMap((part) => (part.kind === 'found' ? part.body : []));
  const releases = objects.map((object) => textAt(object, ['metadata', 'annotations', RELEASE]));
  const release = releases.find(isName);
  if (release === undefined) return undefined;
  const managers = objects.flatMap((object) => listAt(object, ['metadata', 'managedFields']));
  const appliesServerSide = managers.some(
    (each) => textAt(each, ['manager']) === 'helm' && textAt(each, ['operation']) === 'Apply',
  );
  return { kind: 'helm', release, appliesServerSide };
}

/** The annotation by which Helm knows its objects. */
export const RELEASE = 'meta.helm.sh/release-name';

/** Returns `NS/NAME` of the Certificate whose CA cert-manager writes into the configurations. */
function certManagerOf(sides: readonly Side[]): string | undefined {
  const annotation = ['metadata', 'annotations', 'cert-manager.io/inject-ca-from'];
  const names = sides.map(({ stored }) => (stored.kind === 'found' ? textAt(stored.body, annotation) : ''));
  // It becomes a part of a command.
  return names.find((name) => /^[a-z0-9.-]+\/[a-z0-9.-]+$/.test(name ?? ''));
}

/** Returns whether a text can be the name of an object, and so a part of a path and of a command. */
function isName(text: string | undefined): text is string {
  return /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/.test(text ?? '');
}
