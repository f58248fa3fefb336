/**
 * An API server that must present a client certificate: with the right one its calls are served, with none they are
 * not.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Caller, callerCa } from '../../support/callers.ts';
import { newFolder } from '../../support/folder.ts';
import {
  type ControlPlane,
  type Muster,
  register,
  servingCertificates,
  startControlPlane,
  startMuster,
  until,
} from './harness/index.ts';
import { claim } from './verbs/objects.ts';

const folder = newFolder().path;
const ca = callerCa();
let controlPlane: ControlPlane;
/** The API server has a client certificate for the first, and none for the second. */
let muster: Muster;
let other: Muster;

beforeAll(async () => {
  const certs = await servingCertificates(join(folder, 'certs'));
  const args = ['--client-ca-file', write('callers.crt', ca.pem), '--client-name', 'kube-apiserver'];
  [muster, other] = await Promise.all([startMuster({ args, certs }), startMuster({ args, certs })]);
  controlPlane = await startControlPlane({ admissionConfig: admissionConfig(muster.port, ca.issue('kube-apiserver')) });
});
afterAll(async () => {
  await controlPlane?.stop();
  await Promise.all([muster?.stop(), other?.stop()]);
});

test('calls of an API server that presents its certificate get verdicts', async () => {
  await register(controlPlane, muster);
  const stderr = expect.stringContaining('[claim/reserved-name]');
  expect(await create('mine.k8s.io')).toMatchObject({ code: 1, stderr });
  expect(await create('id.k8s.io')).toMatchObject({ code: 0 });
});

test('without a certificate the calls of the API server fail, and under Fail nothing is stored', async () => {
  await register(controlPlane, other, { failurePolicy: 'Fail' });
  // The connection may break before the alert is read.
  await until('an error that names the cause', async () => {
    const { code, stderr } = await create('clusterset.k8s.io');
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/failed calling webhook/) });
    return stderr.includes('certificate required');
  });
  const path = '/apis/multicluster.x-k8s.io/v1alpha1/clusterclaims/clusterset.k8s.io';
  expect((await controlPlane.api('jane').call('GET', path)).status).toBe(404);
});

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text, { mode: 0o600 });
  return join(folder, name);
}

/** As docs/callers.md describes it, for the server at that port. */
function admissionConfig(port: number, { cert, key }: Caller): object {
  const user = { 'client-certificate': write('api.crt', cert), 'client-key': write('api.key', key) };
  const kubeconfig = { apiVersion: 'v1', kind: 'Config', users: [{ name: `127.0.0.1:${port}`, user }] };
  const kubeConfigFile = write('webhooks.kubeconfig', JSON.stringify(kubeconfig));
  const apiVersion = 'apiserver.config.k8s.io/v1';
  const configuration = { apiVersion, kind: 'WebhookAdmissionConfiguration', kubeConfigFile };
  const plugins = ['ValidatingAdmissionWebhook', 'MutatingAdmissionWebhook'].map((name) => ({ name, configuration }));
  return { apiVersion, kind: 'AdmissionConfiguration', plugins };
}

function create(name: string) {
  return controlPlane.kubectl('jane', ['create', '-f', '-'], claim(name, 'a'));
}
