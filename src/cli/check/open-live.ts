/** The cluster of `--live`. Import it only where one is wanted: the client takes half a second to load. */
import { type AccessFlags, ClusterError, createClusterReader, openCluster } from '../../cluster/live/index.ts';
import { UsageError } from '../usage-error.ts';
import type { Live } from './live.ts';

export interface OpenLive {
  readonly live: Live;
  close(): void;
}

/** Calls nobody yet. @throws UsageError where the kubeconfig names no cluster */
export function openLive(flags: AccessFlags): OpenLive {
  try {
    const client = openCluster(flags);
    return { live: { reader: createClusterReader({ client }), namespace: client.namespace }, close: client.close };
  } catch (error) {
    if (error instanceof ClusterError) throw new UsageError(`--live: ${error.message}`);
    throw error;
  }
}
