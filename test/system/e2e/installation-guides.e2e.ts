/**
 * Guides to changes of an installation, as they stand: to another configuration and back, where each webhook that it
 * brings has its CA as soon as the Job has run; and between muster's job and cert-manager. The Job's pod never runs
 * here: the test runs its command wherever the API server has created it, and writes what cert-manager would.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { HEAD } from '../../support/configuration.ts';
import { sectionOf } from './guides/page.ts';
import { type ControlPlane, type Json, openShell, SECRET, type Shell, startControlPlane } from './harness/index.ts';
import { CERT_MANAGER, installedJobs, manifests, runCertsJob } from './install/steps.ts';

let controlPlane: ControlPlane;
let shell: Shell;

beforeAll(async () => {
  controlPlane = await startControlPlane();
  shell = await openShell(controlPlane);
});
afterAll(() => controlPlane?.stop());

/** Runs a script of a page; it has to succeed. */
async function done(script = 'false'): Promise<string> {
  const { code, stdout, stderr } = await shell.run(script);
  expect({ script, code, stderr: code === 0 ? '' : stderr }).toEqual({ script, code: 0, stderr: '' });
  return stdout;
}

/** Returns both webhook configurations. */
async function registered(): Promise<readonly Json[]> {
  const root = '/apis/admissionregistration.k8s.io/v1';
  const paths = ['validating', 'mutating'].map((type) => `${root}/${type}webhookconfigurations/muster`);
  return Promise.all(paths.map(async (path) => (await controlPlane.api('admin').call('GET', path)).body));
}

async function failurePolicies(): Promise<Readonly<Record<string, string>>> {
  const webhooks: readonly Json[] = (await registered()).flatMap(({ webhooks }) => webhooks);
  return Object.fromEntries(webhooks.map(({ name, failurePolicy }) => [name, failurePolicy]));
}

async function webhooksWithoutCa(): Promise<readonly string[]> {
  const [validating] = await registered();
  return validating.webhooks.flatMap(({ name, clientConfig }: Json) => (clientConfig.caBundle ? [] : name));
}

/**
 * Applies a configuration as the page has it for kubectl (the deletion of the Job, and the apply), and runs the Job
 * that was created for it. Returns its new webhooks.
 */
async function change(configuration: string): Promise<readonly string[]> {
  const { text } = sectionOf('docs/how-to/change-the-configuration.md', '2. Put it into effect');
  const row = text.split('\n').find((line) => line.startsWith('| kubectl |')) ?? '';
  const [remove, apply] = [...row.matchAll(/`([^`]+)`/g)].map(([, command = '']) => command.replaceAll('\\|', '|'));
  shell.write('new.yaml', HEAD + configuration);
  await done(remove);
  expect(await installedJobs(controlPlane)).toEqual([]);
  await done(apply?.replace('…', 'registry.example.com/kube-muster:0.1.0'));
  const added = await webhooksWithoutCa();
  expect(await installedJobs(controlPlane)).toHaveLength(1);
  expect(await runCertsJob(controlPlane)).toMatchObject({ code: 0, stderr: '' });
  expect(await webhooksWithoutCa()).toEqual([]);
  return added;
}

test('another configuration: there and back, and there again', async () => {
  const closed = 'services: { closedNamespaces: [kube-system] }\n';
  await done('muster manifests --only namespace | kubectl apply -f -');
  expect(await change('')).toContain('claims.validate.muster');
  expect(await change(closed)).toEqual(['service-exports.validate.muster']);
  expect(await change('')).toEqual([]);
  // Without the deletion of the Job, nothing would put the CA into this webhook.
  expect(await change(closed)).toEqual(['service-exports.validate.muster']);
});

test('in an emergency, no webhook refuses a write any more, whatever the configuration; an apply restores all', async () => {
  await change('services: { closedNamespaces: [kube-system] }\nrules: { export/namespace: deny }\n');
  const before = await failurePolicies();
  expect(before).toMatchObject({ 'service-exports.validate.muster': 'Fail' });
  for (const page of ['docs/operations.md', 'docs/runbooks/absent.md']) {
    const heading = page.endsWith('operations.md') ? 'When muster is away' : 'Fix it';
    await done(sectionOf(page, heading).commands[0]);
    expect(new Set(Object.values(await failurePolicies()))).toEqual(new Set(['Ignore']));
    await done('muster manifests --only webhooks --config new.yaml | kubectl apply -f -');
    expect(await failurePolicies()).toEqual(before);
    expect(await webhooksWithoutCa()).toEqual([]);
  }
});

/** Returns the failure policies in force, and whether cert-manager fills in the CA. */
async function summary() {
  const inject = 'cert-manager.io/inject-ca-from';
  const isInjected = (await registered()).some(({ metadata }) => metadata.annotations?.[inject] !== undefined);
  return { policies: [...new Set(Object.values(await failurePolicies()))].sort(), isInjected };
}

const PAGE = 'docs/how-to/certificates-from-cert-manager.md';
const certObjects = () =>
  done('kubectl get cronjob,job,serviceaccount,role -n muster-system -l app.kubernetes.io/component=certs -o name');

test('to cert-manager: until the end, no webhook refuses a write that it can not be called for', async () => {
  await controlPlane.apply(...CERT_MANAGER);
  shell.write('muster.yaml', await manifests('--image', 'registry.example.com/kube-muster:0.1.0'));
  await done('kubectl apply -f muster.yaml');
  const [ignore, remove, install, restore = ''] = sectionOf(PAGE, "Change from muster's job to cert-manager").commands;
  for (const script of [ignore, remove, install]) {
    await done(script);
    expect((await summary()).policies).toEqual(['Ignore']);
  }
  expect(await summary()).toEqual({ policies: ['Ignore'], isInjected: true });
  expect(await certObjects()).toBe('');
  await done(
    'kubectl create secret generic muster-tls -n muster-system --from-literal=tls.crt=a --from-literal=tls.key=b',
  );
  await done(restore.split('\n')[0]);
  expect(await summary()).toEqual({ policies: ['Fail', 'Ignore'], isInjected: true });
});

test('and back: the job runs, and nothing of cert-manager is left', async () => {
  const [ignore, remove, install, restore] = sectionOf(PAGE, "Change from cert-manager to muster's job").commands;
  for (const script of [ignore, remove, install]) {
    await done(script);
    expect((await summary()).policies).toEqual(['Ignore']);
  }
  expect(await runCertsJob(controlPlane)).toMatchObject({ code: 0, stderr: '' });
  await done(restore);
  expect(await summary()).toEqual({ policies: ['Fail', 'Ignore'], isInjected: false });
  expect(await done('kubectl get certificate,issuer -n muster-system -o name')).toBe('');
  expect(Object.keys((await controlPlane.api('admin').call('GET', SECRET)).body.data)).toContain('ca.crt');
});
