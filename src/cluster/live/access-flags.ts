/**
 * Finds the configuration of the cluster access: --kubeconfig, KUBECONFIG, the pod's service account, the default file.
 */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { ClusterError } from './errors.ts';

/** The flags of every command that calls a cluster. */
export interface AccessFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  /** The namespace of muster's own Leases. */
  readonly namespace?: string;
}

/** Whether this process runs in a pod. */
export function inPod(): boolean {
  return Boolean(process.env['KUBERNETES_SERVICE_HOST']);
}

/** Where the access to a cluster is configured. */
export interface AccessSource {
  /** For messages. */
  readonly name: string;
  /** Kubeconfigs, the first having precedence; without them it is the pod's service account. */
  readonly files?: readonly string[];
  /** The text of a kubeconfig, in place of files. */
  readonly text?: string;
  /** What fixes a missing context. Default: another `--context`. */
  readonly contextFix?: string;
}

/** Returns the first source that exists. @throws ClusterError `no-access` where there is none */
export function accessSource({ kubeconfig }: AccessFlags): AccessSource {
  if (kubeconfig) return { name: `--kubeconfig ${kubeconfig}`, files: [kubeconfig] };
  const files = (process.env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '');
  if (files.length > 0) return { name: `KUBECONFIG ${files.join(delimiter)}`, files };
  if (inPod() && existsSync(SERVICE_ACCOUNT_TOKEN)) return { name: "the pod's service account" };
  const fallback = join(homedir(), '.kube', 'config');
  if (existsSync(fallback)) return { name: fallback, files: [fallback] };
  const message =
    `no kubeconfig: give one with --kubeconfig or KUBECONFIG (${fallback} does not exist, and this is not a pod ` +
    'with a service account)';
  throw new ClusterError('no-access', message);
}

const SERVICE_ACCOUNT_TOKEN = '/var/run/secrets/kubernetes.io/serviceaccount/token';
