/** A control plane, and replicas of muster behind what a Service is to it: registered under `Fail`, as the manifests print it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { issueCertificates } from '../../../src/tls/issue.ts';
import {
  type ControlPlane,
  grantAccess,
  type Muster,
  register,
  startControlPlane,
  startMuster,
} from '../../e2e/harness/index.ts';
import { type Endpoints, type EndpointsOptions, watchEndpoints } from './endpoints.ts';
import { type ProxyOptions, type ServiceProxy, startProxy } from './proxy.ts';

export interface FleetOptions {
  /** Default: 2. */
  readonly replicas?: number;
  readonly endpoints?: EndpointsOptions;
  readonly refused?: ProxyOptions['refused'];
  /** Default: 3. The manifests leave it at 15. */
  readonly drainSeconds?: number;
}

export interface Fleet {
  readonly controlPlane: ControlPlane;
  /** The folder of the certificate that all of them show. */
  readonly certs: string;
  readonly endpoints: Endpoints;
  readonly proxy: ServiceProxy;
  /** Those that run, the oldest first. */
  readonly replicas: readonly Muster[];
  /** One more; probed from its start, and led to once it is known to be ready. */
  grow(drainSeconds?: number): Promise<Muster>;
  /** Ends a replica by what `how` does; it is forgotten once the endpoints know. Resolves to its exit code. */
  end(replica: Muster, how: () => Promise<number | null>): Promise<number | null>;
  stop(): Promise<void>;
}

/** The way of one shipped probe: see `readinessProbe` in src/manifests/workload.ts. */
export const KUBELET: EndpointsOptions = { periodMs: 2000, timeoutMs: 2000, failureThreshold: 2 };

/** Longest drain of a test, and 20 s more. */
export const PATIENCE_MS = 35_000;

/** All ready, and known to be. */
export async function startFleet(options: FleetOptions = {}): Promise<Fleet> {
  const { replicas: count = 2, drainSeconds = 3 } = options;
  const controlPlane = await startControlPlane();
  await grantAccess(controlPlane);
  const certs = await certificates(join(controlPlane.folder, 'serving'));
  const endpoints = watchEndpoints(options.endpoints);
  const proxy = await startProxy({ endpoints, ...(options.refused === undefined ? {} : { refused: options.refused }) });
  const replicas: Muster[] = [];
  const grow = async (seconds = drainSeconds) => {
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
    await Promise.all(Array.from({ length: count }, () => grow()));
    await register(controlPlane, [{ url: proxy.url, caFile: join(certs, 'ca.crt') }]);
  } catch (error) {
    await stop();
    throw error;
  }
  return { controlPlane, certs, endpoints, proxy, replicas, grow, end, stop };
}

/** One certificate for all, as the Secret has it. */
async function certificates(folder: string): Promise<string> {
  const { ca, cert, key } = await issueCertificates({ names: ['127.0.0.1'], caName: 'fleet' });
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries({ 'ca.crt': ca, 'tls.crt': cert, 'tls.key': key })) {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
  }
  return folder;
}
