/** Where the server reads other objects: from files, or from a live cluster. */
import { createFilesView, readState } from '../../cluster/files/index.ts';
import { inPod } from '../../cluster/live/access.ts';
import type { ApiClient } from '../../cluster/live/index.ts';
import { type ClusterState, clusterStateOf } from '../../engine/cluster-state.ts';
import type { ClusterView } from '../../rules/rule.ts';
import type { Log } from '../../server/log/log.ts';
import type { Metrics } from '../../server/ops/metrics.ts';
import { UsageError } from '../shared.ts';
import type { ServeFlags } from './options.ts';

export interface ClusterSource {
  /** In a few words, without credentials. */
  readonly name: string;
  readonly files: ClusterView | undefined;
  readonly live:
    | { readonly client: ApiClient; readonly module: typeof import('../../cluster/live/index.ts') }
    | undefined;
}

export interface OpenedCluster {
  readonly clusterState: ClusterState;
  /** What is wrong with the cluster; empty for files. */
  problems(): readonly string[];
  up(): boolean;
  /** Connections to the API server; undefined for files. */
  readonly connections: ApiClient['connections'] | undefined;
  close(): void;
}

/** Connects to nothing yet: an API server need not be there for the server to start. Throws UsageError. */
export async function findClusterSource(flags: ServeFlags): Promise<ClusterSource> {
  const named = flags.kubeconfig || flags.context;
  if (flags.state !== undefined && named) {
    const flag = flags.kubeconfig ? '--kubeconfig' : '--context';
    throw new UsageError(`--state and ${flag} exclude each other: other objects are read from files or from a cluster`);
  }
  return flags.state === undefined && (named || inPod()) ? liveSource(flags) : filesSource(flags.state);
}

/** Begins to watch the cluster, where there is one. */
export function openCluster({ files, live }: ClusterSource, log: Log, metrics: Metrics): OpenedCluster {
  if (live === undefined) {
    const clusterState = clusterStateOf(files ?? createFilesView());
    return { clusterState, problems: () => [], up: () => true, connections: undefined, close: () => {} };
  }
  const { client, module } = live;
  const watch = module.monitorCluster({
    client,
    onChange: (problems) => {
      for (const problem of problems) log.warn(`the cluster: ${problem}`);
      if (problems.length === 0) log.info('the cluster is in order again');
    },
  });
  const observer = {
    read: (outcome: string) => {
      metrics.clusterRead(outcome);
      if (!['found', 'absent'].includes(outcome)) watch.nudge();
    },
    lock: (outcome: string) => {
      metrics.lock(outcome);
      if (outcome === 'failed') watch.nudge();
    },
  };
  return {
    clusterState: module.createLiveClusterState({ client, observer }),
    problems: watch.problems,
    up: watch.up,
    connections: client.connections,
    close: () => {
      watch.close();
      client.close();
    },
  };
}

async function liveSource(flags: ServeFlags): Promise<ClusterSource> {
  const module = await import('../../cluster/live/index.ts');
  try {
    const client = await module.openCluster(flags);
    const name = `live (${client.server}, Leases in ${client.namespace})`;
    return { name, files: undefined, live: { client, module } };
  } catch (error) {
    if (error instanceof module.ClusterError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

async function filesSource(paths: readonly string[] | undefined): Promise<ClusterSource> {
  if (paths === undefined) {
    return { name: 'files (no --state: nothing is known of other objects)', files: createFilesView(), live: undefined };
  }
  const { objects, errors } = await readState(paths);
  if (errors.length > 0) {
    const lines = errors.map(({ source, line, column, message }) => `${source}:${line}:${column}: ${message}`);
    throw new UsageError(`--state can't be read: ${lines.join('; ')}`);
  }
  const count = objects.length === 0 ? 'an empty world' : `${objects.length} objects`;
  return {
    name: `files (${count} from ${paths.join(', ')})`,
    files: createFilesView({ state: objects }),
    live: undefined,
  };
}
