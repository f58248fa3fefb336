/** Which API server, and as whom: --kubeconfig, else KUBECONFIG, the pod's service account, the default file. */
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { KubeConfig } from '@kubernetes/client-node';
import { ClusterError } from './error.ts';
import { inPod } from './in-pod.ts';
import { TokenFiles, tokenFilesIn, useTokenFiles } from './token-file.ts';

export { inPod };

/** The flags that every command which talks to a cluster has. */
export interface AccessFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Where muster's own Leases live. */
  readonly namespace?: string;
}

const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount/token';

/**
 * Reads the configuration that names the cluster. Call it again to read it anew.
 * @throws ClusterError `no-access`, naming the file and what is missing
 */
export function loadAccess({ kubeconfig, context }: AccessFlags): KubeConfig {
  const access = new KubeConfig();
  access.addAuthenticator(new TokenFiles());
  const { from, load } = sourceOf(access, kubeconfig || undefined);
  try {
    load();
  } catch (cause) {
    if (cause instanceof ClusterError) throw cause;
    const reason = (cause as NodeJS.ErrnoException).code ?? 'it is no kubeconfig';
    throw new ClusterError('no-access', `${from} can't be read (${reason}); check the path and what it holds`, {
      cause,
    });
  }
  if (context) access.setCurrentContext(context);
  if (access.getCurrentCluster()?.server) return access;
  const which = access.getCurrentContext() ? `context "${access.getCurrentContext()}"` : 'current-context';
  throw new ClusterError('no-access', `${from} has no cluster for its ${which}; name another one with --context`);
}

function sourceOf(access: KubeConfig, given: string | undefined): { from: string; load: () => void } {
  if (given !== undefined) return { from: `--kubeconfig ${given}`, load: () => loadFile(access, given) };
  const [first, ...more] = (process.env['KUBECONFIG'] ?? '').split(delimiter).filter((file) => file !== '');
  if (first !== undefined) {
    return { from: `KUBECONFIG ${[first, ...more].join(delimiter)}`, load: () => loadMerged(access, first, more) };
  }
  if (inPod() && existsSync(SERVICE_ACCOUNT)) {
    return { from: "the pod's service account", load: () => loadPod(access) };
  }
  const file = join(homedir(), '.kube', 'config');
  if (existsSync(file)) return { from: file, load: () => loadFile(access, file) };
  const message = `no kubeconfig: give one with --kubeconfig or KUBECONFIG (${file} does not exist, and this is no pod with a service account)`;
  throw new ClusterError('no-access', message);
}

function loadFile(access: KubeConfig, file: string): void {
  access.loadFromFile(file);
  useTokenFiles(access, tokenFilesIn(readFileSync(file, 'utf8'), file, dirname(file)));
}

function loadPod(access: KubeConfig): void {
  access.loadFromCluster();
  useTokenFiles(access);
}

function loadMerged(access: KubeConfig, first: string, more: readonly string[]): void {
  loadFile(access, first);
  for (const file of more) {
    const next = new KubeConfig();
    loadFile(next, file);
    access.mergeConfig(next, true);
  }
}
