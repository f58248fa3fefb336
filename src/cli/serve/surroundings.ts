/** What the server knows of other objects: files that were given, or a live cluster. */

import { createFilesView, readState } from '../../cluster/files/index.ts';
import { inPod } from '../../cluster/live/in-pod.ts';
import type { ApiClient } from '../../cluster/live/index.ts';
import { type ClusterState, clusterStateOf } from '../../engine/cluster-state.ts';
import type { ClusterView } from '../../rules/rule.ts';
import type { Log } from '../../server/log/log.ts';
import type { Metrics } from '../../server/ops/metrics.ts';
import type { ServeFlags } from '../serve.ts';
import { UsageError } from '../shared.ts';

export interface Surroundings {
  /** In a few words, without credentials. */
  readonly name: string;
  readonly files: ClusterView | undefined;
  readonly live: Live | undefined;
}

export interface Live {
  readonly client: ApiClient;
  readonly room: typeof import('../../cluster/live/index.ts');
}

/** What runs while the server does. */
export interface Lookout {
  readonly clusterState: ClusterState;
  /** What is wrong with the cluster, as last seen, and whether it was in order; undefined where none is looked at. */
  readonly problems: (() => readonly string[]) | undefined;
  readonly up: (() => boolean) | undefined;
  /** Connections to the API server, where there is one. */
  readonly connections?: ApiClient['connections'];
  close(): void;
}

/** Opens nothing yet: an API server need not be there for the server to start. @throws UsageError */
export async function surroundingsOf(flags: ServeFlags): Promise<Surroundings> {
  const named = flags.kubeconfig || flags.context;
  if (flags.state !== undefined && named) {
    const given = flags.kubeconfig ? '--kubeconfig' : '--context';
    throw new UsageError(
      `--state and ${given} exclude each other: other objects are read from files or from a cluster`,
    );
  }
  if (flags.state === undefined && (named || inPod())) return liveOf(flags);
  const files = await filesOf(flags.state);
  return { ...files, live: undefined };
}

/** Begins to look at the cluster, where there is one. */
export function lookOut({ files, live }: Surroundings, log: Log, metrics: () => Metrics): Lookout {
  if (live === undefined) {
    return {
      clusterState: clusterStateOf(files ?? createFilesView()),
      problems: undefined,
      up: undefined,
      close: () => {},
    };
  }
  const { client, room } = live;
  const watch = room.watchCluster({
    client,
    onChange: (problems) => {
      for (const problem of problems) log.warn(`the cluster: ${problem}`);
      if (problems.length === 0) log.info('the cluster is in order again');
    },
  });
  const observer = {
    read: (outcome: string) => {
      metrics().clusterRead(outcome);
      if (!['found', 'absent'].includes(outcome)) watch.nudge();
    },
    intent: (outcome: string) => {
      metrics().intent(outcome);
      if (outcome === 'failed') watch.nudge();
    },
  };
  return {
    clusterState: room.createLiveWorld({ client, observer }),
    problems: watch.problems,
    up: watch.up,
    connections: client.connections,
    close: () => {
      watch.close();
      client.close();
    },
  };
}

async function liveOf(flags: ServeFlags): Promise<Surroundings> {
  const room = await import('../../cluster/live/index.ts');
  try {
    const client = room.openCluster(flags);
    const name = `live (${client.server}, Leases in ${client.namespace})`;
    return { name, files: undefined, live: { client, room } };
  } catch (error) {
    if (error instanceof room.ClusterError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

async function filesOf(paths: readonly string[] | undefined): Promise<Pick<Surroundings, 'files' | 'name'>> {
  if (paths === undefined) {
    return { files: createFilesView(), name: 'files (no --state: nothing is known of other objects)' };
  }
  const { objects, errors } = await readState(paths);
  if (errors.length > 0) {
    const lines = errors.map(({ source, line, column, message }) => `${source}:${line}:${column}: ${message}`);
    throw new UsageError(`--state can't be read: ${lines.join('; ')}`);
  }
  const count = objects.length === 0 ? 'an empty world' : `${objects.length} objects`;
  return { files: createFilesView({ state: objects }), name: `files (${count} from ${paths.join(', ')})` };
}
