/** An API server that must show muster a certificate: it is configured to, a stranger has another, and without one its calls fail. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { issueCertificates } from '../../src/tls/issue.ts';
import { type Caller, callerCa } from '../tls/callers.ts';
import { type ControlPlane, type Muster, register, startControlPlane, startMuster, until } from './harness/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'muster-e2e-callers-'));
const ca = callerCa();
let controlPlane: ControlPlane;
let muster: Muster;
let other: Muster;
let serverCa: string;

beforeAll(async () => {
  const certs = join(folder, 'certs');
  const issued = await issueCertificates({ names: ['127.0.0.1', 'localhost'] });
  serverCa = issued.ca;
  mkdirSync(certs);
  for (const [name, text] of Object.entries({ 'ca.crt': issued.ca, 'tls.crt': issued.cert, 'tls.key': issued.key })) {
    writeFileSync(join(certs, name), text);
  }
  const clientCaFile = write('callers.crt', ca.pem);
  const args = ['--client-ca-file', clientCaFile, '--client-name', 'kube-apiserver'];
  [muster, other] = await Promise.all([startMuster({ args, certs }), startMuster({ args, certs })]);
  controlPlane = await startControlPlane({ admissionConfig: admissionConfig(muster.port, ca.issue('kube-apiserver')) });
});
afterAll(async () => {
  await controlPlane?.stop();
  await Promise.all([muster?.stop(), other?.stop()]);
  rmSync(folder, { recursive: true });
});

test('the API server presents its certificate, and its calls are judged', async () => {
  await register(controlPlane, muster, { failurePolicy: 'Fail' });
  expect(await create('mine.k8s.io')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('[claim/reserved-name]'),
  });
  expect(await create('id.k8s.io')).toMatchObject({ code: 0 });
});

test('a stranger with a certificate of his own, of another name, or with none does not get in', async () => {
  const before = await decisions();
  for (const caller of [callerCa().issue('kube-apiserver'), ca.issue('kubelet'), {}]) {
    await expect(post(caller)).rejects.toThrow();
  }
  expect(await decisions()).toEqual(before);
  expect(await post(ca.issue('kube-apiserver'))).toBe(200);
});

test('without a certificate its calls fail, and under Fail nothing is written', async () => {
  await register(controlPlane, other, { failurePolicy: 'Fail' });
  // A request on its way can make a broken pipe of it; nobody sees that time after time.
  await until('an answer that says why', async () => {
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

/** As docs/callers.md has it: for the server at that port alone. */
function admissionConfig(port: number, { cert, key }: Caller): object {
  const user = { 'client-certificate': write('api.crt', cert), 'client-key': write('api.key', key) };
  const kubeconfig = { apiVersion: 'v1', kind: 'Config', users: [{ name: `127.0.0.1:${port}`, user }] };
  const kubeConfigFile = write('webhooks.kubeconfig', JSON.stringify(kubeconfig));
  const apiVersion = 'apiserver.config.k8s.io/v1';
  const plugin = (name: string) => ({
    name,
    configuration: { apiVersion, kind: 'WebhookAdmissionConfiguration', kubeConfigFile },
  });
  const plugins = [plugin('ValidatingAdmissionWebhook'), plugin('MutatingAdmissionWebhook')];
  return { apiVersion, kind: 'AdmissionConfiguration', plugins };
}

function create(name: string) {
  const claim = {
    apiVersion: 'multicluster.x-k8s.io/v1alpha1',
    kind: 'ClusterClaim',
    metadata: { name },
    spec: { value: 'a' },
  };
  return controlPlane.kubectl('jane', ['create', '-f', '-'], claim);
}

async function decisions(): Promise<readonly string[]> {
  return (await muster.metrics()).match(/^muster_decisions_total\{.*$/gm) ?? [];
}

/** The status of the answer to an empty review. */
function post(caller: Partial<Caller>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const options = { ...caller, ca: serverCa, method: 'POST', agent: false } as const;
    const sent = request(`${muster.url}/validate`, options, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.once('error', reject);
    sent.end('{}');
  });
}
