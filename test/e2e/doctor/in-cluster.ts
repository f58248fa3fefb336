/** A server that the API server calls by its Service, with a certificate out of a Secret, as in a cluster. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { partOf } from '../../../src/manifests/installation.ts';
import { mutatingWebhookConfiguration, validatingWebhookConfiguration } from '../../../src/manifests/registration.ts';
import { type ControlPlane, type Json, type Muster, settled, startMuster } from '../harness/index.ts';
import type { Shell } from './bench.ts';

export const NAMESPACED = '/api/v1/namespaces/muster-system';
export const SERVICE = `${NAMESPACED}/services/muster`;
export const SECRET = `${NAMESPACED}/secrets/muster-tls`;

const MAKE_CERTIFICATES =
  'muster certs --secret muster-system/muster-tls --service muster-system/muster --webhook muster';

export interface InCluster {
  /** Lets the server have what is in the Secret now. */
  mount(): Promise<void>;
  /** The Service that leads to it. */
  service(): Promise<void>;
  stop(): Promise<void>;
}

/** No pods run here: the Service is a name for this machine, and the mounted Secret a folder. */
export async function serveInCluster(controlPlane: ControlPlane, shell: Shell): Promise<InCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-e2e-mounted-'));
  const mount = async () => {
    const { body } = await controlPlane.api('admin').call('GET', SECRET);
    for (const name of ['tls.key', 'tls.crt', 'ca.crt']) {
      writeFileSync(join(folder, name), Buffer.from(body.data[name], 'base64'));
    }
  };
  const service = () =>
    controlPlane.apply(named('Service', { spec: { type: 'ExternalName', externalName: '127.0.0.1' } }));
  const secret = partOf('certs', { image: 'none' }).filter(({ kind }) => kind === 'Secret');
  await controlPlane.apply(...secret);
  await service();
  await registerAtPort(controlPlane, 443);
  await shell.run(MAKE_CERTIFICATES);
  await mount();
  const muster: Muster = await startMuster({ controlPlane, certs: folder });
  await registerAtPort(controlPlane, muster.port);
  return {
    mount,
    service,
    async stop() {
      await muster.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A Service with an address within the cluster, and what stands behind it. Nothing of it can be reached. */
export async function putBehind(controlPlane: ControlPlane, ready: readonly boolean[]): Promise<void> {
  const ports = [{ name: 'https', port: 443 }];
  await controlPlane.apply(named('Service', { spec: { type: 'ClusterIP', ports } }));
  const endpoints = ready.map((isReady, index) => ({
    addresses: [`192.0.2.${index + 1}`],
    conditions: { ready: isReady },
  }));
  const labels = { 'kubernetes.io/service-name': 'muster' };
  const slice = {
    ...named('EndpointSlice', { addressType: 'IPv4', ports: [], endpoints }),
    apiVersion: 'discovery.k8s.io/v1',
  };
  await controlPlane.apply({ ...slice, metadata: { ...slice.metadata, labels } });
}

export async function registerAtPort(controlPlane: ControlPlane, port: number): Promise<void> {
  const target = { service: { namespace: 'muster-system', name: 'muster' } };
  const configurations = [validatingWebhookConfiguration({ target }), mutatingWebhookConfiguration({ target })];
  const moved = configurations.map((each) => ({
    ...each,
    webhooks: each.webhooks.map((webhook) => {
      const { service } = webhook.clientConfig as Json;
      return { ...webhook, clientConfig: { service: { ...service, port } } };
    }),
  }));
  await controlPlane.apply(...moved);
  await settled(controlPlane);
}

function named(kind: string, rest: object): { metadata: object } {
  return { apiVersion: 'v1', kind, metadata: { name: 'muster', namespace: 'muster-system' }, ...rest } as never;
}
