/** Checks the API server itself, whether muster is installed, and in which version. */
import { type JsonObject, textAt } from '../../base/json.ts';
import type { ApiClient } from '../../cluster/live/client.ts';
import { ANONYMOUS, onlyClusterErrors } from '../../cluster/live/errors.ts';
import { NAMESPACE, REGISTRATION_KINDS, WEBHOOKS } from '../../manifests/names.ts';
import { pageUrl } from '../../rules/documentation.ts';
import { version } from '../shared.ts';
import { imageOf } from './deployment.ts';
import { type ExpectedResult, installedParts } from './expected.ts';
import type { Installed } from './installed.ts';
import type { Programs } from './programs.ts';
import { type DoctorContext, upgrade } from './remedies.ts';
import { resultsOf, type UnlinkedCheck } from './report.ts';
import { bodyOf, type ReadResult } from './stored-objects.ts';

/** The first minor version in which matchConditions and ValidatingAdmissionPolicies are generally available. */
const OLDEST_MINOR = 30;

/** Calls the API server once. Unless it is reachable, nothing else can be checked. */
export async function checkCluster(
  client: ApiClient,
  { kubectl }: Programs,
): Promise<{ checks: readonly UnlinkedCheck[]; isReachable: boolean }> {
  const results = resultsOf('cluster/reachable', `API server ${client.server}`);
  try {
    const { body } = await client.call({ method: 'GET', path: '/version' });
    return { isReachable: true, checks: [results.ok('answers'), checkVersion(body)] };
  } catch (error) {
    const { code, message } = onlyClusterErrors(error);
    // Some clusters do not show even the version to everyone.
    if (code === 'forbidden' || code === 'not-found')
      return { isReachable: true, checks: [results.ok('answers, without its version')] };
    const logIn = 'log in again: the API server does not accept the credentials of the kubeconfig';
    const flags = 'that --kubeconfig and --context name the right one';
    const check = `check that the API server runs, and ${flags}: ${kubectl} version`;
    return { isReachable: false, checks: [results.fail(message, code === 'unauthorized' ? logIn : check)] };
  }
}

function checkVersion(body: JsonObject): UnlinkedCheck {
  const results = resultsOf('cluster/version', 'Kubernetes version');
  const found = textAt(body, ['gitVersion']) ?? 'unknown';
  const remedy = `make sure that it is 1.${OLDEST_MINOR} or newer`;
  // Some providers write "30+".
  const [major = Number.NaN, minor = Number.NaN] = ['major', 'minor'].map((part) =>
    Number.parseInt(textAt(body, [part]) ?? '', 10),
  );
  if (!major || Number.isNaN(minor)) return results.warn(`the API server names its version ${found}`, remedy);
  if (major > 1 || minor >= OLDEST_MINOR) return results.ok(found);
  return results.fail(`${found} is older than 1.${OLDEST_MINOR}: it may drop matchConditions`, remedy);
}

/** Returns a failed check if nothing of muster is installed, or in another namespace; else undefined. */
export function checkInstalled({
  isThere,
  namespace,
  service,
  registration,
  programs,
}: Installed): UnlinkedCheck | undefined {
  const results = resultsOf('cluster/installed', 'muster in this cluster');
  if (registration.some((each) => each.kind === 'unknown' && each.reason === ANONYMOUS.reason))
    return results.unknown(ANONYMOUS.reason, ANONYMOUS.remedy);
  if (service.namespace !== namespace) {
    const message = `is not in ${namespace} (--namespace): the webhooks call the Service ${service.name}`;
    return results.fail(`${message} in ${service.namespace}`, `name --namespace ${service.namespace}, or leave it out`);
  }
  if (isThere) return undefined;
  const objects = `no webhook configuration ${WEBHOOKS}, and no Deployment, Service or Lease in ${namespace}`;
  const inNamespace = namespace === NAMESPACE ? '' : ` --namespace ${namespace}`;
  const install = `muster manifests --image REGISTRY/kube-muster:TAG${inNamespace} | ${programs.kubectl} apply -f -`;
  const remedy = `${install}; first rollout: ${pageUrl('tutorials/first-rollout')}`;
  return results.fail(`is not installed: ${objects} (--namespace)`, remedy);
}

/** Compares the installed version with that of this command. If no object names a version, there is no check. */
export function checkInstalledVersion(
  context: DoctorContext,
  comparisons: readonly ExpectedResult[],
): readonly UnlinkedCheck[] {
  const { registration, deployment, names } = context;
  const objects = [
    ...registration.map((stored, index) => ({ kind: REGISTRATION_KINDS[index], stored })),
    { kind: 'Deployment', stored: deployment },
  ];
  const named = objects.flatMap(({ kind, stored }) => {
    const found = versionOf(stored);
    if (found === undefined) return [];
    // Ordered by number, so that 0.10.0 follows 0.9.0.
    const order = found.localeCompare(numbersOf(version()) ?? '', 'en', { numeric: true });
    return [{ found, order, text: `${kind} ${names.base}: ${found}` }];
  });
  if (named.length === 0) return [];
  const results = resultsOf('installation/version', 'version of muster in this cluster');
  const list = (some: typeof named) => some.map(({ text }) => text).join(', ');
  const older = named.filter(({ order }) => order < 0);
  if (older.length > 0) {
    const remedy = upgrade(context, installedParts(context, comparisons));
    return [results.warn(`older than this muster, ${version()}: ${list(older)}`, remedy)];
  }
  const newer = named.filter(({ order }) => order > 0);
  if (newer.length === 0) return [results.ok(version())];
  const message = `newer than this muster, ${version()}, which does not know what it needs: ${list(newer)}`;
  return [results.warn(message, `run doctor of muster ${newer[0]?.found}`)];
}

/** Returns the version of an object: the tag of its image if that is a version, else the label of the chart. */
function versionOf(stored: ReadResult): string | undefined {
  const [, tag] = /:v?(\d+\.\d+\.\d+)$/.exec(imageOf(stored) ?? '') ?? [];
  return tag ?? numbersOf(textAt(bodyOf(stored), ['metadata', 'labels', 'app.kubernetes.io/version']) ?? '');
}

/** Returns the three numbers of a version, without a suffix. */
function numbersOf(text: string): string | undefined {
  return /^\d+\.\d+\.\d+/.exec(text)?.[0];
}
