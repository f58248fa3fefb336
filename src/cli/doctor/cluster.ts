/** Checks the API server itself: whether it answers, and its version. */

import { type JsonObject, textAt } from '../../base/json.ts';
import type { ApiClient } from '../../cluster/live/client.ts';
import { onlyClusterErrors } from '../../cluster/live/errors.ts';
import { NAMESPACE, WEBHOOKS } from '../../manifests/names.ts';
import { pageUrl } from '../../rules/documentation.ts';
import { read } from './read.ts';
import type { Side } from './registration.ts';
import { type Check, resultsOf } from './report.ts';

/** The first with matchConditions and ValidatingAdmissionPolicies for everyone. */
const OLDEST_MINOR = 30;

/** Calls the API server once. Unless it is reachable, nothing else can be checked. */
export async function checkCluster(client: ApiClient): Promise<{ checks: readonly Check[]; isReachable: boolean }> {
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

/** Returns a failed check if nothing of muster is installed, neither a registration nor a namespace; else undefined. */
export async function checkInstalled(
  client: ApiClient,
  registration: readonly Side[],
  namespace: string,
): Promise<Check | undefined> {
  if (registration.some(({ stored }) => stored.kind !== 'missing')) return undefined;
  const found = await read(client, { apiVersion: 'v1', plural: 'namespaces', name: namespace });
  if (found.kind !== 'missing') return undefined;
  const inNamespace = namespace === NAMESPACE ? '' : ` --namespace ${namespace}`;
  return resultsOf('cluster/installed', 'muster in this cluster').fail(
    `nothing of it is installed: no webhook configuration ${WEBHOOKS}, no namespace ${namespace}`,
    `muster manifests --image REGISTRY/kube-muster:TAG${inNamespace} | kubectl apply -f -; first rollout: ${FIRST_ROLLOUT}`,
  );
}

const FIRST_ROLLOUT = pageUrl('tutorials/first-rollout');

function checkVersion(body: JsonObject): Check {
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
