/**
 * An installation by the printed manifests and by kustomize: applied twice without a change, limited to its rights,
 * called through its Service. Beside it, Kubernetes' checker of types reads the fallback policies.
 */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { LEASES, NAMESPACE } from '../../../src/manifests/names.ts';
import { sectionOf } from './guides/page.ts';
import {
  type ControlPlane,
  createApi,
  type Json,
  type Muster,
  mountSecret,
  openShell,
  registerService,
  settled,
  startControlPlane,
  startMuster,
  until,
} from './harness/index.ts';
import { CERT_MANAGER, kubeconfigOf, manifests, runCertsJob } from './install/steps.ts';
import { fallbackPolicies } from './policies/cluster.ts';
import { claim } from './verbs/objects.ts';

let controlPlane: ControlPlane;
let muster: Muster | undefined;
let printed: string;

beforeAll(async () => {
  [controlPlane, printed] = await Promise.all([
    startControlPlane({ controllerManager: true, crds: 'published' }),
    manifests('--image', 'registry.example.com/kube-muster:test'),
  ]);
  await controlPlane.apply(...CERT_MANAGER);
});
afterAll(async () => {
  await muster?.stop();
  await controlPlane?.stop();
});

/** Applies as the administrator; a warning counts as an error. */
const apply = (args: readonly string[], text?: string) =>
  controlPlane.kubectl('admin', ['apply', '--warnings-as-errors', ...args], text);
const get = async (path: string): Promise<Json> => (await controlPlane.api('admin').call('GET', path)).body;
const inNamespace = (group: string, resource: string) => `${group}/namespaces/${NAMESPACE}/${resource}`;
const LEASE = inNamespace('/apis/coordination.k8s.io/v1', `leases/${LEASES[0]}`);
const SECRET = inNamespace('/api/v1', 'secrets/muster-tls');
const create = (name: string, text: string) => controlPlane.kubectl('jane', ['create', '-f', '-'], claim(name, text));

/** Returns all installed objects without the fields that the cluster writes. */
async function installed(): Promise<Json[]> {
  const { stdout } = await controlPlane.kubectl('admin', ['get', '-f', '-', '-o', 'json'], printed);
  return JSON.parse(stdout).items.map(({ status: _, metadata, ...rest }: Json) => {
    const { resourceVersion: __, managedFields: ___, annotations: ____, ...kept } = metadata;
    return { ...rest, metadata: kept };
  });
}

test.each([
  ['printed, applied client-side', ['-f', '-']],
  ['printed, applied server-side', ['--server-side', '--force-conflicts', '-f', '-']],
  ['the base of kustomize', ['-k', 'manifests/base']],
])('%s: accepted without a warning, and applied again without a change', async (_, args) => {
  const text = args.includes('-f') ? printed : undefined;
  expect(await apply(args, text)).toMatchObject({ code: 0, stderr: '' });
  // What a running server has written, and no manifest holds.
  const api = controlPlane.api('admin');
  const spec = { holderIdentity: 'held', leaseDurationSeconds: 60, leaseTransitions: 1 };
  expect((await api.call('PATCH', LEASE, { spec })).status).toBe(200);
  expect((await api.call('PATCH', SECRET, { data: { 'tls.crt': 'eA==' } })).status).toBe(200);
  const before = await installed();
  const { stdout, ...again } = await apply(args, text);
  expect(again).toMatchObject({ code: 0, stderr: '' });
  expect(stdout.split('\n').filter((line) => line.startsWith('flowschema.'))).toEqual([
    expect.stringMatching(/ (?:unchanged|serverside-applied)$/),
  ]);
  expect(await installed()).toEqual(before);
  expect([(await get(LEASE)).spec.holderIdentity, (await get(SECRET)).data]).toEqual(['held', { 'tls.crt': 'eA==' }]);
});

test('the pods are admitted: two servers and a job', async () => {
  const path = inNamespace('/api/v1', 'pods');
  await until('three pods', async () => (await get(path)).items.length >= 3);
  const { items } = await get(inNamespace('/api/v1', 'events'));
  const messages = items.map(({ message }: Json) => message);
  expect(messages.filter((text: string) => /PodSecurity|forbidden: (?!.*quota)/.test(text))).toEqual([]);
});

describe('kustomize', () => {
  const build = async (folder: string) => {
    const { code, stdout, stderr } = await controlPlane.kubectl('admin', ['kustomize', folder]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return objectsOf(stdout);
  };
  const webhooksOf = (objects: Json[]) => objects.flatMap(({ webhooks = [] }) => webhooks);

  test('the base is what is printed', async () => {
    expect(await build('manifests/base')).toEqual(objectsOf(await manifests()));
  });

  test.each(['first-rollout', 'ha', 'url', 'cert-manager', 'scan'])('the overlay %s is accepted', async (overlay) => {
    const outcome = await apply(['--dry-run=server', '-k', `manifests/overlays/${overlay}`]);
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
  });

  test('url: address and CA go into every webhook, and no workload is installed', async () => {
    const copy = join(controlPlane.folder, 'manifests');
    cpSync('manifests', copy, { recursive: true });
    const file = join(copy, 'overlays/url/address.yaml');
    const text = readFileSync(file, 'utf8')
      .replace('muster.example.com:8443', 'fleet.example:443')
      .replace('""', 'Y2E=');
    writeFileSync(file, text);
    const objects = await build(join(copy, 'overlays/url'));
    for (const { name, clientConfig } of webhooksOf(objects))
      expect(clientConfig).toEqual({ url: `https://fleet.example:443/${name.split('.')[1]}`, caBundle: 'Y2E=' });
    expect(objects.filter(({ kind }) => ['ConfigMap', 'Deployment', 'Secret', 'Job'].includes(kind))).toEqual([]);
  });
});

describe('with exactly these rights', () => {
  test('the job issues a certificate, and every webhook gets its CA, which survives another apply', async () => {
    await controlPlane.api('admin').call('PATCH', SECRET, { data: null });
    const { code, stdout, stderr } = await runCertsJob(controlPlane);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).not.toContain('PRIVATE');
    for (const flags of [[], ['--server-side', '--force-conflicts']])
      expect(await apply([...flags, '-k', 'manifests/base'])).toMatchObject({ code: 0, stderr: '' });
    const { webhooks } = await get('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/muster');
    const { data } = await get(SECRET);
    for (const { clientConfig } of webhooks) expect(clientConfig.caBundle).toBe(data['ca.crt']);
  });

  test('the server starts on the mounted Secret, and is called through its Service', async () => {
    await controlPlane.api('admin').call('PATCH', LEASE, { spec: { holderIdentity: null } });
    const certs = await mountSecret(controlPlane);
    muster = await startMuster({ certs, args: ['--kubeconfig', await kubeconfigOf(controlPlane, 'muster')] });
    await registerService(controlPlane, muster.port);
    expect(await create('mine.k8s.io', 'a')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('[claim/reserved-name]'),
    });
  });

  test('it locks an identity write, reads the claims, and refuses what breaks a rule', async () => {
    expect(await create('id.k8s.io', 'pier-7')).toMatchObject({ code: 0 });
    expect(await create('clusterset.k8s.io', 'fleet')).toMatchObject({ code: 0, stderr: '' });
    expect((await get(LEASE)).spec.holderIdentity).toMatch(/^\S{16,}$/);
    const { code, stderr } = await controlPlane.kubectl('jane', ['apply', '-f', '-'], claim('id.k8s.io', 'pier-8'));
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('[claim/id-immutable-in-clusterset]'),
    });
    expect(muster?.log()).not.toMatch(/forbidden/i);
  });

  test('calls of the server do not queue behind the writes that wait for them', async () => {
    const kubeconfig = JSON.parse(readFileSync(await kubeconfigOf(controlPlane, 'muster'), 'utf8'));
    const api = createApi(controlPlane.url, readFileSync(controlPlane.caFile, 'utf8'), kubeconfig.users[0].user.token);
    const schema = await get('/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas/muster');
    expect(schema.status.conditions).toEqual([expect.objectContaining({ type: 'Dangling', status: 'False' })]);
    for (const path of ['/apis/multicluster.x-k8s.io/v1alpha1/clusterclaims/id.k8s.io', LEASE]) {
      const { status, headers } = await api.call('GET', path);
      expect([status, headers['x-kubernetes-pf-flowschema-uid']]).toEqual([200, schema.metadata.uid]);
    }
    api.close();
  });
});

test('a server outside of the cluster, with the kubeconfig of the guide, is called by its URL', async () => {
  const shell = await openShell(controlPlane);
  const [, recipe = '', renewal = ''] = sectionOf('docs/operations.md', 'A server outside of the cluster').commands;
  // Of the control plane of the tests, the CA is a file.
  writeFileSync(join(shell.folder, 'api-ca.crt'), readFileSync(controlPlane.caFile));
  const made = await shell.run(recipe.replace(/^kubectl config view .* > api-ca\.crt\n/m, ''));
  expect(made).toMatchObject({ code: 0, stderr: '' });
  expect(await shell.run(renewal)).toMatchObject({ code: 0, stderr: '' });
  const outside = await startMuster({ args: ['--kubeconfig', join(shell.folder, 'muster.kubeconfig')] });
  try {
    await muster?.stop();
    const byUrl = await manifests('--url', outside.url, '--ca-file', outside.caFile);
    expect(await apply(['-f', '-'], byUrl)).toMatchObject({ code: 0, stderr: '' });
    await settled(controlPlane);
    expect(await create('theirs.k8s.io', 'a')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('[claim/reserved-name]'),
    });
  } finally {
    await outside.stop();
  }
});

test('the type checker of Kubernetes has no complaint about the fallback policies', async () => {
  await controlPlane.apply(...fallbackPolicies().policies);
  const path = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
  const read = async (): Promise<Json[]> => (await get(path)).items;
  const isChecked = ({ status }: Json) => status?.observedGeneration !== undefined;
  await until('every policy to be checked', async () => (await read()).every(isChecked));
  expect((await read()).flatMap(({ status }) => status.typeChecking?.expressionWarnings ?? [])).toEqual([]);
});

function objectsOf(text: string): Json[] {
  const objects = parseAllDocuments(text).map((document) => document.toJS());
  return objects.sort((a, b) => `${a.kind} ${a.metadata.name}`.localeCompare(`${b.kind} ${b.metadata.name}`));
}
