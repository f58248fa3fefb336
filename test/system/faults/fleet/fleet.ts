/** A control plane and replicas of muster behind a Service, registered under `Fail` as the manifests print it. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ControlPlane,
  grantAccess,
  type Muster,
  register,
  type ServiceProxy,
  servingCertificates,
  startControlPlane,
  startMuster,
  startProxy,
} from '../../e2e/harness/index.ts';
import { type Endpoints, type EndpointsOptions, watchEndpoints } from './endpoints.ts';

export interface FleetOptions {
  readonly endpoints?: EndpointsOptions;
  /** What becomes of a connection that a replica refuses. */
  readonly refused?: () => 'broken' | 'next';
}

export interface Fleet {
  readonly controlPlane: ControlPlane;
  /** The folder of the certificate that all replicas have. */
  readonly certs: string;
  readonly endpoints: Endpoints;
  readonly proxy: ServiceProxy;
  /** The replicas that run, the oldest first. */
  readonly replicas: readonly Muster[];
  /** Adds a replica, and waits until the Service knows that it is ready. */
  grow(drainSeconds?: number): Promise<Muster>;
  /** Ends a replica by `how`, and waits until the Service knows. Resolves to its exit code. */
  end(replica: Muster, how: () => Promise<number | null>): Promise<number | null>;
  stop(): Promise<void>;
}

/** The shipped readiness probe: see `readinessProbe` in charts/kube-muster/templates/workload/deployment.yaml. */
export const KUBELET: EndpointsOptions = { periodMs: 2000, timeoutMs: 2000, failureThreshold: 2 };

/** Starts two replicas with a drain of 3 s, and waits until the Service knows that they are ready. */
export async function startFleet(options: FleetOptions = {}): Promise<Fleet> {
  const controlPlane = await startControlPlane();
  await grantAccess(controlPlane);
  const certs = await servingCertificates(join(controlPlane.folder, 'serving'));
  const endpoints = watchEndpoints(options.endpoints);
  const { refused = () => 'broken' } = options;
  const proxy = await startProxy({ targets: endpoints.ready, refused });
  const replicas: Muster[] = [];
  const grow = async (seconds = 3) => {
    const muster = await startMuster({ controlPlane, certs, args: ['--drain-seconds', String(seconds)] });
    replicas.push(muster);
    endpoints.add(muster);
    await endpoints.until(muster, true);
    return muster;
  };
  const end: Fleet['end'] = async (replica, how) => {
    replicas.splice(replicas.indexOf(replica), 1);
    const code = await how();
    await endpoints.until(replica, false);
    endpoints.remove(replica);
    return code;
  };
  const stop = async () => {
    endpoints.close();
    await Promise.all(replicas.map((replica) => replica.kill()));
    await proxy.close();
    await controlPlane.stop();
  };
  try {
    await Promise.all([grow(), grow()]);
    await register(controlPlane, { url: proxy.url, caFile: join(certs, 'ca.crt') }, { timeoutSeconds: 'printed' });
  } catch (error) {
    await stop();
    throw error;
  }
  return { controlPlane, certs, endpoints, proxy, replicas, grow, end, stop };
}

/** Longer than an answer that a replica has sent takes to pass the proxy. */
const PASSED_ON_MS = 100;

/**
 * Stops one of the replicas (`SIGSTOP`) while a request waits for it, so that this request has no answer until it
 * continues (`SIGCONT`). Needs a load that goes on. Returns the replica.
 */
export async function freezeAtWork(proxy: ServiceProxy, replicas: readonly Muster[]): Promise<Muster> {
  const isBusy = (replica: Muster) => proxy.open(replica).some(({ waiting }) => waiting === 'yes');
  for (;;) {
    const busy = replicas.find(isBusy);
    if (busy === undefined) {
      await sleep(1);
      continue;
    }
    process.kill(busy.pid, 'SIGSTOP');
    // The answer may have been on its way.
    await sleep(PASSED_ON_MS);
    if (isBusy(busy)) return busy;
    process.kill(busy.pid, 'SIGCONT');
  }
}
