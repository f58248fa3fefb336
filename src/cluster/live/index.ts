/** The door of the live room for the server: import it only where a cluster is wanted. */
export type { AccessFlags } from './access.ts';
export { type ApiClient, openCluster } from './client.ts';
export { createLiveWorld } from './cluster-state.ts';
export { ClusterError } from './errors.ts';
export { type ClusterWatch, watchCluster } from './monitor.ts';
export type { LiveObserver } from './observer.ts';
export { type ClusterReader, createClusterReader } from './reader.ts';
