/** The steps of an installation, as an operator takes them. Processes stand in for pods. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dialects } from '../../../src/api/dialects.ts';
import { LABELS, NAMESPACE } from '../../../src/manifests/names.ts';
import { type ControlPlane, definitionsOf, type Json, type Outcome, runMuster } from '../harness/index.ts';

/** Returns what `muster manifests` prints. @throws Error with its message */
export async function manifests(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runMuster(['manifests', ...args]);
  if (code !== 0) throw new Error(`muster manifests: ${code} ${stderr}`);
  return stdout;
}

/** Writes a kubeconfig with a token of a ServiceAccount, as a pod gets one; returns its path. */
export async function kubeconfigOf(controlPlane: ControlPlane, account: string): Promise<string> {
  const { code, stdout, stderr } = await controlPlane.kubectl('admin', ['create', 'token', account, '-n', NAMESPACE]);
  if (code !== 0) throw new Error(`no token of ${account}: ${stderr}`);
  const config = JSON.parse(readFileSync(controlPlane.kubeconfig('stranger', { namespace: NAMESPACE }), 'utf8'));
  config.users[0].user = { token: stdout.trim() };
  const file = join(controlPlane.folder, `${account}.account.kubeconfig`);
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
  return file;
}

/** Runs the Job's command with the arguments and the account of its manifest. */
export async function runCertsJob(controlPlane: ControlPlane): Promise<Outcome> {
  const { stdout } = await controlPlane.kubectl('admin', ['get', 'jobs', '-n', NAMESPACE, '-o', 'json']);
  const [job] = JSON.parse(stdout).items;
  const { serviceAccountName, containers } = job.spec.template.spec;
  return runMuster([...containers[0].args, '--kubeconfig', await kubeconfigOf(controlPlane, serviceAccountName)]);
}

/** Writes the Secret into a folder, as a pod sees it, with the CA beside it. */
export async function mountCertificate(controlPlane: ControlPlane): Promise<string> {
  const { body } = await controlPlane.api('admin').call('GET', `/api/v1/namespaces/${NAMESPACE}/secrets/muster-tls`);
  const folder = join(controlPlane.folder, 'tls');
  mkdirSync(folder, { recursive: true });
  for (const key of ['tls.crt', 'tls.key', 'ca.crt'])
    writeFileSync(join(folder, key), Buffer.from(body.data[key], 'base64'), { mode: 0o600 });
  return folder;
}

/** Points the Service to a port of this machine. An ExternalName has no ports, so the registration names it. */
export async function leadServiceTo(controlPlane: ControlPlane, port: number): Promise<void> {
  const api = controlPlane.api('admin');
  const path = `/api/v1/namespaces/${NAMESPACE}/services`;
  await api.call('DELETE', `${path}/muster`);
  const spec = { type: 'ExternalName', externalName: '127.0.0.1' };
  const { status } = await api.call('POST', path, { metadata: { name: 'muster', labels: LABELS }, spec });
  if (status !== 201) throw new Error(`the Service cannot be made: ${status}`);
  for (const kind of ['validatingwebhookconfigurations', 'mutatingwebhookconfigurations']) {
    const at = `/apis/admissionregistration.k8s.io/v1/${kind}/muster`;
    const { body } = await api.call('GET', at);
    const patch = body.webhooks.map((_: Json, index: number) => ({
      op: 'replace',
      path: `/webhooks/${index}/clientConfig/service/port`,
      value: port,
    }));
    const options = { contentType: 'application/json-patch+json' };
    const answer = await api.call('PATCH', at, patch, options);
    if (answer.status !== 200) throw new Error(`${kind}: ${answer.status} ${answer.body.message}`);
  }
}

/** Returns the CRDs that muster's manifests do not install. */
export function foreignKinds(): object[] {
  const ours = new Set(dialects.filter((dialect) => dialect.ours).map(({ plural, group }) => `${plural}.${group}`));
  return definitionsOf('published').filter((crd: Json) => !ours.has(crd.metadata.name));
}
