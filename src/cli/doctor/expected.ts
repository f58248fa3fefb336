/** Compares stored objects with those that `muster manifests` prints, or that a Helm release has rendered. */
import { asObject, at, type Json, type JsonObject, listAt, textAt } from '../../base/json.ts';
import type { Policy } from '../../engine/index.ts';
import { type InstallationOptions, partOf } from '../../manifests/installation.ts';
import type { Manifest } from '../../manifests/manifest.ts';
import {
  ALL_PARTS,
  INJECT_CA,
  type InstallationPart,
  NAMESPACE_LABEL,
  PARTS,
  PARTS_BY_URL,
} from '../../manifests/names.ts';
import { type Enforcement, requiredEnforcement, requiredReads } from '../../manifests/requirements.ts';
import { VALIDATING_WEBHOOKS } from '../../manifests/webhooks.ts';
import { settingsOf } from './deployment.ts';
import { type Installed, RELEASE, webhooksIn, webhooksOf } from './installed.ts';
import type { Expected } from './release.ts';
import type { DoctorContext } from './remedies.ts';
import { resultsOf, type UnlinkedCheck } from './report.ts';
import { type ComparisonResult, compare } from './stored-objects.ts';

/** An expected object beside the stored one. */
export interface ExpectedResult extends Expected {
  readonly result: ComparisonResult;
}

/** Parts that an operator may leave out: if all of one is missing, there is no check. */
export const MAY_BE_MISSING: readonly InstallationPart[] = ['certs', 'network', 'scan', 'scan-services', 'monitoring'];

/**
 * The parts to compare for each way of installing. With Helm they stand in for a release that can't be read: the parts
 * that no value of the chart changes.
 */
const COMPARED_PARTS: Readonly<Record<DoctorContext['way']['kind'], readonly InstallationPart[]>> = {
  url: ['namespace', 'leases', 'rbac'],
  helm: ['leases', 'rbac'],
  manifests: ['namespace', 'leases', 'rbac', 'config', 'workload', ...MAY_BE_MISSING],
};

/** Compares each object, apart from Secrets, which are never sent, and Jobs, which come and go. */
export function compareObjects(context: DoctorContext): Promise<readonly ExpectedResult[]> {
  const { client, way, released } = context;
  const rendered = released?.kind === 'released' ? released.objects : [];
  const expected = [
    ...objectsOf(context, ['crds']),
    ...registration(context, rendered),
    ...(rendered.length > 0 ? rendered : objectsOf(context, COMPARED_PARTS[way.kind])).filter(isCompared),
  ];
  return Promise.all(expected.map(async (each) => ({ ...each, result: await compare(client, each.object) })));
}

/**
 * Returns the parts that an upgrade replaces: those that every installation has, and the others that are there. One of
 * the usual parts that can't be read counts as there.
 */
export function installedParts(
  { way, issuer }: DoctorContext,
  comparisons: readonly ExpectedResult[],
): readonly InstallationPart[] {
  const usual: readonly InstallationPart[] = way.kind === 'url' ? PARTS_BY_URL : PARTS;
  const isThere = ({ part, result: { kind } }: ExpectedResult) =>
    kind === 'compared' || (kind === 'unknown' && usual.includes(part));
  const found = comparisons.filter(isThere).map(({ part }) => part);
  return ALL_PARTS.filter((part) => {
    // The Certificates of cert-manager stay as they are: their issuer may be another one.
    if (part === 'certs' && issuer.kind !== 'muster') return false;
    return found.includes(part) || (usual.includes(part) && !MAY_BE_MISSING.includes(part));
  });
}

/** Reports the objects that were compared by reading alone, and why their dry runs were refused. */
export function checkComparison(comparisons: readonly ExpectedResult[]): UnlinkedCheck {
  const results = resultsOf('cluster/comparison', 'how objects are compared');
  const reasons = comparisons.flatMap(({ result }) => (result.kind === 'compared' && result.byReading) || []);
  const unknown = comparisons.flatMap(({ result }) => (result.kind === 'unknown' ? result : []))[0];
  if (unknown && !comparisons.some(({ result }) => result.kind === 'compared')) {
    return results.unknown(`nothing was compared: ${unknown.reason}`, unknown.remedy);
  }
  if (reasons.length === 0) return results.ok('by dry runs');
  const details = [...new Set(reasons.map(({ reason }) => reason))].map((message) => ({ message }));
  const remedy = [...new Set(reasons.map((each) => each.remedy))].join('; ');
  return results.warn(`${reasons.length} by reading alone, without a dry run`, remedy, { details });
}

/**
 * Returns the options with which `muster manifests` prints this installation.
 * @param policy the server's configuration, if it is known, and `text`, its text in the cluster
 */
export function optionsOf(
  { namespace, names, service, way, issuer, deployment }: Installed,
  { policy, text }: { readonly policy?: Policy | undefined; readonly text?: string | undefined } = {},
): InstallationOptions {
  return {
    namespace,
    name: names.base,
    ...settingsOf(deployment),
    configuration: text,
    enforcement: policy && requiredEnforcement(policy),
    reads: policy && requiredReads(policy),
    certificates: issuer.kind,
    url: way.kind === 'url' ? (way.url ?? 'https://unknown') : undefined,
    service,
  };
}

/** Returns the objects of parts, as `muster manifests` prints them with the settings that are in use. */
function objectsOf({ options }: DoctorContext, parts: readonly InstallationPart[]): readonly Expected[] {
  const { certificates } = options;
  return parts.flatMap((part) => {
    // cert-manager's objects may have another issuer. Without its CronJob, the part of the job may be there in part.
    if (part === 'certs' && certificates === 'cert-manager') return [];
    const all = partOf(part, part === 'certs' ? { ...options, certificates: 'muster' } : options);
    return all.map((object) => ({ part, object }));
  });
}

/** Definitions and registration are compared with those of this muster, not with those of the release. */
function isCompared({ object: { kind } }: Expected): boolean {
  return !/^(Secret|Job|CustomResourceDefinition|\w+WebhookConfiguration)$/.test(kind);
}

/**
 * Returns the expected registration. Its webhooks call the service or URL that most stored webhooks call, and have
 * besides their own selectors those of a Helm release's values, as in the chart.
 */
function registration(context: DoctorContext, rendered: readonly Expected[]): readonly Expected[] {
  const { options, issuer } = context;
  const enforcement = options.enforcement ?? registeredEnforcement(webhooksOf(context.registration));
  const released = rendered.flatMap(({ object }) => webhooksIn(object as unknown as JsonObject));
  // The webhook for claims has no selector of its own.
  const ofValues = released.find((each) => each['name'] === 'claims.validate.muster') ?? {};
  const injected = issuer.kind === 'cert-manager' && { [INJECT_CA]: issuer.certificate };
  return partOf('webhooks', { ...options, enforcement }).map((configuration) => {
    const webhooks = webhooksIn(configuration as unknown as JsonObject).map((webhook) => ({
      ...webhook,
      namespaceSelector: narrowed(webhook['namespaceSelector'], ofValues['namespaceSelector']),
      objectSelector: narrowed(webhook['objectSelector'], ofValues['objectSelector']),
    }));
    const owned = ownedBy(context, configuration);
    const metadata = { ...configuration.metadata, ...owned, annotations: { ...owned.annotations, ...injected } };
    return { part: 'webhooks', object: { ...configuration, metadata, webhooks } };
  });
}

/** Returns a selector of the registration, which has expressions only, with those of the release's values. */
function narrowed(own: Json | undefined, more: Json | undefined): JsonObject {
  const matchLabels = asObject(at(more, ['matchLabels']));
  const matchExpressions = [own, more].flatMap((each) => listAt(each, ['matchExpressions']));
  return { ...(matchLabels && { matchLabels }), ...(matchExpressions.length > 0 && { matchExpressions }) };
}

/** Returns the metadata by which Helm recognizes its objects. Without it, an uninstall would leave them. */
function ownedBy({ way, namespace }: DoctorContext, { metadata }: Manifest): Partial<Manifest['metadata']> {
  if (way.kind !== 'helm') return {};
  const labels = { ...metadata.labels, 'app.kubernetes.io/managed-by': 'Helm' };
  return { labels, annotations: { [RELEASE]: way.release, 'meta.helm.sh/release-namespace': namespace } };
}

/**
 * Returns the enforcement that fits the registration: if the configuration is unknown, each choice counts as intended.
 */
function registeredEnforcement(webhooks: readonly JsonObject[]): Enforcement {
  const find = (of: string) => webhooks.find(({ name }) => name === `${of}.validate.muster`);
  const actions = VALIDATING_WEBHOOKS.flatMap(({ name, serves }) => {
    const registered = find(name);
    if (registered === undefined || serves === undefined) return [];
    return [[name, registered['failurePolicy'] === 'Fail' ? 'deny' : 'warn'] as const];
  });
  const conditions = listAt(find('inventory'), ['matchConditions']).map((each) => textAt(each, ['name']));
  const ofExports = listAt(find('service-exports'), ['namespaceSelector', 'matchExpressions']);
  const closed = ofExports.filter(
    (each) => textAt(each, ['key']) === NAMESPACE_LABEL && textAt(each, ['operator']) === 'In',
  );
  return {
    webhooks: Object.fromEntries(actions),
    profileLabel: !conditions.includes('does-more-than-lose-the-label'),
    closedNamespaces: closed.flatMap((each) => listAt(each, ['values']).map(String)),
  };
}
