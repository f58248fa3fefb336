/** The guide to a change between muster's job and cert-manager, as it stands. The test writes what cert-manager would. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sectionOf } from './guides/page.ts';
import {
  type ControlPlane,
  type Json,
  looseDefinition,
  openShell,
  SECRET,
  type Shell,
  startControlPlane,
} from './harness/index.ts';
import { manifests, runCertsJob } from './install/steps.ts';

const PAGE = 'docs/how-to/certificates-from-cert-manager.md';
const INJECT = 'cert-manager.io/inject-ca-from';

let controlPlane: ControlPlane;
let shell: Shell;

beforeAll(async () => {
  controlPlane = await startControlPlane();
  shell = await openShell(controlPlane);
  await controlPlane.apply(...['Issuer', 'Certificate'].map(certManagerKind));
  shell.write('muster.yaml', await manifests('--image', 'registry.example.com/kube-muster:0.1.0'));
  await done('kubectl apply -f muster.yaml');
  expect(await runCertsJob(controlPlane)).toMatchObject({ code: 0 });
});
afterAll(() => controlPlane?.stop());

/** Runs a script of the page; it has to succeed. */
async function done(script: string | undefined): Promise<string> {
  const { code, stdout, stderr } = await shell.run(script ?? 'false');
  expect({ script, code, stderr: code === 0 ? '' : stderr }).toEqual({ script, code: 0, stderr: '' });
  return stdout;
}

/** Returns the failure policies in force, and whether cert-manager fills in the CA. */
async function registered(): Promise<{ readonly policies: readonly string[]; readonly isInjected: boolean }> {
  const out = await done('kubectl get validatingwebhookconfiguration,mutatingwebhookconfiguration muster -o json');
  const { items } = JSON.parse(out);
  const policies: string[] = items.flatMap(({ webhooks }: Json) => webhooks.map((one: Json) => one.failurePolicy));
  const isInjected = items.some(({ metadata }: Json) => metadata.annotations?.[INJECT] !== undefined);
  return { policies: [...new Set(policies)].sort(), isInjected };
}

const certObjects = () =>
  done('kubectl get cronjob,job,serviceaccount,role -n muster-system -l app.kubernetes.io/component=certs -o name');

test('to cert-manager: until the end, no webhook refuses a write that it can not be called for', async () => {
  const [ignore, remove, install, restore = ''] = sectionOf(PAGE, "Change from muster's job to cert-manager").commands;
  for (const script of [ignore, remove, install]) {
    await done(script);
    expect((await registered()).policies).toEqual(['Ignore']);
  }
  expect(await registered()).toEqual({ policies: ['Ignore'], isInjected: true });
  expect(await certObjects()).toBe('');
  await done(
    'kubectl create secret generic muster-tls -n muster-system --from-literal=tls.crt=a --from-literal=tls.key=b',
  );
  await done(restore.split('\n')[0]);
  expect(await registered()).toEqual({ policies: ['Fail', 'Ignore'], isInjected: true });
});

test('and back: the job runs, and nothing of cert-manager is left', async () => {
  const [ignore, remove, install, restore] = sectionOf(PAGE, "Change from cert-manager to muster's job").commands;
  for (const script of [ignore, remove, install]) {
    await done(script);
    expect((await registered()).policies).toEqual(['Ignore']);
  }
  expect(await runCertsJob(controlPlane)).toMatchObject({ code: 0, stderr: '' });
  await done(restore);
  expect(await registered()).toEqual({ policies: ['Fail', 'Ignore'], isInjected: false });
  expect(await done('kubectl get certificate,issuer -n muster-system -o name')).toBe('');
  expect(Object.keys((await controlPlane.api('admin').call('GET', SECRET)).body.data)).toContain('ca.crt');
});

function certManagerKind(kind: string): object {
  const plural = `${kind.toLowerCase()}s`;
  return looseDefinition({ group: 'cert-manager.io', kind, plural, scope: 'Namespaced', versions: ['v1'] });
}
