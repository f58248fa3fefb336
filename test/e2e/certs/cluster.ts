/** A cluster as the manifests leave it before `muster certs` runs, with its Secret, its registration and a kubelet that mounts the Secret. */
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ownNamespace } from '../../../src/manifests/access.ts';
import { certificates } from '../../../src/manifests/certificates.ts';
import { NAMESPACE, SERVER, TLS_SECRET, WEBHOOKS } from '../../../src/manifests/names.ts';
import { mutatingWebhookConfiguration, validatingWebhookConfiguration } from '../../../src/manifests/registration.ts';
import { type ControlPlane, type Json, type Outcome, runMuster } from '../harness/index.ts';

export const SECRET = `/api/v1/namespaces/${NAMESPACE}/secrets/${TLS_SECRET}`;
const CONFIGURATIONS = ['validating', 'mutating'].map(
  (kind) => `/apis/admissionregistration.k8s.io/v1/${kind}webhookconfigurations/${WEBHOOKS}`,
);

/** The empty Secret, and the rights of the account that fills it. */
export const installed = certificates({ namespace: NAMESPACE, image: 'none' }).filter(({ kind }) => !/Job$/.test(kind));

export async function install(controlPlane: ControlPlane): Promise<void> {
  await controlPlane.apply(ownNamespace(NAMESPACE), ...installed);
  await register(controlPlane);
}

/** Writes both webhook configurations without a CA. Their Service is an ExternalName to a port of this machine. */
export async function register(controlPlane: ControlPlane, port = 443): Promise<void> {
  const target = { service: { namespace: NAMESPACE, name: SERVER } };
  const metadata = { name: SERVER, namespace: NAMESPACE };
  const spec = { type: 'ExternalName', externalName: '127.0.0.1' };
  await controlPlane.apply({ apiVersion: 'v1', kind: 'Service', metadata, spec });
  for (const configuration of [validatingWebhookConfiguration({ target }), mutatingWebhookConfiguration({ target })]) {
    const webhooks = configuration.webhooks.map((webhook) => {
      const { service, ...clientConfig } = webhook.clientConfig;
      return { ...webhook, clientConfig: { ...clientConfig, service: { ...(service as object), port } } };
    });
    await controlPlane.apply({ ...configuration, webhooks });
  }
}

export async function unregister(controlPlane: ControlPlane): Promise<void> {
  for (const path of CONFIGURATIONS) await controlPlane.api('admin').call('DELETE', path);
}

/** Runs `muster certs` as a process. */
export function certs(kubeconfig: string, ...more: readonly string[]): Promise<Outcome> {
  const names = [
    '--secret',
    `${NAMESPACE}/${TLS_SECRET}`,
    '--service',
    `${NAMESPACE}/${SERVER}`,
    '--webhook',
    WEBHOOKS,
  ];
  return runMuster(['certs', ...names, '--kubeconfig', kubeconfig, ...more]);
}

/** Returns the Secret's values as text. */
export async function secretOf(controlPlane: ControlPlane): Promise<Record<string, string>> {
  const { body } = await controlPlane.api('admin').call('GET', SECRET);
  const values = Object.entries((body.data ?? {}) as Record<string, string>);
  return Object.fromEntries(values.map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]));
}

/** Returns the CA bundle of each webhook, as PEM. */
export async function bundlesOf(controlPlane: ControlPlane): Promise<string[]> {
  const found = CONFIGURATIONS.map(async (path) => {
    const { body } = await controlPlane.api('admin').call('GET', path);
    const bundles: string[] = (body.webhooks ?? []).map(({ clientConfig }: Json) => clientConfig.caBundle ?? '');
    return bundles.map((bundle) => Buffer.from(bundle, 'base64').toString());
  });
  return (await Promise.all(found)).flat();
}

/** Replaces the Secret's data. */
export async function overwrite(controlPlane: ControlPlane, data: Record<string, string>): Promise<void> {
  const value = Object.fromEntries(
    Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')]),
  );
  const options = { contentType: 'application/json-patch+json' };
  const patch = [{ op: 'add', path: '/data', value }];
  const { status } = await controlPlane.api('admin').call('PATCH', SECRET, patch, options);
  if (status !== 200) throw new Error(`the Secret can not be written: ${status}`);
}

export interface Mount {
  /** Returns how many pairs were mounted. */
  count(): number;
  stop(): Promise<void>;
}

const MOUNTED = ['tls.crt', 'tls.key'];

/** Mounts the Secret as a kubelet does: up to `lagMs` after a change, one link is swapped. Resolves once there are files. */
export async function mount(controlPlane: ControlPlane, folder: string, lagMs: number): Promise<Mount> {
  let last = '';
  let count = 0;
  let stopped = false;
  const sync = async () => {
    const data = await secretOf(controlPlane);
    const text = MOUNTED.map((key) => data[key] ?? '').join('');
    if (text === last || MOUNTED.some((key) => !data[key])) return;
    if (count > 0) await sleep(Math.random() * lagMs);
    last = text;
    const version = `..version-${++count}`;
    await mkdir(join(folder, version), { recursive: true });
    for (const key of MOUNTED) await writeFile(join(folder, version, key), data[key] ?? '', { mode: 0o600 });
    await symlink(version, join(folder, '..data_tmp'));
    await rename(join(folder, '..data_tmp'), join(folder, '..data'));
    if (count === 1) for (const key of MOUNTED) await symlink(join('..data', key), join(folder, key));
    else await rm(join(folder, `..version-${count - 1}`), { recursive: true });
  };
  while (count === 0) await sync();
  const running = (async () => {
    for (; !stopped; await sleep(50)) await sync();
  })();
  return {
    count: () => count,
    stop() {
      stopped = true;
      return running;
    },
  };
}
