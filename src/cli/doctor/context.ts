/** What all checks share: the cluster, the clock and how muster is registered; and the commands that fix something. */
import type { ApiClient } from '../../cluster/live/client.ts';
import type { Enforcement } from '../../engine/plan.ts';
import { CONFIG_MAP, NAMESPACE, SERVER } from '../../manifests/names.ts';

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
  /** The name of both webhook configurations. */
  readonly webhook: string;
  /** The Secret with the server's certificate, in that namespace. */
  readonly secret: string;
  /** The user name under which the server reads the cluster. */
  readonly serverUser: string;
  /** Undefined if no registration names one. */
  readonly target: Target | undefined;
  /** The image of the server's Deployment; undefined if there is none or it can't be read. */
  readonly image?: string | undefined;
  /** What the server's configuration needs of the registration; undefined if the configuration is unknown. */
  readonly enforcement?: Enforcement | undefined;
  /** The file of `--config`. */
  readonly configFile?: string | undefined;
  /** `NS/NAME` of cert-manager's Certificate, if it maintains the CA bundle. */
  readonly certManager?: string | undefined;
}

/** Whether a text can be the name of an object, and so a part of a path and of a command. */
export function isName(text: string | undefined): text is string {
  return /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/.test(text ?? '');
}

/** Returns the command that creates or updates one part of the installation. */
export const applyCommand = commandOf('apply -f -');
/** Returns the command that does what doctor's dry run did: it takes over fields that another tool has changed. */
export const applyByForceCommand = commandOf('apply --server-side --force-conflicts -f -');
/** Returns the command that replaces a part whole, for what an apply would leave. */
export const replaceCommand = commandOf('replace -f -');
/** Returns the command that deletes one part, as far as it exists. */
export const deleteCommand = commandOf('delete --ignore-not-found -f -');

function commandOf(verb: string): (context: DoctorContext, part: string) => string {
  return (context, part) => `${manifestsCommand(context, part)} | kubectl ${verb}`;
}

function manifestsCommand(context: DoctorContext, part: string): string {
  const { namespace, target, image } = context;
  const inNamespace = namespace === NAMESPACE ? '' : ` --namespace ${namespace}`;
  // Without it, an apply would replace an image that works with the placeholder of the manifests.
  const withImage = part === 'workload' ? ` --image ${image ?? 'REGISTRY/muster:TAG'}` : '';
  const command = `muster manifests --only ${part}${inNamespace}${withImage}`;
  if (part !== 'webhooks') return command;
  const { before, flag } = configurationFlag(context);
  const outside = target !== undefined && 'url' in target ? ` --url ${shellQuoted(target.url)} --ca-file ca.crt` : '';
  return `${before}${command}${flag}${outside}`;
}

/** Repeats the configuration if the registration depends on it. */
function configurationFlag({ namespace, enforcement, configFile }: DoctorContext): { before: string; flag: string } {
  const { deletions = {}, owners = {}, profileLabel = false } = enforcement ?? {};
  if (!profileLabel && Object.keys({ ...deletions, ...owners }).length === 0) return { before: '', flag: '' };
  if (configFile !== undefined) return { before: '', flag: ` --config ${shellQuoted(configFile)}` };
  const read = `kubectl get configmap ${CONFIG_MAP} --namespace ${namespace} -o jsonpath='{.data.muster\\.yaml}'`;
  return { before: `${read} > muster.yaml && `, flag: ' --config muster.yaml' };
}

/** Returns what renews the server's certificate or the CA bundle; it ends in a command. */
export function certsRemedy(context: DoctorContext): string {
  const { namespace, secret, webhook, target, certManager } = context;
  if (certManager !== undefined) {
    const [where = '', name = ''] = certManager.split('/');
    return `see why cert-manager does not renew it: kubectl -n ${where} describe certificate ${name}`;
  }
  if (target !== undefined && 'url' in target) {
    return `write the CA of the server's certificate to ca.crt, then: ${applyCommand(context, 'webhooks')}`;
  }
  const { namespace: serviceNamespace, name } = target?.service ?? { namespace, name: SERVER };
  return `muster certs --secret ${namespace}/${secret} --service ${serviceNamespace}/${name} --webhook ${webhook}`;
}

/** Quotes what others wrote, so that it can't become a command of its own. */
function shellQuoted(text: string): string {
  return /^[\w.:/-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
