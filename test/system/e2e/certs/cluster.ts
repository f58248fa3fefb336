/** A cluster as the manifests leave it before `muster certs` runs, and a kubelet that mounts its Secret. */
import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { partOf } from '../../../../src/manifests/installation.ts';
import { NAMESPACE, SERVER, WEBHOOKS } from '../../../../src/manifests/names.ts';
import {
  type ControlPlane,
  type Json,
  type Outcome,
  registerService,
  runMuster,
  secretOf,
  TLS_SECRET,
} from '../harness/index.ts';

/** Installs the empty Secret, the rights of the account that fills it, and the registration. */
export async function install(controlPlane: ControlPlane): Promise<void> {
  const objects = partOf('certs', {}).filter(({ kind }) => !/Job$/.test(kind));
  await controlPlane.apply(...partOf('namespace', {}), ...objects);
  await registerService(controlPlane);
}

/** Runs `muster certs` as a process. */
export function certs(kubeconfig: string): Promise<Outcome> {
  const names = `--secret ${NAMESPACE}/${TLS_SECRET} --service ${NAMESPACE}/${SERVER} --webhook ${WEBHOOKS}`;
  return runMuster(['certs', ...names.split(' '), '--kubeconfig', kubeconfig]);
}

/** Returns the CA bundle of each webhook, as PEM. */
export async function bundlesOf(controlPlane: ControlPlane): Promise<string[]> {
  const found = ['validating', 'mutating'].map(async (kind) => {
    const path = `/apis/admissionregistration.k8s.io/v1/${kind}webhookconfigurations/${WEBHOOKS}`;
    const { body } = await controlPlane.api('admin').call('GET', path);
    return body.webhooks.map(({ clientConfig }: Json) => Buffer.from(clientConfig.caBundle ?? '', 'base64').toString());
  });
  return (await Promise.all(found)).flat();
}

interface Mount {
  /** Returns how many pairs were mounted. */
  count(): number;
  stop(): Promise<void>;
}

const MOUNTED = ['tls.crt', 'tls.key'];

/**
 * Mounts the Secret as a kubelet does: up to `lagMs` after a change, one link is swapped. Resolves once there are
 * files.
 */
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
