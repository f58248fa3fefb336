/** Work that goes on while certificates are rotated, and what of it failed. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import type { Api } from '../harness/index.ts';

export interface Load {
  /** What was tried. */
  readonly count: number;
  /** What each failure said. */
  readonly failures: readonly string[];
  readonly seen: ReadonlySet<string>;
  stop(): Promise<void>;
}

/** Again and again until stopped; `work` answers what it saw, and throws on a failure. */
export function keepDoing(work: (nth: number) => Promise<string>, pauseMs: number): Load {
  const load = { count: 0, failures: [] as string[], seen: new Set<string>(), stop: async () => {} };
  let stopped = false;
  const run = async () => {
    for (; !stopped; await sleep(pauseMs)) {
      await work(load.count++).then(
        (seen) => load.seen.add(seen),
        (error: Error) => load.failures.push(error.message),
      );
    }
  };
  const running = run();
  load.stop = () => {
    stopped = true;
    return running;
  };
  return load;
}

/** Creates an object that both webhooks are called for. The mutating one may fail unseen, but for its label. */
export async function create(api: Api, name: string): Promise<string> {
  const path = '/apis/multicluster.x-k8s.io/v1alpha1/inventoryclusters';
  const object = {
    apiVersion: 'multicluster.x-k8s.io/v1alpha1',
    kind: 'InventoryCluster',
    metadata: { name },
    spec: { clusterManager: { name: 'm' } },
  };
  const { status, body } = await api.call('POST', path, object);
  if (status !== 201) throw new Error(`${status} ${body.message}`);
  if (body.metadata.labels?.['x-k8s.io/cluster-manager'] !== 'm') throw new Error('the mutating webhook was not heard');
  return 'created';
}

/** A handshake that trusts this CA and nothing else; answers the fingerprint of what was shown. */
export async function handshake(port: number, ca: string, servername: string): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port, ca, servername });
  await once(socket, 'secureConnect');
  const shown = socket.getPeerX509Certificate()?.fingerprint256 ?? '';
  socket.destroy();
  return shown;
}
