/** Checks the hub of the registrar with the server's credentials: connection, rights, clock. Nothing is written. */
import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { textAt } from '../../base/json.ts';
import { shellQuoted } from '../../base/text.ts';
import { leasesPath } from '../../cluster/live/api-paths.ts';
import type { ApiClient, ApiResponse } from '../../cluster/live/client.ts';
import { ClusterError, lacksRight, onlyClusterErrors } from '../../cluster/live/errors.ts';
import type { RegistrarSettings } from '../../rules/rule.ts';
import { type HubAccess, readHubFile, readHubText } from '../hub.ts';
import { mountedSecret } from './deployment.ts';
import { heldRights, type Right } from './permissions.ts';
import type { DoctorContext } from './remedies.ts';
import { type PossibleResults, resultsOf, type UnlinkedCheck } from './report.ts';
import { bodyOf, read, type UnknownObject } from './stored-objects.ts';

const VERBS = ['get', 'list', 'create', 'update', 'delete'] as const;
/** Rights that a member must not have at the hub. */
const EXCESS: readonly Right[] = [
  { verb: 'get', apiVersion: 'v1', plural: 'secrets' },
  { verb: 'create', apiVersion: 'v1', plural: 'pods' },
  { verb: 'create', apiVersion: 'rbac.authorization.k8s.io/v1', plural: 'rolebindings' },
];
const LEASES = { apiVersion: 'coordination.k8s.io/v1', plural: 'leases' };
/** The most milliseconds between the clocks of a member and of the hub, which stands for a clock that is right. */
const MOST_SKEW_MS = 30_000;
const CALL_MS = 5000;

/** Access to the hub, and how to call it by hand. */
interface Found extends HubAccess {
  /** `kubectl` with the kubeconfig that was used, which a Secret may have alone. */
  readonly kubectl: string;
}

/** Checks the hub. If the server's configuration has no registrar, there are no checks. */
export async function checkRegistrar(context: DoctorContext): Promise<readonly UnlinkedCheck[]> {
  const settings = context.options.reads?.registrar;
  if (settings === undefined) return [];
  const { namespace } = settings;
  const reachable = resultsOf('registrar/reachable', `the hub of the registrar, namespace ${namespace}`);
  try {
    const access = await hubOf(context, settings);
    if ('kind' in access) return [reachable.unknown(access.reason, access.remedy)];
    const { client } = access;
    try {
      return await checkHub(access, context, settings, reachable);
    } finally {
      client.close();
    }
  } catch (error) {
    return [reachable.fail(onlyClusterErrors(error).message, renewal(context, settings))];
  }
}

/** Finds the kubeconfig: beside the file of `--config`, else in the Secret that the server mounts. */
async function hubOf(context: DoctorContext, settings: RegistrarSettings): Promise<Found | UnknownObject> {
  const { client, namespace, configFile } = context;
  const { kubeconfig } = settings;
  const file = isAbsolute(kubeconfig) ? kubeconfig : join(dirname(configFile ?? ''), kubeconfig);
  if (configFile !== undefined && existsSync(file)) {
    const access = await readHubFile(settings, resolve(file));
    return { ...access, kubectl: `kubectl --kubeconfig ${shellQuoted(file)}` };
  }
  const mounted = mountedSecret(context.deployment, kubeconfig);
  if (mounted === undefined) {
    const reason = `unknown: ${kubeconfig} is a file of the server, and no Secret that it mounts has it`;
    return { kind: 'unknown', reason, remedy: 'run doctor with --config FILE where the server runs' };
  }
  const { name, key } = mounted;
  const secret = await read(client, { apiVersion: 'v1', plural: 'secrets', namespace, name });
  if (secret.kind === 'unknown') return secret;
  const where = `Secret ${namespace}/${name}`;
  const encoded = textAt(bodyOf(secret), ['data', key]);
  if (encoded !== undefined) {
    const access = await readHubText(settings, where, Buffer.from(encoded, 'base64').toString('utf8'));
    return { ...access, kubectl: kubectlOf(context, name, key) };
  }
  throw new ClusterError('no-access', `${where} ${secret.kind === 'missing' ? 'is missing' : `has no ${key}`}`);
}

/** Returns the commands that write the kubeconfig of a Secret to a file and call the hub with it. */
function kubectlOf({ namespace, programs }: DoctorContext, name: string, key: string): string {
  const file = shellQuoted(`in-cluster-${key}`);
  const template = shellQuoted(`go-template={{index .data ${JSON.stringify(key)} | base64decode}}`);
  const get = `${programs.kubectl} -n ${namespace} get secret ${shellQuoted(name)} -o ${template}`;
  return `${get} > ${file} && kubectl --kubeconfig ${file}`;
}

async function checkHub(
  { client, kubectl }: Found,
  context: DoctorContext,
  settings: RegistrarSettings,
  reachable: PossibleResults,
): Promise<readonly UnlinkedCheck[]> {
  const { namespace } = settings;
  const rights = resultsOf('registrar/rights', `rights at the hub, namespace ${namespace}`);
  const grant = `muster manifests --registrar --namespace ${namespace} | kubectl --context HUB apply -f -`;
  try {
    const limits = { timeoutMs: CALL_MS };
    const wanted = VERBS.map((verb) => ({ verb, ...LEASES, namespace }));
    const unneeded = [
      ...EXCESS.map((right) => ({ ...right, namespace })),
      { verb: 'update', ...LEASES, namespace: 'kube-system' },
    ];
    const [held, excess] = await Promise.all([
      heldRights(client, wanted, limits),
      heldRights(client, unneeded, limits),
    ]);
    const found = [reachable.ok(`${client.server} answers`), await checkClock(client, context)];
    const missing = wanted.flatMap((right) => (held.includes(right) ? [] : right.verb));
    if (missing.length > 0) return [...found, rights.fail(`may not ${missing.join(', ')} leases`, grant)];
    await client.call({ ...dryRun(namespace), timeoutMs: CALL_MS }).catch(ignoreConflict);
    const more = 'has more rights than those to the Leases of the namespace: remove the bindings of this account';
    if (excess.length > 0) {
      const list = `${kubectl} auth can-i --list --namespace ${namespace}`;
      return [...found, rights.warn(more, `see them: ${list}`)];
    }
    return [...found, rights.ok('the Leases of the namespace, and nothing else that was looked for')];
  } catch (error) {
    const failure = onlyClusterErrors(error);
    const { code, message } = failure;
    if (code === 'unauthorized')
      return [reachable.fail('the hub does not know the credentials', renewal(context, settings))];
    if (code === 'not-found') return [reachable.fail(`the hub has no namespace ${namespace}`, grant)];
    if (lacksRight(failure)) return [rights.fail(message, grant)];
    if (code === 'forbidden')
      return [reachable.fail(message, `remove what refuses it in ${namespace} of the hub, such as a quota`)];
    const check = 'check that the hub runs, and that this machine and the servers reach it by its kubeconfig';
    return [reachable.fail(message, `${check}: ${kubectl} version`)];
  }
}

/** Returns a dry run of a creation. It fails if the namespace is missing, which a list would not show. */
function dryRun(namespace: string) {
  const metadata = { name: 'muster-doctor' };
  const body = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec: {} };
  return { method: 'POST', path: `${leasesPath(namespace)}?dryRun=All`, body } as const;
}

function ignoreConflict(error: unknown): undefined {
  if (onlyClusterErrors(error).code !== 'conflict') throw error;
  return undefined;
}

/** Compares the hub's clock with that of this cluster's API server, or else with this machine's. */
async function checkClock(hub: ApiClient, { client, clock }: DoctorContext): Promise<UnlinkedCheck> {
  const results = resultsOf('registrar/clock', 'clocks of the hub and of this cluster');
  const version = { method: 'GET', path: '/version', timeoutMs: CALL_MS } as const;
  const dateOf = (api: ApiClient): Promise<ApiResponse['date']> =>
    api.call(version).then(
      ({ date }) => date,
      () => undefined,
    );
  const [there, here = clock()] = await Promise.all([dateOf(hub), dateOf(client)]);
  if (there === undefined)
    return results.unknown('the hub answered without a Date', 'remove what takes it away, such as a proxy');
  const seconds = Math.round(Math.abs(there - here) / 1000);
  const difference = `${seconds} s ${there > here ? 'ahead of' : 'behind'} this cluster's`;
  if (seconds * 1000 <= MOST_SKEW_MS) return results.ok(seconds === 0 ? 'agree' : `the hub's is ${difference}`);
  const limit = `${MOST_SKEW_MS / 1000} s are allowed, so that no reservation is released too early`;
  return results.fail(`the hub's is ${difference}: ${limit}`, 'synchronize both clocks, and see: chronyc tracking');
}

/** Returns how to replace the kubeconfig of the hub. */
function renewal(context: DoctorContext, { kubeconfig, namespace }: RegistrarSettings): string {
  const make = `make a kubeconfig as muster manifests --registrar --namespace ${namespace} says`;
  const mounted = mountedSecret(context.deployment, kubeconfig);
  if (mounted === undefined) return `${make}, and replace ${kubeconfig}: the server reads it again`;
  // An API server takes any text for the name of a Secret that a pod mounts.
  const [name, key] = [shellQuoted(mounted.name), shellQuoted(mounted.key)];
  const { kubectl } = context.programs;
  const create = `${kubectl} -n ${context.namespace} create secret generic ${name} --from-file ${key}`;
  return `${make}, then: ${create} --dry-run=client -o yaml | ${kubectl} apply -f -`;
}
