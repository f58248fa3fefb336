/** The values of the flags of `muster serve`. */
import { inPod } from '../../base/pod.ts';
import type { AccessFlags } from '../../cluster/live/access-source.ts';
import type { LogLevel } from '../../server/log/log.ts';

export const LOG_LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'silent'];

/** The values of the command line or the environment. Ports are numbers, 0 for any free one. */
export interface ServeFlags extends AccessFlags {
  readonly config?: string;
  readonly host?: string;
  readonly port: number;
  readonly opsPort: number;
  readonly state?: readonly string[];
  readonly tlsCertFile?: string;
  readonly tlsPrivateKeyFile?: string;
  readonly certDir: string;
  readonly clientCaFile?: string;
  readonly clientName?: readonly string[];
  readonly drainSeconds: number;
  readonly events?: boolean;
  readonly tracingEndpoint?: string;
  /** From 0 to 1. */
  readonly tracingRatio?: number;
  readonly logLevel: LogLevel;
}

/** Returns whether the server reads other objects from a cluster; else from files. */
export function readsCluster({ state, kubeconfig, context }: ServeFlags): boolean {
  return state === undefined && (kubeconfig !== undefined || context !== undefined || inPod());
}
