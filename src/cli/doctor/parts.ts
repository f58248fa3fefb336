/** Checks the parts of the installation, the Leases and the definitions of the kinds. */
import { claimDialects, type Dialect, dialects, lockLeaseName } from '../../api/dialects.ts';
import { at, listAt, textAt } from '../../base/json.ts';
import type { InstallationPart } from '../../manifests/names.ts';
import { leaseNamespaceOf } from './deployment.ts';
import { type ExpectedResult, MAY_BE_MISSING } from './expected.ts';
import { type DoctorContext, restore } from './remedies.ts';
import { type Detail, resultsOf, type UnlinkedCheck, VERSION_CHECK } from './report.ts';
import { conditionOf, read } from './stored-objects.ts';

const MOST_DETAILS = 20;

/** Checks each part, apart from the registration and the definitions. */
export function checkParts(context: DoctorContext, comparisons: readonly ExpectedResult[]): readonly UnlinkedCheck[] {
  const others = comparisons.filter(({ part }) => part !== 'crds' && part !== 'webhooks');
  const parts = Map.groupBy(others, ({ part }) => part);
  const deletion = context.isTerminatingNamespace ? [terminatingNamespace(context)] : [];
  if (context.isTerminatingNamespace) parts.delete('namespace');
  const after = context.isTerminatingNamespace ? [NAMESPACE_CHECK, VERSION_CHECK] : [VERSION_CHECK];
  const checks = [...parts].flatMap(([part, all]) => checkPart(context, part, all, after));
  return [...checkRelease(context), ...deletion, ...checks];
}

const NAMESPACE_CHECK = 'installation/namespace';

/** Returns the cause of what is missing in a terminating namespace: the commands that restore it would fail. */
function terminatingNamespace({ namespace, programs: { kubectl } }: DoctorContext): UnlinkedCheck {
  const see = `${kubectl} get namespace ${namespace} -o yaml`;
  const fix = `wait until it is gone, then install muster again; what holds it: ${see}`;
  return resultsOf(NAMESPACE_CHECK, `Namespace ${namespace}`).fail(
    'is being deleted: nothing can be created in it',
    fix,
  );
}

/** Checks that the stored Helm release can be read: without it, its values are unknown. */
function checkRelease(context: DoctorContext): readonly UnlinkedCheck[] {
  const { way, namespace, released } = context;
  if (way.kind !== 'helm' || released === undefined) return [];
  const results = resultsOf('installation/release', `Helm release ${namespace}/${way.release}`);
  if (released.kind === 'released') return [results.ok(`has ${released.objects.length} objects`)];
  const compared = 'compared are only objects that do not depend on its values';
  if (released.kind === 'lost') {
    const message = 'is unknown to Helm: the namespace has no Secret of it, but some of its objects are left';
    return [results.fail(`${message}; ${compared}`, restore(context, 'workload'))];
  }
  return [results.unknown(`${released.reason}; ${compared}`, released.remedy)];
}

function checkPart(
  context: DoctorContext,
  part: InstallationPart,
  all: readonly ExpectedResult[],
  after: readonly string[],
): readonly UnlinkedCheck[] {
  if (part === 'leases') return all.map((one) => checkLease(context, one, after));
  const isHelm = context.way.kind === 'helm';
  if (!isHelm && MAY_BE_MISSING.includes(part) && all.every(({ result }) => result.kind === 'missing')) return [];
  const results = resultsOf(`installation/${part}`, `part "${part}" of the installation`);
  const found = all.flatMap(({ object: { kind, metadata }, result }): Detail[] => {
    if (result.kind === 'missing') return [{ message: `${kind} ${metadata.name} is missing` }];
    if (result.kind === 'unknown') return [];
    return result.differences.map(({ path, message }) => ({ path, message: `${kind} ${metadata.name}: ${message}` }));
  });
  const details = found.filter(({ path = '' }) => !CHOICES.test(path));
  const [first, ...others] = details;
  if (first !== undefined) {
    const makeCheck = details.some(({ path }) => path === undefined) ? results.fail : results.warn;
    // With Helm, the expected objects are those of the installed version.
    const more = { details, after: isHelm ? after.filter((id) => id !== VERSION_CHECK) : after };
    const message = `${first.message}${others.length > 0 ? `, and ${others.length} more` : ''}`;
    return [makeCheck(message, restore(context, part), more)];
  }
  const unknown = all.flatMap(({ result }) => (result.kind === 'unknown' ? result : []))[0];
  if (unknown) return [results.unknown(unknown.reason, unknown.remedy)];
  const choices = [...new Set(found.map(({ path }) => path?.split('.').at(-1)))].join(', ');
  const count = all.length === 1 ? 'one object' : `${all.length} objects`;
  return [results.ok(`${count} as expected${choices && `, with settings of your own: ${choices}`}`)];
}

/** Paths that operators may set in a kustomization: they keep no write from being evaluated. */
const CHOICES =
  /\.(args|env|replicas|resources|schedule|priorityClassName|tolerations|affinity|nodeSelector|topologySpread\w+)\b/;

/** Checks the Lease of a claim dialect, which holds the locks of its identity writes. */
function checkLease(
  context: DoctorContext,
  { object, result }: ExpectedResult,
  after: readonly string[],
): UnlinkedCheck {
  const { name } = object.metadata;
  const dialect = claimDialects.find((each) => lockLeaseName(each) === name);
  const results = resultsOf(`lease/${dialect?.name ?? name}`, `Lease ${context.namespace}/${name}`);
  if (result.kind === 'unknown') return results.unknown(result.reason, result.remedy);
  const refused = `writes of a ${dialect?.kind}'s identity are refused with 503`;
  const namespace = leaseNamespaceOf(context.deployment) ?? context.namespace;
  if (namespace !== context.namespace) {
    const fix = `take --namespace, or MUSTER_NAMESPACE, out of Deployment ${context.namespace}/${context.names.base}`;
    return results.fail(`is not used: the server looks for it in ${namespace}, so ${refused}`, fix);
  }
  if (result.kind === 'compared') return results.ok('exists');
  const message = `is missing: ${refused}`;
  return results.fail(message, restore(context, 'leases'), { after });
}

/** Checks the definition of each dialect: ours have to be as we publish them, those of others may be missing. */
export function checkCrds(
  context: DoctorContext,
  comparisons: readonly ExpectedResult[],
): Promise<readonly UnlinkedCheck[]> {
  return Promise.all(
    dialects.map(async (dialect) => {
      const own = comparisons.find(
        ({ part, object }) => part === 'crds' && object.metadata.name === dialect.groupResource,
      );
      return checkCrd(context, dialect, own?.result);
    }),
  );
}

async function checkCrd(
  context: DoctorContext,
  dialect: Dialect,
  own?: ExpectedResult['result'],
): Promise<UnlinkedCheck> {
  const name = dialect.groupResource;
  const results = resultsOf(`crd/${dialect.name}`, `CustomResourceDefinition ${name}`);
  const resource = { apiVersion: 'apiextensions.k8s.io/v1', plural: 'customresourcedefinitions', name };
  const crd = own ?? (await read(context.client, resource));
  if (crd.kind === 'unknown') return results.unknown(crd.reason, crd.remedy);
  if (crd.kind === 'missing') return results.ok('not installed: nothing to guard');
  const stored = crd.kind === 'compared' ? crd.stored : crd.body;
  const established = conditionOf(stored, 'Established');
  if (textAt(established, ['status']) !== 'True') {
    const why = textAt(established, ['message']) ?? 'it has no such condition yet';
    return results.fail(`is not established: ${why}`, `see why: ${context.programs.kubectl} describe crd ${name}`);
  }
  if (crd.kind === 'found') {
    // muster evaluates every version by the schema of the newest.
    const versions = listAt(stored, ['spec', 'versions']).filter((version) => at(version, ['served']) === true);
    const served = versions.map((version) => textAt(version, ['name']) ?? '');
    if (served.some((version) => dialect.versions.includes(version))) return results.ok(`serves ${served.join(', ')}`);
    const known = `none of which this muster knows (${dialect.versions.join(', ')})`;
    return results.warn(`serves ${served.join(', ') || 'nothing'}, ${known}`, 'see whether a newer muster knows it');
  }
  const details = crd.differences.filter(({ path }) => path.startsWith('spec'));
  if (details.length === 0) return results.ok('as expected');
  const message = `differs from this muster's: ${details[0]?.path}${details.length > 1 ? ' and more' : ''}`;
  // A definition that Helm has not installed can't be repaired by the chart.
  const isHelms = textAt(stored, ['metadata', 'labels', 'app.kubernetes.io/managed-by']) === 'Helm';
  const way = isHelms ? context.way : ({ kind: 'manifests' } as const);
  const isUpgraded = isHelms || context.way.kind !== 'helm';
  const more = { details: details.slice(0, MOST_DETAILS), after: isUpgraded ? [VERSION_CHECK] : [] };
  return results.fail(message, restore({ ...context, way }, 'crds'), more);
}
