/** The commands that repair an installation, in the way in which it was installed. */
import { isDeepStrictEqual } from 'node:util';
import { shellQuoted } from '../../base/text.ts';
import type { ApiClient } from '../../cluster/live/client.ts';
import type { Mode } from '../../engine/index.ts';
import { type InstallationOptions, partOf } from '../../manifests/installation.ts';
import {
  type InstallationPart,
  NAMESPACE,
  PARTS,
  PARTS_BY_URL,
  PARTS_WITH_IMAGE,
  SERVER,
} from '../../manifests/names.ts';
import { version } from '../shared.ts';
import type { Installed } from './installed.ts';
import type { LostRelease, Released, WebhookValue } from './release.ts';
import type { UnknownObject } from './stored-objects.ts';

/** The input of all checks. */
export interface DoctorContext extends Installed {
  readonly client: ApiClient;
  /** This machine's clock, in milliseconds since the epoch. */
  readonly clock: () => number;
  /** The user name under which the server reads the cluster. */
  readonly serverUser: string;
  /** The options with which `muster manifests` prints this installation, as far as the cluster shows them. */
  readonly options: InstallationOptions;
  /** The mode of the server's configuration; undefined if that is unknown. */
  readonly mode?: Mode | undefined;
  /** The file of `--config`. */
  readonly configFile?: string | undefined;
  /** With Helm: the objects that the release has rendered, or why they can't be read. */
  readonly released?: Released | LostRelease | UnknownObject | undefined;
}

/** What the commands depend on. */
type Installation = Omit<DoctorContext, 'client' | 'clock' | 'serverUser'>;

/** A placeholder: which registry holds the image is not known here. */
const IMAGE = 'REGISTRY/kube-muster';
const CHART = 'charts/kube-muster';
const WRITE_CA = 'write the CA of the server certificate to ca.crt, then: ';

/** One step of a remedy: a command, or what to do where there is none. */
export type Step =
  | {
      readonly command: string;
      /** What to do by hand before it, up to its `then: `. */
      readonly before?: string;
    }
  | { readonly action: string };

/** Returns the text of steps: with `&&` if all are commands. What to do by hand before one of them comes first. */
export function inOrder(steps: readonly Step[]): string {
  const before = steps.map((step) => ('command' in step && step.before) || '').join('');
  const isCommand = steps.every((step) => 'command' in step);
  const texts = steps.map((step) => ('command' in step ? step.command : step.action));
  return before + texts.join(isCommand ? ' && ' : '; then: ');
}

/** Returns how to restore one part of the installation: a command, if `muster manifests` prints its names. */
export function restore(context: Installation, part: InstallationPart): string {
  return inOrder([restoreStep(context, part)]);
}

/** Returns the step of `restore`. With Helm, it takes back `values` of the release, which an upgrade would keep. */
export function restoreStep(context: Installation, part: InstallationPart, values: readonly WebhookValue[] = []): Step {
  const { image = `${IMAGE}:TAG` } = context.options;
  if (context.way.kind === 'helm') return releaseStep(context, values);
  // Without the flag, an apply would replace a working image with the placeholder of the manifests.
  const withImage = PARTS_WITH_IMAGE.includes(part) ? `--image ${shellQuoted(image)}` : '';
  return applyStep(context, [`--only ${part}`, withImage], part);
}

/**
 * Returns the steps that restore missing webhooks. Created again, they have no CA, and refuse writes until they have
 * one. For a server outside, the manifests contain it; cert-manager adds its own.
 */
export function recreateSteps(context: Installation, values: readonly WebhookValue[] = []): readonly Step[] {
  const { way, issuer } = context;
  const isIssued = way.kind !== 'url' && issuer.kind === 'muster';
  return [restoreStep(context, 'webhooks', values), ...(isIssued ? [{ command: issueCommand(context) }] : [])];
}

/** Returns how to upgrade these parts of the installation, which are all of it, to the version of this muster. */
export function upgrade(context: Installation, parts: readonly InstallationPart[]): string {
  const { way } = context;
  if (way.kind === 'helm') return isLost(context) ? inOrder([releaseStep(context)]) : releaseUpgrade(context);
  const usual = way.kind === 'url' ? PARTS_BY_URL : PARTS;
  const only = isDeepStrictEqual(parts, usual) ? '' : `--only ${parts.join()}`;
  if (way.kind === 'manifests') return inOrder([applyStep(context, [only, `--image ${IMAGE}:${version()}`])]);
  return `run muster ${version()} as the server, then: ${inOrder([applyStep(context, [only])])}`;
}

/** Returns how to change the server's configuration: its file if that is known, else where the cluster has it. */
export function editConfiguration(context: Installation): string {
  const { way, namespace, names, configFile, programs } = context;
  const file = configFile === undefined ? undefined : shellQuoted(configFile);
  if (way.kind === 'url') return `edit ${file ?? 'the file of --config of muster serve'}, which the server reads again`;
  if (way.kind === 'helm') {
    if (file !== undefined) return `edit ${file}, then: ${helmUpgrade(context)}`;
    return `change "configuration" in your values, then: ${upgradeCommand(context)} --values values.yaml`;
  }
  if (file === undefined) return `${programs.kubectl} -n ${namespace} edit configmap ${names.base}-config`;
  return `edit ${file}, then: ${restore(context, 'config')}`;
}

/** Returns how to renew the server's certificate or the CA bundle. The text ends with a command. */
export function certsRemedy(context: Installation): string {
  const { namespace, names, way, issuer, service, programs } = context;
  const { kubectl } = programs;
  // With its namespace, what showed the issuer is gone, too.
  if (isLost(context)) return inOrder([releaseStep(context)]);
  if (issuer.kind === 'cert-manager') {
    const [where = '', name = ''] = issuer.certificate.split('/');
    return `see why cert-manager does not renew it: ${kubectl} -n ${where} describe certificate ${name}`;
  }
  if (way.kind === 'url') return restore(context, 'webhooks');
  const host = `${service.name}.${service.namespace}.svc`;
  if (issuer.kind === 'existing') {
    const create = `${kubectl} create secret tls ${names.secret} -n ${namespace} --cert tls.crt --key tls.key`;
    const apply = `${create} --dry-run=client -o yaml | ${kubectl} apply -f -`;
    const issue = `issue a certificate for ${host} with your CA`;
    if (way.kind !== 'helm') return `${issue}, and ${inOrder([{ command: apply }, restoreStep(context, 'webhooks')])}`;
    return `${issue} (ca.crt), then: ${apply} && ${upgradeCommand(context)} --set-file certificates.caBundle=ca.crt`;
  }
  return issueCommand(context);
}

/** Returns the command that issues the server's certificate and writes the CA bundle. */
function issueCommand({ namespace, names, service, programs }: Installation): string {
  const where = `--secret ${namespace}/${names.secret} --service ${service.namespace}/${service.name}`;
  return `${programs.certs} ${where} --webhook ${names.base}`;
}

/** Returns how to make the server's certificate valid under the registered CA. */
export function renewRemedy(context: Installation): string {
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
 * Returns the step that removes items, given in their order, from a webhook configuration. A JSON Patch keeps all
 * else, such as the CA and the owner. It tests each item, so that it removes nothing else if another write came first.
 */
export function removeStep({ programs, names }: Installation, kind: string, items: readonly Item[]): Step {
  // The last first, so that no index changes.
  const operations = items.toReversed().flatMap((item) => [
    { op: 'test', path: `${item.path}/name`, value: item.name },
    { op: 'remove', path: item.path },
  ]);
  const patch = `${programs.kubectl} patch ${kind.toLowerCase()} ${names.base} --type=json`;
  return { command: `${patch} -p ${shellQuoted(JSON.stringify(operations))}` };
}

/**
 * Returns the step that prints a part (default: everything) and applies it as doctor's dry run did: it takes over
 * fields that another tool has changed. It has the flags of all options on which the printed objects depend: without
 * them an apply would reset what they set. If objects have other names than in the manifests, it would install further
 * objects or name another Certificate, so then it is no command.
 */
function applyStep(context: Installation, flags: readonly string[], part?: InstallationPart): Step {
  const { namespace, names, issuer, programs, options } = context;
  const parts: readonly InstallationPart[] = part === undefined ? PARTS : [part];
  const printed = (more: object) => parts.flatMap((each) => partOf(each, { ...options, ...more }));
  const dependsOn = (...keys: readonly (keyof InstallationOptions)[]) =>
    !isDeepStrictEqual(printed({}), printed(Object.fromEntries(keys.map((key) => [key, undefined]))));
  const again = (why: string): Step => ({
    action: `render your manifests again with muster ${version()}, and apply them: ${why}`,
  });
  if (dependsOn('name')) return again(`the objects are named ${names.base}`);
  const hasWebhooks = parts.includes('webhooks');
  if (hasWebhooks && issuer.kind === 'cert-manager' && issuer.certificate !== `${namespace}/${SERVER}`)
    return again(`cert-manager fills in the CA of the Certificate ${issuer.certificate}`);
  const isConfigured = parts.includes('config') || dependsOn('enforcement', 'reads');
  const { before, flag } = isConfigured ? configurationFlag(context) : NO_FLAG;
  const address = addressFlag(context, parts);
  const all = [
    'muster manifests',
    ...flags,
    address.flag,
    options.replicas && dependsOn('replicas') ? `--replicas ${options.replicas}` : '',
    dependsOn('events') ? '--events' : '',
    flag,
    namespace === NAMESPACE ? '' : `--namespace ${namespace}`,
    '|',
    `${programs.kubectl} apply --server-side --force-conflicts -f -`,
  ];
  return { before: address.before, command: before + all.filter((each) => each !== '').join(' ') };
}

/** A flag, and what to do before the command. */
interface Flag {
  readonly before: string;
  readonly flag: string;
}
const NO_FLAG: Flag = { before: '', flag: '' };

/** Returns the flag for where the server is and who makes its certificate, which the cluster may not show in full. */
function addressFlag({ way, issuer }: Installation, parts: readonly InstallationPart[]): Flag {
  const hasWebhooks = parts.includes('webhooks');
  if (way.kind === 'url') {
    const first = way.url === undefined ? 'with the URL of the server outside: ' : '';
    const url = shellQuoted(way.url ?? 'https://HOST:PORT');
    return hasWebhooks ? { before: first + WRITE_CA, flag: `--url ${url} --ca-file ca.crt` } : NO_FLAG;
  }
  if (issuer.kind === 'muster' || !(hasWebhooks || parts.includes('network'))) return NO_FLAG;
  const flag = `--certificates ${issuer.kind}`;
  const isOwn = issuer.kind === 'existing' && hasWebhooks;
  return isOwn ? { before: WRITE_CA, flag: `${flag} --ca-file ca.crt` } : { before: '', flag };
}

/** Returns the flag for the server's configuration, if that is known. */
function configurationFlag({ namespace, names, configFile, options, programs }: Installation): Flag {
  if (configFile !== undefined) return { before: '', flag: `--config ${shellQuoted(configFile)}` };
  if (options.configuration === undefined) return NO_FLAG;
  const text = "-o jsonpath='{.data.muster\\.yaml}' > in-cluster.yaml";
  const before = `${programs.kubectl} get configmap ${names.base}-config --namespace ${namespace} ${text} && `;
  return { before, flag: '--config in-cluster.yaml' };
}

/** Returns the command that upgrades the release with its values. A file replaces the configuration among them. */
function helmUpgrade(context: Installation): string {
  const { configFile } = context;
  if (configFile === undefined) return upgradeCommand(context);
  const values = `muster manifests --config ${shellQuoted(configFile)} --output helm-values > muster-values.yaml`;
  return `${values} && ${upgradeCommand(context)} --values muster-values.yaml`;
}

/** Returns the step that upgrades the release, without values for webhooks, or installs it again. */
function releaseStep(context: Installation, values: readonly WebhookValue[] = []): Step {
  const command = helmUpgrade(context);
  if (isLost(context)) return { before: 'with the values of the lost release (--values FILE): ', command };
  if (values.length === 0) return { command };
  const names = values.map((value) => `webhooks.${value}`);
  // They may be meant, and stay in files of the user.
  const before = `unless it is deliberate, remove ${names.join(', ')} from your values, then: `;
  return { before, command: `${command}${names.map((name) => ` --set ${name}=null`).join('')}` };
}

/** Returns how to upgrade the chart. It also sets a tag or digest among the values, which would otherwise stay. */
function releaseUpgrade(context: Installation): string {
  const pinned = context.released?.kind === 'released' ? context.released.pinned : undefined;
  const digest = pinned === 'digest' ? ' and the digest of its image' : '';
  const image = { digest: ' --set image.digest=DIGEST', tag: ` --set image.tag=${version()}` };
  const chart = `get the chart of muster ${version()}${digest}`;
  return `${chart}, then: ${helmUpgrade(context)}${pinned === undefined ? '' : image[pinned]}`;
}

function isLost({ released }: Installation): boolean {
  return released?.kind === 'lost';
}

/** Helm has no values of a lost release. Installed again, it adopts the objects that are left. */
function upgradeCommand(context: Installation): string {
  const { way, namespace, programs } = context;
  const release = way.kind === 'helm' ? way.release : '';
  const conflicts = way.kind === 'helm' && way.appliesServerSide ? ' --force-conflicts' : '';
  if (isLost(context)) {
    return `${programs.helm} install ${release} ${CHART} --namespace ${namespace} --create-namespace${conflicts}`;
  }
  return `${programs.helm} upgrade ${release} ${CHART} --namespace ${namespace} --reset-then-reuse-values${conflicts}`;
}
