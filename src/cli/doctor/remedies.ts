/** The commands that repair an installation, in the way in which it was installed. */
import { isDeepStrictEqual } from 'node:util';
import { shellQuoted } from '../../base/text.ts';
import type { ApiClient } from '../../cluster/live/client.ts';
import type { Mode } from '../../engine/index.ts';
import { type InstallationPart, NAMESPACE } from '../../manifests/names.ts';
import { NOTHING_ENFORCED } from '../../manifests/registration.ts';
import type { Enforcement, ServerReads } from '../../manifests/requirements.ts';
import { version } from '../shared.ts';
import type { Installed } from './installed.ts';
import type { Released } from './release.ts';
import type { UnknownObject } from './stored-objects.ts';

/** The input of all checks. */
export interface DoctorContext extends Installed {
  readonly client: ApiClient;
  /** This machine's clock, in milliseconds since the epoch. */
  readonly clock: () => number;
  /** The user name under which the server reads the cluster. */
  readonly serverUser: string;
  /** What the server's configuration needs of the registration; undefined if the configuration is unknown. */
  readonly enforcement?: Enforcement | undefined;
  /** What that configuration reads in the cluster; default: what is read without one. */
  readonly reads?: ServerReads | undefined;
  /** Of the server's configuration; undefined if that is unknown. */
  readonly mode?: Mode | undefined;
  /** The text of the cluster's ConfigMap. */
  readonly configuration?: string | undefined;
  /** The file of `--config`. */
  readonly configFile?: string | undefined;
  /** With Helm: the objects that the release has rendered, or why they can't be read. */
  readonly released?: Released | UnknownObject | undefined;
  /** Of the server's pods. */
  readonly image?: string | undefined;
}

type Installation = Pick<
  DoctorContext,
  'way' | 'namespace' | 'names' | 'enforcement' | 'reads' | 'configFile' | 'image'
>;

/** A placeholder: which registry holds the image is not known here. */
const IMAGE = 'REGISTRY/kube-muster';
const CHART = 'charts/kube-muster';
const APPLY = 'kubectl apply --server-side --force-conflicts -f -';

/** Returns the command that puts one part of the installation into order. */
export function restore(context: Installation, part: InstallationPart): string {
  const { way, image = `${IMAGE}:TAG` } = context;
  if (way.kind === 'helm') return helmUpgrade(context);
  const { before, flag } = isConfigured(part, context) ? configurationFlag(context) : NO_CONFIGURATION;
  const isCalled = part === 'webhooks' && way.kind === 'url';
  const first = isCalled && way.url === undefined ? 'with the URL of the server outside: ' : '';
  // Without it, an apply would replace an image that works with the placeholder of the manifests.
  const withImage = part === 'workload' || part === 'certs' ? `--image ${shellQuoted(image)}` : '';
  const flags = [`--only ${part}`, withImage, flag, isCalled ? outsideFlags(context) : ''];
  return `${first}${before}${printed(context, flags)}`;
}

/** Returns the command that upgrades the whole installation to the version of this muster. */
export function upgrade(context: Installation): string {
  const { way } = context;
  if (way.kind === 'helm') return `get the chart of muster ${version()}, then: ${helmUpgrade(context)}`;
  const { before, flag } = configurationFlag(context);
  if (way.kind === 'manifests') return before + printed(context, [`--image ${IMAGE}:${version()}`, flag]);
  return `run muster ${version()} as the server, then: ${before}${printed(context, [flag, outsideFlags(context)])}`;
}

/** Returns how to change the server's configuration: its file if that is known, else where the cluster has it. */
export function editConfiguration(context: Installation): string {
  const { way, namespace, names, configFile } = context;
  const file = configFile === undefined ? undefined : shellQuoted(configFile);
  if (way.kind === 'url') return `edit ${file ?? 'the file of --config of muster serve'}, which the server reads again`;
  if (way.kind === 'helm') {
    if (file !== undefined) return `edit ${file}, then: ${helmUpgrade(context)}`;
    return `change "configuration" in your values, then: ${upgradeCommand(context)} --values values.yaml`;
  }
  if (file === undefined) return `kubectl -n ${namespace} edit configmap ${names.base}-config`;
  return `edit ${file}, then: ${printed(context, [`--only config --config ${file}`])}`;
}

/** Returns what renews the server's certificate or the CA bundle; it ends in a command. */
export function certsRemedy(context: DoctorContext): string {
  const { namespace, names, way, issuer, service } = context;
  if (issuer.kind === 'cert-manager') {
    const [where = '', name = ''] = issuer.certificate.split('/');
    return `see why cert-manager does not renew it: kubectl -n ${where} describe certificate ${name}`;
  }
  if (way.kind === 'url')
    return `write the CA of the server's certificate to ca.crt, then: ${restore(context, 'webhooks')}`;
  const host = `${service.name}.${service.namespace}.svc`;
  if (issuer.kind === 'other') {
    const create = `kubectl create secret tls ${names.secret} -n ${namespace} --cert tls.crt --key tls.key`;
    const apply = `${create} --dry-run=client -o yaml | kubectl apply -f -`;
    return `issue a certificate for ${host} with your CA, and have that CA in caBundle, then: ${apply}`;
  }
  const where = `--secret ${namespace}/${names.secret} --service ${service.namespace}/${service.name}`;
  return `muster certs ${where} --webhook ${names.base}`;
}

/** Returns what makes the certificate valid that the server presents, under the CA that is registered. */
export function renewRemedy(context: DoctorContext): string {
  const { way } = context;
  if (way.kind !== 'url') return certsRemedy(context);
  const host = way.url === undefined ? 'the host of its URL' : new URL(way.url).hostname;
  const files = 'the files of --tls-cert-file and --tls-private-key-file: the server reads them again';
  return `issue a certificate for ${host} with the same CA, and replace ${files}`;
}

/** A webhook of a configuration, or a match condition of a webhook. */
export interface Item {
  /** As a JSON pointer. */
  readonly path: string;
  readonly name: string;
}

/**
 * Returns the command that removes items of a webhook configuration, which stand in its order. A JSON Patch leaves all
 * else, such as the CA and the owner; each item is tested, so that it removes nothing else if another write came first.
 */
export function removal(kind: string, name: string, items: readonly Item[]): string {
  // The last first, so that no index changes.
  const operations = items.toReversed().flatMap((item) => [
    { op: 'test', path: `${item.path}/name`, value: item.name },
    { op: 'remove', path: item.path },
  ]);
  return `kubectl patch ${kind.toLowerCase()} ${name} --type=json -p ${shellQuoted(JSON.stringify(operations))}`;
}

/** Prints objects and applies them as doctor's dry run did: it takes over fields that another tool has changed. */
function printed({ namespace }: Installation, flags: readonly string[]): string {
  const inNamespace = namespace === NAMESPACE ? '' : `--namespace ${namespace}`;
  return [...['muster manifests', ...flags, inNamespace].filter((flag) => flag !== ''), '|', APPLY].join(' ');
}

function outsideFlags({ way }: Installation): string {
  const url = way.kind === 'url' ? way.url : undefined;
  return `--url ${shellQuoted(url ?? 'https://HOST:PORT')} --ca-file ca.crt`;
}

/** Keeps the values of the release. The registration follows from its configuration, which a file replaces. */
function helmUpgrade(context: Installation): string {
  const { configFile } = context;
  if (configFile === undefined) return upgradeCommand(context);
  const values = `muster manifests --config ${shellQuoted(configFile)} --output helm-values > muster-values.yaml`;
  return `${values} && ${upgradeCommand(context)} --values muster-values.yaml`;
}

function upgradeCommand({ way, namespace }: Installation): string {
  const release = way.kind === 'helm' ? way.release : '';
  const conflicts = way.kind === 'helm' && way.appliesServerSide ? ' --force-conflicts' : '';
  return `helm upgrade ${release} ${CHART} --namespace ${namespace} --reset-then-reuse-values${conflicts}`;
}

const NO_CONFIGURATION = { before: '', flag: '' };

/** Whether the objects of a part depend on the configuration. */
function isConfigured(part: InstallationPart, { reads }: Installation): boolean {
  if (part === 'webhooks' || part === 'certs') return true;
  return reads?.registrar !== undefined && (part === 'rbac' || part === 'workload');
}

/** Repeats the configuration if the registration, or what a registrar needs, depends on it. */
function configurationFlag({ namespace, names, enforcement, reads, configFile }: Installation): {
  before: string;
  flag: string;
} {
  const isPlain = enforcement === undefined || isDeepStrictEqual(enforcement, NOTHING_ENFORCED);
  if (isPlain && reads?.registrar === undefined) return NO_CONFIGURATION;
  if (configFile !== undefined) return { before: '', flag: `--config ${shellQuoted(configFile)}` };
  const text = "-o jsonpath='{.data.muster\\.yaml}' > in-cluster.yaml";
  const before = `kubectl get configmap ${names.base}-config --namespace ${namespace} ${text} && `;
  return { before, flag: '--config in-cluster.yaml' };
}
