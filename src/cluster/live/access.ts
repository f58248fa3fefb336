/** Which API server, and as whom: --kubeconfig, else KUBECONFIG, the pod's service account, the default file. */
import { existsSync, readFileSync } from 'node:fs';
import type { RequestOptions } from 'node:https';
import { isIPv6 } from 'node:net';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { credentialsFor } from './credentials.ts';
import { ClusterError } from './errors.ts';
import { inPod } from './in-pod.ts';
import { type Cluster, type Kubeconfig, merged, readKubeconfig, type User } from './kubeconfig.ts';
import { withTokenFile } from './token-file.ts';

export { inPod };

/** The flags that every command which talks to a cluster has. */
export interface AccessFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Where muster's own Leases live. */
  readonly namespace?: string;
}

export interface Access {
  readonly cluster: Cluster;
  readonly user: User;
  /** That of the context, or of the pod. */
  readonly namespace: string | undefined;
  /** What a call needs to be let in: made anew each time, as far as it may have changed. */
  readonly credentials: () => Promise<RequestOptions>;
}

const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * Reads the configuration that names the cluster. Call it again to read it anew.
 * @throws ClusterError `no-access`, naming the file and what is missing
 */
export function loadAccess(flags: AccessFlags): Access {
  const { from, load } = sourceOf(flags.kubeconfig || undefined);
  const { clusters, users, contexts, current } = loaded(from, load);
  const chosen = flags.context || current;
  const context = contexts.find(({ name }) => name === chosen);
  const cluster = clusters.find(({ name }) => name === context?.cluster);
  if (context === undefined || cluster === undefined) {
    const which = chosen ? `context "${chosen}"` : 'current-context';
    throw new ClusterError('no-access', `${from} has no cluster for its ${which}; name another one with --context`);
  }
  const user = users.find(({ name }) => name === context.user) ?? { name: '' };
  return { cluster, user, namespace: context.namespace, credentials: credentialsFor(cluster, user) };
}

function loaded(from: string, load: () => Kubeconfig): Kubeconfig {
  try {
    return load();
  } catch (cause) {
    if (cause instanceof ClusterError) throw cause;
    const reason = (cause as NodeJS.ErrnoException).code ?? 'it is no kubeconfig';
    throw new ClusterError('no-access', `${from} can't be read (${reason}); check the path and what it holds`, {
      cause,
    });
  }
}

function sourceOf(given: string | undefined): { from: string; load: () => Kubeconfig } {
  if (given !== undefined) return { from: `--kubeconfig ${given}`, load: () => readKubeconfig(given) };
  const [first, ...more] = (process.env['KUBECONFIG'] ?? '').split(delimiter).filter((file) => file !== '');
  if (first !== undefined) {
    const load = () => merged([readKubeconfig(first), ...more.map(readKubeconfig)]);
    return { from: `KUBECONFIG ${[first, ...more].join(delimiter)}`, load };
  }
  if (inPod() && existsSync(`${SERVICE_ACCOUNT}/token`)) {
    return { from: "the pod's service account", load: serviceAccount };
  }
  const file = join(homedir(), '.kube', 'config');
  if (existsSync(file)) return { from: file, load: () => readKubeconfig(file) };
  const message = `no kubeconfig: give one with --kubeconfig or KUBECONFIG (${file} does not exist, and this is no pod with a service account)`;
  throw new ClusterError('no-access', message);
}

function serviceAccount(): Kubeconfig {
  const host = process.env['KUBERNETES_SERVICE_HOST'] ?? '';
  const server = `https://${isIPv6(host) ? `[${host}]` : host}:${process.env['KUBERNETES_SERVICE_PORT'] ?? '443'}`;
  const namespace = `${SERVICE_ACCOUNT}/namespace`;
  const context = { name: 'pod', cluster: 'pod', user: 'pod' };
  return {
    clusters: [{ name: 'pod', server, caFile: `${SERVICE_ACCOUNT}/ca.crt`, skipTLSVerify: false }],
    users: [withTokenFile({ name: 'pod' }, `${SERVICE_ACCOUNT}/token`)],
    contexts: [existsSync(namespace) ? { ...context, namespace: readFileSync(namespace, 'utf8').trim() } : context],
    current: 'pod',
  };
}
