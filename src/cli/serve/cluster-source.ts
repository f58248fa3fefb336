/** Opens what the server reads other objects from: files, or a live cluster. */

import { UsageError } from '../../base/usage-error.ts';
import { monitorCluster } from '../../cluster/cluster-monitor.ts';
import type { ApiClient } from '../../cluster/live/client.ts';
import { observeCalls } from '../../cluster/live/client-wrappers.ts';
import { readOutcomes } from '../../cluster/live/live-view.ts';
import { createLiveClusterState } from '../../cluster/live-cluster-state.ts';
import { lockOutcomes } from '../../cluster/locks/identity-write.ts';
import type { ClusterState } from '../../engine/cluster-state.ts';
import { stateFromView } from '../../engine/evaluate.ts';
import { readState } from '../../input/sources.ts';
import { createRunView } from '../../input/view.ts';
import type { Log } from '../../server/log/log.ts';
import type { Metrics } from '../../server/ops/metrics.ts';
import type { Tracing } from '../../server/tracing/spans.ts';
import type { HubAccess } from '../hub.ts';
import { openClient } from '../shared.ts';
import { readsCluster, type ServeFlags } from './options.ts';
import { type ServerRegistrar, startRegistrar } from './registrar.ts';
import { traceCalls, tracePause } from './tracing.ts';

export interface ClusterSource {
  /** In a few words, without credentials. */
  readonly name: string;
  readonly isLive: boolean;
  /** Begins to monitor the cluster, and the rounds of its registrar, if there is one. */
  open(options: OpenOptions): OpenedCluster;
}

interface OpenOptions {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly tracing?: Tracing | undefined;
  /** The hub of the first configuration, if it names one. */
  readonly hub?: HubAccess | undefined;
  /** Called for bugs in code that runs outside of requests. */
  readonly onError: (error: unknown) => void;
}

export interface OpenedCluster {
  readonly clusterState: ClusterState;
  /** Returns the problems of the cluster and its registrar; none for files. */
  problems(): readonly string[];
  up(): boolean;
  /** Undefined for files. */
  readonly client?: ApiClient;
  readonly registrar?: ServerRegistrar;
  close(): void;
}

/**
 * Finds the source that the flags name. It connects to nothing yet, so the server starts without an API server.
 * @throws UsageError
 */
export async function findClusterSource(flags: ServeFlags): Promise<ClusterSource> {
  return readsCluster(flags) ? liveSource(flags) : filesSource(flags.state);
}

async function liveSource(flags: ServeFlags): Promise<ClusterSource> {
  const opened = await openClient(flags);
  const open: ClusterSource['open'] = ({ log, metrics, tracing, hub, onError }) => {
    const client = observeCalls(opened, metrics.clusterCall);
    const monitor = monitorCluster({
      client,
      onChange: (problems) => {
        for (const problem of problems) log.warn(`the cluster: ${problem}`);
        if (problems.length === 0) log.info('the cluster is in order again');
      },
    });
    const observer = {
      read: (outcome: string) => {
        metrics.clusterRead(outcome);
        if (!['found', 'absent'].includes(outcome)) monitor.checkSoon();
      },
      lock: (outcome: string) => {
        metrics.lock(outcome);
        tracing?.event('lock', { outcome });
        if (outcome === 'failed') monitor.checkSoon();
      },
    };
    for (const outcome of readOutcomes) metrics.clusterRead(outcome, 0);
    for (const outcome of lockOutcomes) metrics.lock(outcome, 0);
    const registrar = startRegistrar(hub, { client, log, metrics, onError });
    const close = () => {
      void registrar.close();
      monitor.close();
      client.close();
    };
    // The monitor's calls belong to no request.
    const traced = tracing && { client: traceCalls(client, tracing), pause: tracePause(tracing) };
    const clusterState = createLiveClusterState({ client, observer, registrar: registrar.current, ...traced });
    return {
      clusterState,
      problems: () => [...monitor.problems(), ...registrar.problems()],
      up: monitor.up,
      client,
      registrar,
      close,
    };
  };
  return { name: `live (${opened.server}, Leases in ${opened.namespace})`, isLive: true, open };
}

async function filesSource(paths: readonly string[] | undefined): Promise<ClusterSource> {
  const { objects, errors } = paths === undefined ? { objects: undefined, errors: [] } : await readState(paths);
  if (errors.length > 0) {
    const lines = errors.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`);
    throw new UsageError(`--state can't be read: ${lines.join('; ')}`);
  }
  const clusterState = stateFromView(createRunView(objects && { state: objects }));
  const count = objects?.length === 0 ? 'no objects' : `${objects?.length} objects`;
  const what = paths ? `${count} from ${paths.join(', ')}` : 'no --state: nothing is known of other objects';
  return {
    name: `files (${what})`,
    isLive: false,
    open: () => ({ clusterState, problems: () => [], up: () => true, close: () => {} }),
  };
}
