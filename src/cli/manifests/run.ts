/** Assembles what `muster manifests` prints. */

import { safeText } from '../../base/text.ts';
import { UsageError } from '../../base/usage-error.ts';
import { FOREIGN_LEASE_NAMESPACES } from '../../config/checks.ts';
import type { LoadedConfiguration } from '../../config/load.ts';
import { chartValues } from '../../manifests/chart-values.ts';
import { hubObjects, hubText } from '../../manifests/hub.ts';
import { type InstallationOptions, partOf } from '../../manifests/installation.ts';
import { type Manifest, toYaml } from '../../manifests/manifest.ts';
import {
  ALL_PARTS,
  HUB_NAMESPACE,
  type InstallationPart,
  PARTS,
  PARTS_BY_URL,
  PARTS_WITH_IMAGE,
  REPLICAS,
} from '../../manifests/names.ts';
import { policies } from '../../manifests/policies.ts';
import type { FailurePolicy } from '../../manifests/registration.ts';
import { requiredEnforcement, requiredReads } from '../../manifests/requirements.ts';
import { loadSettings, version } from '../shared.ts';
import { type AddressFlags, serverAddress } from './server-address.ts';

/** The flags, from the command line or the environment. */
export interface ManifestsFlags extends AddressFlags {
  readonly only?: readonly string[];
  readonly failurePolicy?: FailurePolicy;
  readonly namespace: string;
  /** With `registrar`, the namespace of the hub: that of `namespace`, unless it is only the default. */
  readonly hubNamespace?: string | undefined;
  readonly image?: string;
  readonly replicas: number;
  readonly config?: string;
  readonly events?: boolean;
  readonly policies?: boolean;
  readonly registrar?: boolean;
  readonly output: 'yaml' | 'json' | 'helm-values';
}

/**
 * Returns the objects that the flags ask for, in the order to apply them: a stream of YAML documents, or a List as
 * JSON; or the values of the Helm chart that renders them.
 * @throws {UsageError} naming the flag and what it takes; `ConfigError` for a bad `--config`
 */
export async function manifestsText(flags: ManifestsFlags): Promise<string> {
  if (flags.registrar) return hubManifests(flags);
  if (flags.output === 'helm-values') return toYaml(await helmValues(flags));
  if (flags.policies) return textOf(policies((await loadSettings(flags.config))?.policy), flags.output);
  const parts = partsOf(flags);
  const options = await optionsOf(flags, await loadSettings(flags.config));
  const objects = parts.flatMap((part) => partOf(part, options));
  return textOf(objects, flags.output);
}

/** Returns the values for the flags, without the namespace, for which Helm has its own flag. */
async function helmValues(flags: ManifestsFlags) {
  const settings = await loadSettings(flags.config);
  const options = await optionsOf(flags, settings);
  // Only what is set: other files of values may have the rest.
  const replicas = flags.replicas === REPLICAS ? undefined : flags.replicas;
  return chartValues({ ...options, configuration: settings?.value, replicas, image: flags.image });
}

/** Returns what the hub needs, for the namespace that the configuration names, or `--namespace`. */
async function hubManifests({ output, config, hubNamespace: named }: ManifestsFlags): Promise<string> {
  if (output === 'helm-values')
    throw new UsageError('-o helm-values does not go with --registrar: the hub needs no server; leave it out');
  const policy = (await loadSettings(config))?.policy;
  const configured = policy?.settings.registrar?.namespace;
  if (policy && configured === undefined) {
    throw new UsageError(`--registrar: ${config} has no registrar; add one, or leave --config out`);
  }
  const namespace = configured ?? named ?? HUB_NAMESPACE;
  if (named !== undefined && named !== namespace) {
    const problem = `--namespace ${named} is not the namespace of the registrar in ${config}, ${namespace}`;
    throw new UsageError(`--registrar: ${problem}; change one of them, or leave --namespace out`);
  }
  if (FOREIGN_LEASE_NAMESPACES.includes(namespace)) {
    const reason = `the members could change the Leases of others in ${namespace}`;
    throw new UsageError(`--registrar: ${reason}; name a namespace of its own, such as ${HUB_NAMESPACE}`);
  }
  return output === 'yaml' ? hubText(namespace) : textOf(hubObjects(namespace), output);
}

const IMAGE = `kube-muster:${version()}`;

/** Returns warnings of the placeholder of an image, which no registry has, and of a namespace that others use. */
export function warningsOf(flags: ManifestsFlags): readonly string[] {
  if (flags.policies || flags.registrar || flags.output === 'helm-values') return [];
  const parts = partsOf(flags);
  const noImage =
    `the pods name the image ${IMAGE}, which no public registry holds; before you apply them, build and push one ` +
    `and give it with --image REGISTRY/${IMAGE}`;
  const shared =
    'objects in the namespace of muster are not guarded, and its Pod Security labels refuse the pods of others; ' +
    'name one of its own with --namespace, not default';
  return [
    ...(flags.image === undefined && parts.some((part) => PARTS_WITH_IMAGE.includes(part)) ? [noImage] : []),
    ...(flags.namespace === 'default' && parts.includes('namespace') ? [shared] : []),
  ];
}

function textOf(objects: readonly Manifest[], output: ManifestsFlags['output']): string {
  if (output === 'json') return `${JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }, undefined, 2)}\n`;
  return objects.map((object) => `---\n${toYaml(object)}`).join('');
}

async function optionsOf(
  flags: ManifestsFlags,
  settings: LoadedConfiguration | undefined,
): Promise<InstallationOptions> {
  const { namespace, replicas, certificates, failurePolicy, events, image = IMAGE } = flags;
  // The pods of a webhook can't wait for their own webhook.
  if (namespace === 'kube-system')
    throw new UsageError('--namespace: muster takes a namespace of its own, not kube-system');
  if (!/^[\w][\w.\-/:@]{0,511}$/.test(image))
    throw new UsageError(`--image: "${safeText(image, 60)}" is not the name of an image`);
  const address = await serverAddress(flags);
  return {
    namespace,
    replicas,
    image,
    version: version(),
    certificates,
    failurePolicy,
    events,
    configuration: settings?.text,
    enforcement: settings && requiredEnforcement(settings.policy),
    reads: settings && requiredReads(settings.policy),
    ...address,
  };
}

function partsOf({ only, url, certificates }: ManifestsFlags): readonly InstallationPart[] {
  if (only === undefined) return url === undefined ? PARTS : PARTS_BY_URL;
  const inCluster = certificates === 'existing' ? ALL_PARTS.filter((part) => part !== 'certs') : ALL_PARTS;
  const there: readonly InstallationPart[] = url === undefined ? inCluster : [...PARTS_BY_URL, 'crds'];
  const wanted = only.flatMap((text) => text.split(',')).flatMap((text) => text.trim() || []);
  const unknown = wanted.find((name) => !there.some((part) => part === name));
  if (unknown !== undefined) {
    const other = certificates === 'existing' ? 'with --certificates existing ' : '';
    const problem = `${url === undefined ? other : 'with --url '}there is no part "${safeText(unknown, 60)}"`;
    throw new UsageError(`--only: ${problem}; the parts are ${there.join(', ')}`);
  }
  if (wanted.length === 0) throw new UsageError(`--only is empty; name some of ${there.join(', ')}`);
  return there.filter((part) => wanted.includes(part));
}
