/** Compares the objects of the installation with those that `muster manifests` prints, or that the Helm release has rendered. */
import { dialects, lockLeaseOf } from '../../api/dialects.ts';
import { at, listAt } from '../../base/json.ts';
import { installation, type Part } from '../../manifests/installation.ts';
import type { Manifest } from '../../manifests/manifest.ts';
import { VERSION } from './causes.ts';
import type { Difference } from './differences.ts';
import { AS_ANOTHER, compare } from './read.ts';
import { type DoctorContext, restore } from './remedies.ts';
import { type Detail, type Finding, resultsOf } from './report.ts';

/** Checks each part of the installation, apart from the registration and the definitions of kinds. */
export async function checkInstallation(context: DoctorContext): Promise<readonly Finding[]> {
  const { objects, checks } = expectedOf(context);
  const others = objects.filter(({ object: { kind } }) => !CHECKED_ELSEWHERE.test(kind));
  const compared = await Promise.all(
    others.map(async (each) => ({ ...each, result: await compare(context.client, each.object) })),
  );
  const parts = Map.groupBy(compared, ({ part }) => part);
  return [...checks, ...[...parts].flatMap(([part, all]) => checkPart(context, part, all))];
}

/** What other checks look at, or others write. */
const CHECKED_ELSEWHERE = /^(Secret|Job|CustomResourceDefinition|\w+WebhookConfiguration)$/;

interface Expected {
  readonly part: Part;
  readonly object: Manifest;
}

interface OneCompared extends Expected {
  readonly result: Awaited<ReturnType<typeof compare>>;
}

/** Parts that an operator may leave out. */
const OPTIONAL: readonly Part[] = ['certs', 'network', 'scan', 'monitoring'];
const OUTSIDE: readonly Part[] = ['namespace', 'leases', 'rbac'];
const INSIDE: readonly Part[] = ['config', 'workload', ...OPTIONAL];

/** With Helm, the values decide on most objects. Without its Secret only those are known that no value changes. */
function expectedOf(context: DoctorContext): { objects: readonly Expected[]; checks: readonly Finding[] } {
  const { way, namespace, released } = context;
  if (way.kind === 'url') return { objects: printed(context, OUTSIDE), checks: [] };
  if (way.kind === 'manifests') return { objects: printed(context, [...OUTSIDE, ...INSIDE]), checks: [] };
  const results = resultsOf('installation/release', `Helm release ${namespace}/${way.release}`);
  if (released !== undefined && !('kind' in released)) {
    const objects = released.map((object) => ({ part: partOf(object), object }));
    return { objects, checks: [results.ok(`has ${objects.length} objects`)] };
  }
  const message = `${released?.reason}; compared are only objects that do not depend on its values`;
  const check = results.unknown(message, released?.remedy ?? AS_ANOTHER);
  return { objects: printed(context, ['leases', 'rbac']), checks: [check] };
}

/** Prints parts with the settings that are in use. */
function printed(context: DoctorContext, parts: readonly Part[]): readonly Expected[] {
  const { namespace, names, image, configuration, enforcement, reads, deployment } = context;
  const body = deployment.kind === 'found' ? deployment.body : undefined;
  const replicas = at(body, ['spec', 'replicas']);
  const events = listAt(body, ['spec', 'template', 'spec', 'containers', 0, 'args']).includes('--events');
  const options = {
    ...{ namespace, name: names.base, events },
    ...(image !== undefined && { image }),
    ...(configuration !== undefined && { configuration }),
    ...(typeof replicas === 'number' && { replicas }),
    ...(enforcement && { enforcement }),
    ...(reads && { reads }),
  };
  return parts.flatMap((part) => installation(options, [part]).map((object) => ({ part, object })));
}

/** Returns the part that an object of the chart belongs to. */
function partOf({ kind, metadata }: Manifest): Part {
  const component = metadata.labels?.['app.kubernetes.io/component'];
  if (component === 'certs' || component === 'scan') return component;
  return PART_OF_KIND[kind] ?? 'workload';
}

const PART_OF_KIND: Readonly<Record<string, Part>> = {
  ...{ Namespace: 'namespace', Lease: 'leases', ConfigMap: 'config' },
  ...{ ServiceAccount: 'rbac', ClusterRole: 'rbac', ClusterRoleBinding: 'rbac', Role: 'rbac', RoleBinding: 'rbac' },
  ...{ FlowSchema: 'rbac', NetworkPolicy: 'network', ServiceMonitor: 'monitoring', PrometheusRule: 'monitoring' },
};

function checkPart(context: DoctorContext, part: Part, all: readonly OneCompared[]): readonly Finding[] {
  if (part === 'leases') return all.map((one) => checkLease(context, one));
  const isAbsent = all.every(({ result }) => result.kind === 'missing');
  if (isAbsent && OPTIONAL.includes(part) && context.way.kind !== 'helm') return [];
  const results = resultsOf(`installation/${part}`, `part "${part}" of the installation`);
  const differing = all.flatMap(({ object, result }) =>
    result.kind === 'compared' ? result.differences.map((each) => ({ ...each, ...named(object, each) })) : [],
  );
  const missing = all.flatMap(({ object, result }): Detail[] =>
    result.kind === 'missing' ? [{ message: `${nameOf(object)} is missing` }] : [],
  );
  const byReading = all.flatMap(({ result }) => (result.kind === 'compared' && result.byReading) || []);
  const withReason = (finding: Finding): readonly Finding[] => [
    { ...finding, ...(byReading.length > 0 && { byReading }) },
  ];
  const unexpected = differing.filter((each) => !isChoice(each));
  const details = [...missing, ...unexpected];
  const remedy = restore(context, part);
  // With Helm, expected is what the installed version has.
  const more = { details, after: context.way.kind === 'helm' ? [] : [VERSION] };
  if (missing.length > 0) return withReason(results.fail(summaryOf(details), remedy, more));
  if (unexpected.length > 0) return withReason(results.warn(summaryOf(details), remedy, more));
  const unknown = all.flatMap(({ result }) => (result.kind === 'unknown' ? result : []))[0];
  if (unknown) return withReason(results.unknown(unknown.reason, unknown.remedy));
  const chosen = differing.map(({ path }) => path.split('.').at(-1));
  const choices = chosen.length === 0 ? '' : `, with settings of your own: ${[...new Set(chosen)].join(', ')}`;
  return withReason(results.ok(`${all.length === 1 ? 'one object' : `${all.length} objects`} as expected${choices}`));
}

function summaryOf(details: readonly Detail[]): string {
  const [first, ...others] = details;
  return `${first?.message}${others.length > 0 ? `, and ${others.length} more` : ''}`;
}

function named(object: Manifest, { message, path }: Difference) {
  return { message: `${nameOf(object)}: ${message}`, path };
}

function nameOf({ kind, metadata }: Manifest): string {
  return `${kind} ${metadata.name}`;
}

/** What an operator sets in a kustomization: it keeps no write from being evaluated. */
function isChoice({ path }: Difference): boolean {
  return /\.(args|env|replicas|resources|tolerations|affinity|nodeSelector|topologySpreadConstraints|priorityClassName|schedule)\b/.test(
    path,
  );
}

/** A Lease of a claim dialect holds the locks of its identity writes. */
function checkLease(context: DoctorContext, { object, result }: OneCompared): Finding {
  const { name } = object.metadata;
  const dialect = dialects.find((each) => each.claim !== undefined && lockLeaseOf(each) === name);
  const results = resultsOf(`lease/${dialect?.name ?? name}`, `Lease ${context.namespace}/${name}`);
  if (result.kind === 'unknown') return results.unknown(result.reason, result.remedy);
  if (result.kind === 'compared') return results.ok('there');
  const message = `is missing: writes of a ${dialect?.kind}'s identity are refused with 503`;
  return results.fail(message, restore(context, 'leases'), { after: [VERSION] });
}
