/** What the server needs of a live cluster. It is imported only if a cluster is configured. */

export { type ClusterMonitor, monitorCluster } from './cluster-monitor.ts';
export type { AccessFlags } from './live/access-flags.ts';
export { type ApiClient, observeCalls, openCluster, verbs } from './live/client.ts';
export { ClusterError, clusterErrorCodes } from './live/errors.ts';
export { type ClusterObserver, lockOutcomes, readOutcomes } from './live/live-view.ts';
export { type ClusterReader, createClusterReader } from './live/reader.ts';
export { createLiveClusterState } from './live-cluster-state.ts';
export { createHub, type Hub } from './registrar/hub.ts';
export { type RegistrarLoop, startLoop } from './registrar/loop.ts';
export { createRegistrar, type Registrar, readHolderOnce, syncOnce } from './registrar/registrar.ts';
