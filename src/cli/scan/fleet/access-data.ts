/**
 * Reads how a cluster is reached from `status.accessProviders` of its ClusterProfile. The author of a profile must not
 * choose what runs here: the program comes from the provider file alone, and so do its arguments and environment unless
 * that file allows more.
 */

import { at, isObject, type Json, type JsonObject, listAt, textAt } from '../../../base/json.ts';
import { firstOf, quoted } from '../../../base/text.ts';
import type { ExecConfig } from '../../../cluster/live/exec-plugin.ts';
import { LOADER } from '../../../rules/inventory/secrets.ts';
import type { Provider } from './provider-file.ts';

/** The data to open the cluster of a profile with. */
export interface AccessData {
  readonly server: string;
  readonly tlsServerName: string | undefined;
  /** PEM in base64. */
  readonly caData: string | undefined;
  readonly exec: ExecConfig;
  /** The cluster's data for the plugin. */
  readonly config: Json | undefined;
  /** The parts of the profile that were left out: arguments, environment. */
  readonly ignored: readonly string[];
}

/** Data for the plugin (KEP-541), and the additional arguments and variables of KEP-4322, each by two names. */
const CONFIG = ['client.authentication.k8s.io/exec'];
const ARGS = namesOf('additional-args');
const ENVS = namesOf('additional-envs');

function namesOf(what: string): readonly string[] {
  return [
    `clusterprofiles.multicluster.x-k8s.io/exec/${what}`,
    `multicluster.x-k8s.io/clusterprofiles/auth/exec/${what}`,
  ];
}

/**
 * Returns the access data of a profile: those of the first provider of the file that the profile has.
 * @throws Error with one line for a person, if there are none or they are not safe to use
 */
export function accessDataOf(profile: JsonObject, providers: readonly Provider[]): AccessData {
  // The older name of the list is `credentialProviders`; the newer list has precedence.
  const offered = ['accessProviders', 'credentialProviders'].flatMap((list) => listAt(profile, ['status', list]));
  const names = offered.flatMap((one) => textAt(one, ['name']) ?? []);
  const provider = providers.find(({ name }) => names.includes(name));
  if (provider === undefined) throw new Error(whyNone(names));
  const cluster = at(
    offered.find((one) => textAt(one, ['name']) === provider.name),
    ['cluster'],
  );
  if (!isObject(cluster)) throw new Error(`its access provider "${quoted(provider.name)}" has no cluster`);
  refuseUnsafe(cluster);
  const ignored: string[] = [];
  const exec = {
    ...provider.execConfig,
    args: argsOf(provider, cluster, ignored),
    env: envOf(provider, cluster, ignored),
  };
  return {
    server: serverOf(cluster),
    tlsServerName: textAt(cluster, ['tls-server-name']) || undefined,
    caData: textAt(cluster, ['certificate-authority-data']) || undefined,
    exec,
    config: extensionOf(cluster, CONFIG),
    ignored,
  };
}

function whyNone(names: readonly string[]): string {
  if (names.length === 0) return 'its status names no access providers: its cluster manager has to add them';
  const listed = names.map((name) => `"${quoted(name)}"`);
  return `none of its access providers is in --provider-file: ${firstOf(listed, 5)}`;
}

/** Refuses access data with which a third party could read or change the traffic. */
function refuseUnsafe(cluster: JsonObject): void {
  const fix = 'scan it by a kubeconfig, with --context';
  if (at(cluster, ['insecure-skip-tls-verify']))
    throw new Error(`its access data skip the verification of the certificate (insecure-skip-tls-verify): ${fix}`);
  if (at(cluster, ['proxy-url']))
    throw new Error(`its access data name a proxy (proxy-url), which is not used: ${fix}`);
}

/** Returns the server's address, which must have TLS: without it, others could read the credential. */
function serverOf(cluster: JsonObject): string {
  const server = textAt(cluster, ['server']) ?? '';
  const url = URL.parse(server);
  const isSafe = url?.protocol === 'https:' && url.username === '' && url.password === '' && !/[?#]/.test(server);
  if (!isSafe) throw new Error('the server in its access data is not an address such as https://api.example.com:6443');
  return server;
}

function argsOf(provider: Provider, cluster: JsonObject, ignored: string[]): readonly string[] {
  const { execConfig, profileSourcedCLIArgsPolicy: policy, additionalCLIArgEnvVarExtensionFlag: both } = provider;
  const own = execConfig.args ?? [];
  const added = extensionOf(cluster, ARGS);
  if (added === undefined) return own;
  if (policy !== 'Append' && !(policy === undefined && both === 1)) {
    ignored.push('arguments');
    return own;
  }
  if (Array.isArray(added) && added.every((one) => typeof one === 'string')) return [...own, ...(added as string[])];
  throw new Error('the additional arguments in its access data are not a list of strings');
}

function envOf(provider: Provider, cluster: JsonObject, ignored: string[]): ExecConfig['env'] {
  const { execConfig, profileSourcedEnvVarsPolicy, additionalCLIArgEnvVarExtensionFlag: both } = provider;
  const own = execConfig.env ?? [];
  const policy = profileSourcedEnvVarsPolicy ?? (both === 1 ? 'Replace' : 'Ignore');
  const added = extensionOf(cluster, ENVS);
  if (added === undefined) return own;
  if (policy === 'Ignore') {
    ignored.push('environment');
    return own;
  }
  if (!isObject(added) || !Object.values(added).every((one) => typeof one === 'string'))
    throw new Error('the additional environment in its access data is not a map of strings');
  const variables = Object.entries(added).map(([name, value]) => ({ name, value: String(value) }));
  // A program reads `A=b` with the value `c` as the variable `A`, whatever the provider says of that.
  const unclear = variables.find(({ name }) => name === '' || name.includes('='));
  if (unclear) throw new Error(`its access data set "${quoted(unclear.name)}", which is no name of a variable`);
  const loader = variables.find(({ name }) => LOADER.test(name));
  if (loader) throw new Error(`its access data set ${quoted(loader.name)}, which decides what a program loads`);
  // Of two variables with one name, the last counts.
  return policy === 'Replace' ? [...own, ...variables] : [...variables, ...own];
}

function extensionOf(cluster: JsonObject, names: readonly string[]): Json | undefined {
  const found = listAt(cluster, ['extensions']).find((one) => names.includes(textAt(one, ['name']) ?? ''));
  return at(found, ['extension']);
}
