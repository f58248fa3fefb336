/** `muster doctor` on a server that the API server calls by its Service, with a certificate out of a Secret. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { DoctorReport } from '../../src/cli/doctor/report.ts';
import { edit, examine, findingsOf, install, openShell, type Shell } from './doctor/bench.ts';
import { type InCluster, registerAtPort, SECRET, serveInCluster } from './doctor/in-cluster.ts';
import { type ControlPlane, startControlPlane } from './harness/index.ts';

let controlPlane: ControlPlane;
let shell: Shell;
let inCluster: InCluster;

const remedyOf = ({ checks }: DoctorReport, wanted: string) => checks.find(({ id }) => id === wanted)?.remedy ?? '';

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

test('all is well: the Secret too', async () => {
  const report = await examine(controlPlane);
  expect(findingsOf(report)).toEqual({});
  const told = Object.fromEntries(report.checks.map(({ id, message }) => [id, message]));
  expect(told).toMatchObject({ 'certificate/secret': expect.stringMatching(/^valid until /) });
});

test('a Secret whose certificate is no certificate: nothing of it is shown, and the remedy makes a new one', async () => {
  await edit(controlPlane, SECRET, ({ data }) => {
    data['tls.crt'] = Buffer.from('rubbish').toString('base64');
  });
  const report = await examine(controlPlane);
  expect(findingsOf(report)).toEqual({ 'certificate/secret': 'fail' });
  expect(JSON.stringify(report)).not.toMatch(/rubbish|PRIVATE/);
  await shell.run(remedyOf(report, 'certificate/secret'));
  await inCluster.mount();
  await untilAllIsWell();
});

test('a match condition too many: replaced, and the caBundle put back', async () => {
  const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/muster';
  const { body } = await controlPlane.api('admin').call('GET', path);
  const { port } = body.webhooks[0].clientConfig.service;
  await edit(controlPlane, path, ({ webhooks }) => {
    webhooks[0].matchConditions.push({ name: 'never', expression: 'false' });
  });
  const remedy = remedyOf(await examine(controlPlane), 'registration/claims.validate.muster');
  expect(remedy).toMatch(/kubectl replace -f - && muster certs /);
  await shell.run(remedy);
  // Here alone the Service is no address of the cluster, and keeps the server's own port.
  await registerAtPort(controlPlane, port);
  expect(findingsOf(await examine(controlPlane))).toEqual({});
});

/** A Service is looked up in a cache of the API server's, and a certificate is loaded once it is seen. */
async function untilAllIsWell(): Promise<void> {
  const end = Date.now() + 20_000;
  while (Date.now() < end && Object.keys(findingsOf(await examine(controlPlane))).length > 0) await delay(100);
  expect(findingsOf(await examine(controlPlane))).toEqual({});
}
