/** Checks the API server itself, whether muster is installed, and in which version. */

import { type JsonObject, textAt } from '../../base/json.ts';
import type { ApiClient } from '../../cluster/live/client.ts';
import { onlyClusterErrors } from '../../cluster/live/errors.ts';
import { NAMESPACE, WEBHOOKS } from '../../manifests/names.ts';
import { pageUrl } from '../../rules/documentation.ts';
import { version } from '../shared.ts';
import { type Installed, imageOf } from './installed.ts';
import type { ReadResult } from './read.ts';
import { type DoctorContext, upgrade } from './remedies.ts';
import { type Finding, resultsOf } from './report.ts';

/** The first with matchConditions and ValidatingAdmissionPolicies for everyone. */
const OLDEST_MINOR = 30;

/** Calls the API server once. Unless it is reachable, nothing else can be checked. */
export async function checkCluster(client: ApiClient): Promise<{ checks: readonly Finding[]; isReachable: boolean }> {
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
    const check =
      'check that the API server runs, and that --kubeconfig and --context name the right one: kubectl version';
    return { isReachable: false, checks: [results.fail(message, code === 'unauthorized' ? logIn : check)] };
  }
}

/** Returns a failed check if nothing of muster is installed; else undefined. */
export function checkInstalled({ isThere, namespace }: Installed): Finding | undefined {
  if (isThere) return undefined;
  const inNamespace = namespace === NAMESPACE ? '' : ` --namespace ${namespace}`;
  const objects =
    `no webhook configuration ${WEBHOOKS}, and no Deployment, Service or Lease in ` + `${namespace} (--namespace)`;
  const install = `muster manifests --image REGISTRY/kube-muster:TAG${inNamespace} | kubectl apply -f -`;
  const results = resultsOf('cluster/installed', 'muster in this cluster');
  return results.fail(`nothing of it is installed: ${objects}`, `${install}; first rollout: ${FIRST_ROLLOUT}`);
}

/** Compares the version that is installed with that of this command. Where no object names one, there is no check. */
export function checkInstalledVersion(context: DoctorContext): readonly Finding[] {
  const { sides, deployment, names } = context;
  const named = [
    ...sides.map(({ kind, stored }) => ({ what: `${kind} ${names.base}`, version: versionOf(stored) })),
    { what: `Deployment ${names.base}`, version: versionOf(deployment) },
  ].filter((each) => each.version !== undefined);
  if (named.length === 0) return [];
  const results = resultsOf('installation/version', 'version of muster in this cluster');
  const list = (found: typeof named) => [...new Set(found.map((each) => `${each.what}: ${each.version}`))].join(', ');
  const older = named.filter((each) => compareVersions(each.version, version()) < 0);
  if (older.length > 0) {
    return [results.warn(`older than this muster, ${version()}: ${list(older)}`, upgrade(context))];
  }
  const newer = named.filter((each) => compareVersions(each.version, version()) > 0);
  if (newer.length === 0) return [results.ok(version())];
  const message = `newer than this muster, ${version()}, which does not know what it needs: ${list(newer)}`;
  return [results.warn(message, `run doctor of muster ${newer[0]?.version}`)];
}

/** The label of the chart; the tag of an image says more, if it is a version. */
function versionOf(stored: ReadResult): string | undefined {
  if (stored.kind !== 'found') return undefined;
  const [, tag] = /:v?(\d+\.\d+\.\d+)$/.exec(imageOf(stored.body) ?? '') ?? [];
  const label = textAt(stored.body, ['metadata', 'labels', 'app.kubernetes.io/version']) ?? '';
  return tag ?? /^\d+\.\d+\.\d+/.exec(label)?.[0];
}

/** Compares the three numbers; what follows them does not count. */
function compareVersions(a = '', b = ''): number {
  const [first, second] = [a, b].map((text) => (/^\d+\.\d+\.\d+/.exec(text)?.[0] ?? '').split('.').map(Number));
  const differing = first?.findIndex((number, index) => number !== second?.[index]) ?? -1;
  return differing < 0 ? 0 : (first?.[differing] ?? 0) - (second?.[differing] ?? 0);
}

const FIRST_ROLLOUT = pageUrl('tutorials/first-rollout');

function checkVersion(body: JsonObject): Finding {
  const results = resultsOf('cluster/version', 'Kubernetes version');
  const version = textAt(body, ['gitVersion']) ?? 'unknown';
  const upgrade = `make sure that it is 1.${OLDEST_MINOR} or newer`;
  // Some providers write "30+".
  const [major, minor] = ['major', 'minor'].map((part) => Number.parseInt(textAt(body, [part]) ?? '', 10));
  if (!major || minor === undefined || Number.isNaN(minor))
    return results.warn(`the API server names its version ${version}`, upgrade);
  if (major > 1 || minor >= OLDEST_MINOR) return results.ok(version);
  return results.fail(`${version} is older than 1.${OLDEST_MINOR}: it may drop matchConditions`, upgrade);
}
