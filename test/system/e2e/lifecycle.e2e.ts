/**
 * A registration under `Fail` without a replica: the cluster can still start muster and delete namespaces. Then upgrade
 * and removal. Which writes are refused meanwhile: test/system/faults/away.fault.ts.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { NAMESPACE } from '../../../src/manifests/names.ts';
import {
  type ApiAnswer,
  type ControlPlane,
  definitionsOf,
  done,
  type Json,
  type Muster,
  mountSecret,
  registerService,
  settled,
  startControlPlane,
  startMuster,
  succeeded,
  until,
} from './harness/index.ts';
import { installedJobs, kubeconfigOf, manifests, runCertsJob } from './install/steps.ts';
import * as objects from './verbs/objects.ts';

const IMAGE = 'registry.example.com/kube-muster:1';
let controlPlane: ControlPlane;
let muster: Muster | undefined;
let printed: string;

beforeAll(async () => {
  [controlPlane, printed] = await Promise.all([
    startControlPlane({ controllerManager: true, crds: 'published' }),
    manifests('--failure-policy', 'Fail', '--image', IMAGE),
  ]);
  await admin(['apply', '-f', '-'], printed.replace('replicas: 2', 'replicas: 0'));
  await settled(controlPlane);
});
afterAll(async () => {
  await muster?.stop();
  await controlPlane?.stop();
});

async function admin(args: readonly string[], stdin?: string | object): Promise<string> {
  return (await succeeded(controlPlane.kubectl('admin', args, stdin))).stdout;
}

const get = async (path: string): Promise<Json> => (await controlPlane.api('admin').call('GET', path)).body;
const pods = async () => (await get(`/api/v1/namespaces/${NAMESPACE}/pods`)).items;
const jane = () => controlPlane.api('jane');
async function create(object: Json): Promise<ApiAnswer> {
  const path = await controlPlane.pathOf(object);
  return jane().call('POST', path.slice(0, path.lastIndexOf('/')), object);
}
const CREATED = { status: 201 };
const UNCALLED = {
  status: 500,
  body: { message: expect.stringMatching(/failed calling webhook "[a-z-]+\.\w+\.muster"/) },
};
const { id, newNamespace } = objects;
const feature = (namespace: string, name: string, finalizers: readonly string[] = []) =>
  objects.feature(name, { spec: { desired: 'Enabled' } }, { namespace, finalizers });

test('scaled from 0 to 2, the pods and the certificate are created, and a server serves', async () => {
  await admin(['scale', '-n', NAMESPACE, 'deployment/muster', '--replicas=2']);
  const servers = (all: Json[]) =>
    all.filter(({ metadata }) => metadata.labels['app.kubernetes.io/component'] === 'server');
  await until('two pods', async () => servers(await pods()).length === 2);
  const [pod] = servers(await pods());
  expect(pod.spec.priorityClassName).toBe('system-cluster-critical');
  expect(await runCertsJob(controlPlane)).toMatchObject({ code: 0 });
  const certs = await mountSecret(controlPlane);
  const args = ['--kubeconfig', await kubeconfigOf(controlPlane, 'muster')];
  muster = await startMuster({ certs, args });
  await registerService(controlPlane, muster.port, { failurePolicy: 'Fail' });
  await until('a claim', async () => (await create(id)).status === 201);
});

test('a namespace with features and finalizers can be deleted', async () => {
  await fill('harbor');
  await end('harbor');
});

test('the same without a replica', async () => {
  await fill('pier');
  await muster?.stop('SIGKILL');
  muster = undefined;
  expect(await jane().call('DELETE', featurePath('pier', 'free'))).toMatchObject(UNCALLED);
  await end('pier');
});

test('an upgrade to a new image needs only an apply', async () => {
  const next = await manifests('--image', 'registry.example.com/kube-muster:2', '--replicas', '3');
  await admin(['apply', '-f', '-'], next);
  const { spec } = await get(`/apis/apps/v1/namespaces/${NAMESPACE}/deployments/muster`);
  expect([spec.replicas, spec.template.spec.containers[0].image]).toEqual([3, 'registry.example.com/kube-muster:2']);
  expect(await installedJobs(controlPlane)).toHaveLength(2);
  await admin(['apply', '-f', '-'], printed);
  expect(await installedJobs(controlPlane)).toHaveLength(2);
});

test('an uninstall without a replica, with objects that finalizers hold, leaves nothing behind', async () => {
  await controlPlane.apply(newNamespace('quay'));
  await admin(['delete', '-f', '-'], await manifests('--only', 'webhooks'));
  await settled(controlPlane);
  expect(await create(feature('quay', 'held', ['e2e.example.com/hold']))).toMatchObject(CREATED);
  await admin(['delete', '--ignore-not-found', '--timeout=100s', '-f', '-'], printed);
  const kinds =
    'namespaces,clusterroles,clusterrolebindings,flowschemas,validatingwebhookconfigurations,mutatingwebhookconfigurations';
  expect(await admin(['get', kinds, '-l', 'app.kubernetes.io/part-of=muster', '-o', 'name'])).toBe('');
  const drafts = await manifests('--only', 'crds');
  const whole = controlPlane.kubectl('admin', ['delete', '--timeout=100s', '-f', '-'], drafts);
  await until('the definition to be going', async () =>
    Boolean(
      (await get('/apis/apiextensions.k8s.io/v1/customresourcedefinitions/features.features.x-k8s.io')).metadata
        ?.deletionTimestamp,
    ),
  );
  await release('quay', 'held');
  expect(await whole).toMatchObject({ code: 0 });
  const left = (await admin(['get', 'crds', '-o', 'name'])).trim().split('\n');
  expect(left).toHaveLength(definitionsOf('foreign').length);
});

function featurePath(namespace: string, name: string): string {
  return `/apis/features.x-k8s.io/v1alpha1/namespaces/${namespace}/features/${name}`;
}

/** Creates a namespace with two features, one of them in a transition and held by a finalizer. */
async function fill(namespace: string): Promise<void> {
  await controlPlane.apply(newNamespace(namespace));
  expect(await create(feature(namespace, 'free'))).toMatchObject(CREATED);
  expect(await create(feature(namespace, 'held', ['e2e.example.com/hold']))).toMatchObject(CREATED);
  const status = { state: 'TurningOn', transitionTasks: ['WaitForUses'] };
  done(await jane().call('PATCH', `${featurePath(namespace, 'held')}/status`, { status }));
}

/** Deletes a namespace, removes the finalizer in it, and waits until the namespace is gone. */
async function end(namespace: string): Promise<void> {
  await admin(['delete', 'namespace', namespace, '--wait=false']);
  const path = featurePath(namespace, 'held');
  await until('the feature to be going', async () => Boolean((await get(path)).metadata?.deletionTimestamp));
  await release(namespace, 'held');
  await until('the namespace to be gone', async () => (await get(`/api/v1/namespaces/${namespace}`)).code === 404);
}

async function release(namespace: string, name: string): Promise<void> {
  done(await jane().call('PATCH', featurePath(namespace, name), { metadata: { finalizers: null } }));
}
