/** What all checks know: the cluster, the clock, where muster is, and how it is registered. */
import type { ApiClient } from '../../cluster/live/client.ts';
import { CONFIG_MAP, NAMESPACE, SERVER } from '../../manifests/names.ts';
import type { Enforcement } from '../../manifests/registration.ts';

/** How the API server is told to reach the server. */
export type Target =
  | { readonly service: { readonly namespace: string; readonly name: string; readonly port: number } }
  /** Base URL: `https://HOST:PORT`. */
  | { readonly url: string };

export interface Examination {
  readonly client: ApiClient;
  /** This machine's clock, in milliseconds since the epoch. */
  readonly clock: () => number;
  /** Where muster and its Leases live. */
  readonly namespace: string;
  /** The name of both webhook configurations. */
  readonly webhook: string;
  /** The Secret with the server's certificate, in that namespace. */
  readonly secret: string;
  /** As whom the server reads: a user name. */
  readonly serverUser: string;
  /** How the API server is told to reach the server; undefined where no registration says. */
  readonly target: Target | undefined;
  /** The image that the server's Deployment has now; undefined where it has none, or it can't be read. */
  readonly image?: string | undefined;
  /** What the server's configuration needs of the registration; undefined where it is not known. */
  readonly enforcement?: Enforcement | undefined;
  /** The file of `--config`. */
  readonly configFile?: string | undefined;
  /** `NS/NAME` of cert-manager's Certificate, where that looks after the CA bundle. */
  readonly certManager?: string | undefined;
}

/** Whether something can be the name of an object, and so stand in a path and in a command. */
export function isName(text: string | undefined): text is string {
  return /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/.test(text ?? '');
}

/** What a command for `muster manifests` has to repeat of the installation. */
type Installed = Pick<Examination, 'namespace' | 'target' | 'image' | 'enforcement' | 'configFile'>;

/** The command that gives the cluster one part of what muster needs, as it should be. */
export function apply(examination: Installed, part: string): string {
  return `${print(examination, part)} | kubectl apply -f -`;
}

/** The same where something has to go that an apply would leave. */
export function replace(examination: Installed, part: string): string {
  return `${print(examination, part)} | kubectl replace -f -`;
}

/** The command that takes one part away, as far as it is there. */
export function remove(examination: Pick<Examination, 'namespace'>, part: string): string {
  return `${print({ ...examination, target: undefined }, part)} | kubectl delete --ignore-not-found -f -`;
}

function print(installed: Installed, part: string): string {
  const { namespace, target, image } = installed;
  const where = namespace === NAMESPACE ? '' : ` --namespace ${namespace}`;
  const outside = part === 'webhooks' && target !== undefined && 'url' in target;
  // Without it, an apply would put the placeholder of the manifests in place of an image that works.
  const which = part === 'workload' ? ` --image ${image ?? 'REGISTRY/muster:TAG'}` : '';
  const configured = part === 'webhooks' ? configuration(installed) : { before: '', flag: '' };
  return `${configured.before}muster manifests --only ${part}${where}${which}${configured.flag}${outside ? ` --url ${quoted(target.url)} --ca-file ca.crt` : ''}`;
}

/** The configuration has to be repeated where the registration depends on it. */
function configuration({ namespace, enforcement, configFile }: Installed): { before: string; flag: string } {
  const { deletions = {}, owners = {}, profileLabel = false } = enforcement ?? {};
  const matters = profileLabel || [deletions, owners].some(isNotEmpty);
  if (!matters) return { before: '', flag: '' };
  if (configFile !== undefined) return { before: '', flag: ` --config ${quoted(configFile)}` };
  const file = 'muster.yaml';
  const read = `kubectl get configmap ${CONFIG_MAP} --namespace ${namespace} -o jsonpath='{.data.muster\\.yaml}'`;
  return { before: `${read} > ${file} && `, flag: ` --config ${file}` };
}

function isNotEmpty(settings: object): boolean {
  return Object.keys(settings).length > 0;
}

/** What renews the server's certificate, or mends what the API server trusts; it ends in a command. */
export function certs(examination: Examination): string {
  const { namespace, secret, webhook, target, certManager } = examination;
  if (certManager !== undefined) {
    const [where = '', name = ''] = certManager.split('/');
    return `see what keeps cert-manager from it: kubectl -n ${where} describe certificate ${name}`;
  }
  if (target !== undefined && 'url' in target) {
    return `put the CA of the server's certificate into ca.crt, then: ${apply(examination, 'webhooks')}`;
  }
  const service =
    target === undefined ? `${namespace}/${SERVER}` : `${target.service.namespace}/${target.service.name}`;
  return `muster certs --secret ${namespace}/${secret} --service ${service} --webhook ${webhook}`;
}

/** As a shell wants it: whoever wrote the registration is not to write our commands. */
function quoted(text: string): string {
  return /^[\w.:/-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
