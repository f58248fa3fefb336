/** What all checks share: the cluster, the clock and how muster is registered; and the commands that fix something. */
import type { ApiClient } from '../../cluster/live/client.ts';
import type { Mode } from '../../engine/index.ts';
import type { Enforcement, ServerReads } from '../../engine/plan.ts';
import { CONFIG_MAP, NAMESPACE, SERVER, TLS_SECRET, WEBHOOKS } from '../../manifests/names.ts';
import { shellQuoted } from '../shared.ts';

/** How the API server reaches the server. */
export type Target =
  | { readonly service: { readonly namespace: string; readonly name: string; readonly port: number } }
  /** Base URL: `https://HOST:PORT`. */
  | { readonly url: string };

export interface DoctorContext {
  readonly client: ApiClient;
  /** This machine's clock, in milliseconds since the epoch. */
  readonly clock: () => number;
  /** Where muster and its Leases live. */
  readonly namespace: string;
  /** The user name under which the server reads the cluster. */
  readonly serverUser: string;
  /** Undefined if no registration names one. */
  readonly target: Target | undefined;
  /** What the server's configuration needs of the registration; undefined if the configuration is unknown. */
  readonly enforcement?: Enforcement | undefined;
  /** What that configuration reads in the cluster; default: what is read without one. */
  readonly reads?: ServerReads | undefined;
  /** Of the server's configuration; undefined if that is unknown. */
  readonly mode?: Mode | undefined;
  /** The file of `--config`. */
  readonly configFile?: string | undefined;
  /** `NS/NAME` of cert-manager's Certificate, if it maintains the CA bundle. */
  readonly certManager?: string | undefined;
}

/** For `applyCommand`: does what doctor's dry run did, and takes over fields that another tool has changed. */
export const BY_FORCE = 'apply --server-side --force-conflicts -f -';
/** For `applyCommand`: replaces a part whole, for what an apply would leave. */
export const REPLACE = 'replace -f -';

/** Returns the command that creates or updates one part of the installation. */
export function applyCommand(context: DoctorContext, part: string, verb = 'apply -f -'): string {
  const { namespace, target } = context;
  const inNamespace = namespace === NAMESPACE ? '' : ` --namespace ${namespace}`;
  // Without it, an apply would replace an image that works with the placeholder of the manifests.
  const withImage = part === 'workload' ? ' --image REGISTRY/kube-muster:TAG' : '';
  const command = `muster manifests --only ${part}${inNamespace}${withImage}`;
  if (part !== 'webhooks') return `${command} | kubectl ${verb}`;
  const { before, flag } = configurationFlag(context);
  const outside = target !== undefined && 'url' in target ? ` --url ${shellQuoted(target.url)} --ca-file ca.crt` : '';
  return `${before}${command}${flag}${outside} | kubectl ${verb}`;
}

/** Returns how to change the server's configuration: its file if that is known, else the ConfigMap. */
export function editConfiguration({ namespace, target, configFile }: DoctorContext): string {
  const isOutside = target !== undefined && 'url' in target;
  if (isOutside) return `edit ${configFile ?? 'the file of --config of muster serve'}, which the server reads again`;
  if (configFile === undefined) return `kubectl -n ${namespace} edit configmap ${CONFIG_MAP}`;
  const inNamespace = namespace === NAMESPACE ? '' : ` --namespace ${namespace}`;
  const file = shellQuoted(configFile);
  return `edit ${file}, then: muster manifests --only config --config ${file}${inNamespace} | kubectl apply -f -`;
}

/** Repeats the configuration if the registration depends on it. */
function configurationFlag({ namespace, enforcement, configFile }: DoctorContext): { before: string; flag: string } {
  const { deletions = {}, owners = {}, profileLabel = false } = enforcement ?? {};
  if (!profileLabel && Object.keys({ ...deletions, ...owners }).length === 0) return { before: '', flag: '' };
  if (configFile !== undefined) return { before: '', flag: ` --config ${shellQuoted(configFile)}` };
  const read = `kubectl get configmap ${CONFIG_MAP} --namespace ${namespace} -o jsonpath='{.data.muster\\.yaml}'`;
  return { before: `${read} > in-cluster.yaml && `, flag: ' --config in-cluster.yaml' };
}

/** Returns what renews the server's certificate or the CA bundle; it ends in a command. */
export function certsRemedy(context: DoctorContext): string {
  const { namespace, target, certManager } = context;
  if (certManager !== undefined) {
    const [where = '', name = ''] = certManager.split('/');
    return `see why cert-manager does not renew it: kubectl -n ${where} describe certificate ${name}`;
  }
  if (target !== undefined && 'url' in target) {
    return `write the CA of the server's certificate to ca.crt, then: ${applyCommand(context, 'webhooks')}`;
  }
  const service = target?.service ?? { namespace, name: SERVER };
  const names = `--secret ${namespace}/${TLS_SECRET} --service ${service.namespace}/${service.name}`;
  return `muster certs ${names} --webhook ${WEBHOOKS}`;
}
