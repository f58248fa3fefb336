/** `muster doctor` on a server that the API server calls by its Service, with a certificate out of a Secret. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { partOf } from '../../src/manifests/installation.ts';
import { issueCertificates } from '../../src/tls/issue.ts';
import { edit, examine, findingsOf, install, openShell, remove, type Shell } from './doctor/bench.ts';
import { type InCluster, putBehind, registerAtPort, SECRET, SERVICE, serveInCluster } from './doctor/in-cluster.ts';
import { type ControlPlane, startControlPlane } from './harness/index.ts';

let controlPlane: ControlPlane;
let shell: Shell;
let inCluster: InCluster;

const only = async (found: object, told: string, says: RegExp) => {
  const report = await examine(controlPlane);
  expect(findingsOf(report)).toEqual(found);
  const check = report.checks.find(({ id }) => id === told);
  expect(check?.message).toMatch(says);
  return check?.remedy ?? '';
};

beforeAll(async () => {
  controlPlane = await startControlPlane();
  await install(controlPlane);
  shell = await openShell(controlPlane);
  inCluster = await serveInCluster(controlPlane, shell);
});
afterAll(async () => {
  shell?.close();
  await controlPlane?.stop();
  await inCluster?.stop();
});

test('all is well: Service and Secret too', async () => {
  const report = await examine(controlPlane);
  expect(findingsOf(report)).toEqual({});
  const told = Object.fromEntries(report.checks.map(({ id, message }) => [id, message]));
  expect(told).toMatchObject({
    'workload/service': 'leads to 127.0.0.1',
    'certificate/secret': expect.stringMatching(/^valid until /),
  });
});

test.each([
  ['text that is none', { 'tls.crt': 'rubbish' }, /tls\.crt is no PEM certificate/],
  ['a key that is none', { 'tls.key': 'rubbish' }, /tls\.key is not the key/],
  ['nothing', { 'tls.crt': '', 'tls.key': '', 'ca.crt': '' }, /none yet/],
])('a Secret with %s: named, nothing of it shown, and mended', async (_, data: Record<string, string>, says) => {
  await edit(controlPlane, SECRET, (secret) => {
    for (const [name, text] of Object.entries(data)) secret.data[name] = Buffer.from(text).toString('base64');
  });
  const remedy = await only({ 'certificate/secret': 'fail' }, 'certificate/secret', says);
  expect(JSON.stringify(await examine(controlPlane))).not.toMatch(/rubbish|PRIVATE/);
  await shell.run(remedy);
  await inCluster.mount();
  await until({});
});

test('the key of another certificate', async () => {
  const { key } = await issueCertificates({ names: ['muster.muster-system.svc'] });
  await edit(controlPlane, SECRET, ({ data }) => {
    data['tls.key'] = Buffer.from(key).toString('base64');
  });
  await shell.run(await only({ 'certificate/secret': 'fail' }, 'certificate/secret', /not the key of tls\.crt/));
  await inCluster.mount();
  await until({});
});

test('rotation is due when two thirds of a life are over', async () => {
  const report = await examine(controlPlane, { clock: () => Date.now() + 61 * 24 * 3_600_000 });
  expect(findingsOf(report)).toMatchObject({ 'certificate/secret': 'warn' });
});

test('a CA that the API server was not told of', async () => {
  const { ca } = await issueCertificates({ names: ['muster.muster-system.svc'] });
  await edit(controlPlane, SECRET, ({ data }) => {
    const own = Buffer.from(data['ca.crt'], 'base64').toString();
    data['ca.crt'] = Buffer.from(`${own}\n${ca}`).toString('base64');
  });
  await shell.run(await only({ 'certificate/secret': 'fail' }, 'certificate/secret', /CA that caBundle lacks/));
  expect(findingsOf(await examine(controlPlane))).toEqual({});
});

test('a match condition too many: replaced, and the caBundle put back', async () => {
  const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/muster';
  const { body } = await controlPlane.api('admin').call('GET', path);
  const { port } = body.webhooks[0].clientConfig.service;
  await edit(controlPlane, path, ({ webhooks }) => {
    webhooks[0].matchConditions.push({ name: 'never', expression: 'false' });
  });
  const { checks } = await examine(controlPlane);
  const remedy = checks.find(({ id }) => id === 'registration/claims.validate.muster')?.remedy ?? '';
  expect(remedy).toMatch(/kubectl replace -f - && muster certs /);
  await shell.run(remedy);
  // Here alone the Service is no address of the cluster, and keeps the server's own port.
  await registerAtPort(controlPlane, port);
  expect(findingsOf(await examine(controlPlane))).toEqual({});
});

/** Besides the probes: an API server goes on calling for a while over the connections it has. */
async function foundBesides(): Promise<object> {
  const all = Object.entries(findingsOf(await examine(controlPlane)));
  return Object.fromEntries(all.filter(([id]) => !id.startsWith('probe/')));
}

test('no Service', async () => {
  await remove(controlPlane, SERVICE);
  expect(await foundBesides()).toEqual({ 'workload/service': 'fail' });
  const { checks } = await examine(controlPlane);
  const remedy = checks.find(({ id }) => id === 'workload/service')?.remedy;
  expect(remedy).toBe('muster manifests --only workload --image REGISTRY/muster:TAG | kubectl apply -f -');
  const [deployment = {}] = partOf('workload', { image: 'registry.example.com/muster:1.2.3' }).filter(
    ({ kind }) => kind === 'Deployment',
  );
  await controlPlane.apply(deployment);
  const known = (await examine(controlPlane)).checks.find(({ id }) => id === 'workload/service')?.remedy;
  expect(known).toContain(' --image registry.example.com/muster:1.2.3 |');
  await remove(controlPlane, await controlPlane.pathOf(deployment));
  await inCluster.service();
  await until({});
});

test('nobody behind the Service, then one, then two', async () => {
  await remove(controlPlane, SERVICE);
  await putBehind(controlPlane, []);
  // Nor has it the port of a server that is none of the cluster's.
  expect(await foundBesides()).toEqual({ 'workload/endpoints': 'fail', 'workload/service': 'fail' });
  await putBehind(controlPlane, [true, false]);
  expect(await foundBesides()).toEqual({ 'workload/endpoints': 'warn', 'workload/service': 'fail' });
  await putBehind(controlPlane, [true, true]);
  expect(await foundBesides()).toEqual({ 'workload/service': 'fail' });
});

/** A Service is looked up in a cache of the API server's, and a certificate is loaded when it was seen. */
async function until(found: object): Promise<void> {
  const end = Date.now() + 20_000;
  while (Date.now() < end && Object.keys(findingsOf(await examine(controlPlane))).length > 0) await delay(100);
  expect(findingsOf(await examine(controlPlane))).toEqual(found);
}
