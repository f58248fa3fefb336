/** The entry of the live cluster state for the server: import it only where a cluster is wanted. */

export type { AccessFlags } from './access.ts';
export { type ApiClient, observeCalls, openCluster, verbs } from './client.ts';
export { createLiveClusterState } from './cluster-state.ts';
export { ClusterError, clusterErrorCodes } from './errors.ts';
export { type ClusterMonitor, monitorCluster } from './monitor.ts';
export { type ClusterReader, createClusterReader } from './reader.ts';
export { type ClusterObserver, lockOutcomes, readOutcomes } from './view.ts';
