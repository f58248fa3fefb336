/** Reads how muster is installed: by Helm, by its manifests, or as a server outside, which is called by a URL. */
import { at, isObject, type JsonObject, listAt, textAt } from '../../base/json.ts';
import { isTerminating } from '../../base/object.ts';
import { isDnsSubdomain } from '../../base/syntax.ts';
import type { ObjectAddress } from '../../cluster/live/api-paths.ts';
import type { ApiClient } from '../../cluster/live/client.ts';
import {
  INJECT_CA,
  isOurWebhook,
  LEASES,
  NAMESPACE,
  REGISTRATION_KINDS,
  SERVER,
  SERVER_PODS,
  WEBHOOKS,
} from '../../manifests/names.ts';
import { isServer } from './deployment.ts';
import type { Programs } from './programs.ts';
import { bodyOf, itemsOf, type ReadResult, read } from './stored-objects.ts';

/** The way in which muster was installed, and so in which it is repaired. */
type InstallationWay =
  /** `appliesServerSide`: its upgrades are server-side applies, which conflict with changes of others. */
  | { readonly kind: 'helm'; readonly release: string; readonly appliesServerSide: boolean }
  | { readonly kind: 'manifests' }
  /** `url`: base URL, `https://HOST:PORT`; undefined if no webhook names it any more. */
  | { readonly kind: 'url'; readonly url: string | undefined };

/** The Service that webhooks call. */
interface Service {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

export interface Installed {
  readonly programs: Programs;
  readonly way: InstallationWay;
  /** The namespace of muster and its Leases. */
  readonly namespace: string;
  readonly names: Names;
  /** The Service that webhooks call; by default the usual one. */
  readonly service: Service;
  /** The two webhook configurations, in the order of `REGISTRATION_KINDS`. */
  readonly registration: readonly ReadResult[];
  readonly deployment: ReadResult;
  /** Whether the namespace is being deleted. */
  readonly isTerminatingNamespace: boolean;
  /** Whether anything of muster exists, apart from its namespace. */
  readonly isThere: boolean;
  /** Who makes the server's certificate, as far as can be seen; cert-manager with its Certificate, as NS/NAME. */
  readonly issuer:
    | { readonly kind: 'muster' | 'existing' }
    | { readonly kind: 'cert-manager'; readonly certificate: string };
}

/** The names of objects, which a Helm release may choose. */
interface Names {
  /** The name of the registration and of the server's objects. Names of other objects begin with it. */
  readonly base: string;
  readonly account: string;
  /** The Secret of the certificate. */
  readonly secret: string;
}

const HTTPS = 443;

/** Reads how muster is installed. @param wanted the namespace of the flags */
export async function readInstalled(
  client: ApiClient,
  wanted: string | undefined,
  programs: Programs,
): Promise<Installed> {
  const registration = await readRegistration(client, wanted);
  const target = targetOf(webhooksOf(registration));
  const isLost = registration.every(({ kind }) => kind === 'missing');
  const ofServer = wanted === undefined && isLost ? await namespaceOfServer(client) : undefined;
  // A kubeconfig may name any text.
  const ofContext = checkedName(client.namespace) ?? 'default';
  const fromClient = ofContext === 'default' ? NAMESPACE : ofContext;
  const namespace = wanted ?? target?.service?.namespace ?? ofServer ?? fromClient;
  const registered = registration.map(nameOf).find((name) => name !== undefined);
  const resource = { apiVersion: 'apps/v1', plural: 'deployments', namespace, name: registered ?? SERVER };
  const [deployment = { kind: 'missing' } as const] = await readOurs(client, resource, isServer);
  const names = namesOf(registered ?? nameOf(deployment) ?? SERVER, deployment);
  const named = (apiVersion: string, plural: string, name: string) =>
    read(client, { apiVersion, plural, namespace, name });
  const [namespaceObject, service, lease, cronJob, certificate] = await Promise.all([
    read(client, { apiVersion: 'v1', plural: 'namespaces', name: namespace }),
    named('v1', 'services', names.base),
    named('coordination.k8s.io/v1', 'leases', LEASES[0] ?? ''),
    named('batch/v1', 'cronjobs', `${names.base}-certs`),
    named('cert-manager.io/v1', 'certificates', names.base),
  ]);
  const parts = [...registration, deployment, service, lease];
  // Without a registration and a Service, the server may run outside: then no Service must be registered for it.
  const isInside = !isLost || [deployment, service].some(({ kind }) => kind === 'found');
  const found = helmOf(parts) ?? (isInside ? { kind: 'manifests' } : { kind: 'url', url: undefined });
  const issuerOf = (): Installed['issuer'] => {
    const injected = certManagerOf(registration);
    if (injected !== undefined) return { kind: 'cert-manager', certificate: injected };
    if (cronJob.kind !== 'missing') return { kind: 'muster' };
    const isIssued = certificate.kind === 'found' && target?.url === undefined;
    return isIssued ? { kind: 'cert-manager', certificate: `${namespace}/${names.base}` } : { kind: 'existing' };
  };
  return {
    programs,
    namespace,
    names,
    registration,
    deployment,
    way: target?.url === undefined ? found : { kind: 'url', url: target.url },
    service: target?.service ?? { namespace, name: names.base, port: HTTPS },
    isTerminatingNamespace: isTerminating(bodyOf(namespaceObject)),
    isThere: parts.some(({ kind }) => kind !== 'missing'),
    issuer: issuerOf(),
  };
}

/**
 * Reads the two webhook configurations. Of several that are muster's, that of the wanted installation counts. If one
 * kind has it, the other kind's of another installation counts as missing.
 * @param wanted the namespace of the flags
 */
async function readRegistration(client: ApiClient, wanted: string | undefined): Promise<readonly ReadResult[]> {
  const isWanted = (configuration: ReadResult) => {
    const service = targetOf(webhooksOf([configuration]))?.service;
    return wanted === undefined || service === undefined || service.namespace === wanted;
  };
  const found = await Promise.all(
    REGISTRATION_KINDS.map((kind) => {
      const plural = `${kind.toLowerCase()}s`;
      const resource = { apiVersion: 'admissionregistration.k8s.io/v1', plural, name: WEBHOOKS };
      return readOurs(client, resource, hasOurWebhooks);
    }),
  );
  const chosen = found.map((all) => all.find(isWanted));
  const isChosen = chosen.some((each) => each?.kind === 'found');
  return found.map((all, index) => (isChosen ? chosen[index] : all[0]) ?? { kind: 'missing' });
}

/**
 * Reads the objects that are muster's, since a release may choose names and labels. First comes the one of the usual
 * name, if it exists or can't be read.
 */
async function readOurs(
  client: ApiClient,
  { name, ...all }: Required<Pick<ObjectAddress, 'name'>> & ObjectAddress,
  isOurs: (object: JsonObject) => boolean,
): Promise<readonly ReadResult[]> {
  const [usual, list] = await Promise.all([read(client, { ...all, name }), read(client, all)]);
  const others = itemsOf(list)
    .map((body) => ({ kind: 'found', body }) as const)
    .filter((object) => ![undefined, name].includes(nameOf(object)) && isOurs(object.body));
  return usual.kind === 'missing' ? others : [usual, ...others];
}

/** Returns the namespace of a server, found by its labels; undefined if there is none, or if it can't be read. */
async function namespaceOfServer(client: ApiClient): Promise<string | undefined> {
  const query = `?labelSelector=${encodeURIComponent(SERVER_PODS)}`;
  const [deployment] = itemsOf(await read(client, { apiVersion: 'apps/v1', plural: 'deployments' }, query));
  return checkedName(textAt(deployment, ['metadata', 'namespace']));
}

function hasOurWebhooks(configuration: JsonObject): boolean {
  return webhooksIn(configuration).some((webhook) => isOurWebhook(textAt(webhook, ['name']) ?? ''));
}

/** Returns the names that a server uses, else those of the manifests. They become parts of commands. */
function namesOf(base: string, deployment: ReadResult): Names {
  const pod = at(bodyOf(deployment), ['spec', 'template', 'spec']);
  const volume = listAt(pod, ['volumes']).find((each) => textAt(each, ['name']) === 'tls');
  return {
    base,
    account: checkedName(textAt(pod, ['serviceAccountName'])) ?? base,
    secret: checkedName(textAt(volume, ['secret', 'secretName'])) ?? `${base}-tls`,
  };
}

function nameOf(stored: ReadResult): string | undefined {
  return checkedName(textAt(bodyOf(stored), ['metadata', 'name']));
}

/** Returns a text if it can be the name of an object, and so a part of a path and of a command. */
function checkedName(text: string | undefined): string | undefined {
  return text !== undefined && isDnsSubdomain(text) ? text : undefined;
}

/** Returns every webhook that could be read. */
export function webhooksOf(registration: readonly ReadResult[]): readonly JsonObject[] {
  return registration.flatMap((stored) => webhooksIn(bodyOf(stored)));
}

/** Returns the webhooks of a configuration. */
export function webhooksIn(configuration: JsonObject | undefined): readonly JsonObject[] {
  return listAt(configuration, ['webhooks']).filter(isObject);
}

/** What a webhook calls: a Service or a URL. */
interface WebhookTarget {
  readonly service?: Service;
  readonly url?: string;
}

/** Returns what most webhooks call; undefined if none names a server. */
function targetOf(webhooks: readonly JsonObject[]): WebhookTarget | undefined {
  const targets = webhooks.flatMap((webhook) => targetOfOne(webhook) ?? []);
  const groups = [...Map.groupBy(targets, (target) => JSON.stringify(target)).values()];
  return groups.toSorted((a, b) => b.length - a.length)[0]?.[0];
}

function targetOfOne(webhook: JsonObject): WebhookTarget | undefined {
  const config = at(webhook, ['clientConfig']);
  const url = textAt(config, ['url']);
  if (url !== undefined) return URL.canParse(url) ? { url: url.replace(/\/(validate|mutate)\/?$/, '') } : undefined;
  const name = checkedName(textAt(config, ['service', 'name']));
  const namespace = checkedName(textAt(config, ['service', 'namespace']));
  const port = at(config, ['service', 'port']);
  if (name === undefined || namespace === undefined) return undefined;
  return { service: { namespace, name, port: typeof port === 'number' ? port : HTTPS } };
}

/** The annotation by which Helm knows its objects. */
export const RELEASE = 'meta.helm.sh/release-name';

/** Returns the release that owns one of the objects. */
function helmOf(parts: readonly ReadResult[]): InstallationWay | undefined {
  const objects = parts.flatMap((part) => bodyOf(part) ?? []);
  const [release] = objects.flatMap(
    (object) => checkedName(textAt(object, ['metadata', 'annotations', RELEASE])) ?? [],
  );
  if (release === undefined) return undefined;
  const managers = objects.flatMap((object) => listAt(object, ['metadata', 'managedFields']));
  const appliesServerSide = managers.some(
    (each) => textAt(each, ['manager']) === 'helm' && textAt(each, ['operation']) === 'Apply',
  );
  return { kind: 'helm', release, appliesServerSide };
}

/** Returns the Certificate, as `NS/NAME`, whose CA cert-manager writes into the configurations. */
function certManagerOf(registration: readonly ReadResult[]): string | undefined {
  const annotation = ['metadata', 'annotations', INJECT_CA];
  const names = registration.map((stored) => textAt(bodyOf(stored), annotation) ?? '');
  // It becomes a part of a command.
  return names.find((name) => /^[a-z0-9.-]+\/[a-z0-9.-]+$/.test(name));
}
