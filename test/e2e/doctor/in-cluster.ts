/** A server that the API server calls by its Service, with a certificate out of a Secret, as in a cluster. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { partOf } from '../../../src/manifests/installation.ts';
import { mutatingWebhookConfiguration, validatingWebhookConfiguration } from '../../../src/manifests/registration.ts';
import { type ControlPlane, type Muster, settled, startMuster } from '../harness/index.ts';
import type { Shell } from './bench.ts';

export const SECRET = '/api/v1/namespaces/muster-system/secrets/muster-tls';

/** A name for this machine. */
const SERVICE = {
  ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'muster', namespace: 'muster-system' } },
  spec: { type: 'ExternalName', externalName: '127.0.0.1' },
};

const MAKE_CERTIFICATES =
  'muster certs --secret muster-system/muster-tls --service muster-system/muster --webhook muster';

export interface InCluster {
  /** Lets the server have what is in the Secret now. */
  mount(): Promise<void>;
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
  const secret = partOf('certs', { image: 'none' }).filter(({ kind }) => kind === 'Secret');
  await controlPlane.apply(...secret, SERVICE);
  await registerAtPort(controlPlane, 443);
  await shell.run(MAKE_CERTIFICATES);
  await mount();
  const muster: Muster = await startMuster({ controlPlane, certs: folder });
  await registerAtPort(controlPlane, muster.port);
  return {
    mount,
    async stop() {
      await muster.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function registerAtPort(controlPlane: ControlPlane, port: number): Promise<void> {
  const target = { service: { namespace: 'muster-system', name: 'muster', port } };
  await controlPlane.apply(validatingWebhookConfiguration({ target }), mutatingWebhookConfiguration({ target }));
  await settled(controlPlane);
}
