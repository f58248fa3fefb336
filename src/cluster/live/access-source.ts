/**
 * Finds out how to access the cluster: by --kubeconfig, KUBECONFIG, the pod's service account, or the default file.
 */
import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { inPod } from '../../base/pod.ts';
import { ClusterError } from './errors.ts';

/** The flags of every command that calls a cluster. */
export interface AccessFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  /** The namespace of muster's own Leases. */
  readonly namespace?: string;
}

/** Where the access to a cluster is configured. */
export interface AccessSource {
  /** For messages. */
  readonly name: string;
  /** Kubeconfigs, of which the first has precedence. Without `files` and `text`, the pod's service account is used. */
  readonly files?: readonly string[];
  /** The text of a kubeconfig, in place of files. */
  readonly text?: string;
  /** The fix for a missing context, in its error message. Default: to name another `--context`. */
  readonly contextFix?: string;
}

/** Returns the first source that exists. @throws ClusterError `no-access` if there is none */
export function accessSource({ kubeconfig }: AccessFlags): AccessSource {
  if (kubeconfig) return { name: `--kubeconfig ${kubeconfig}`, files: [kubeconfig] };
  const named = (process.env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '');
  // As kubectl does: a file that is there and can't be read is an error. If none exists, the first one is reported.
  const existing = named.filter((path) => !isMissing(path));
  const files = existing.length > 0 ? existing : named;
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

/** Returns whether there is no such file; false also where that can't be found out. */
function isMissing(path: string): boolean {
  try {
    statSync(path);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}
