/**
 * The guide to another configuration, and back: each webhook that it brings has its CA as soon as the Job has run. The
 * Job's pod never runs here, so the test runs its command wherever the API server has created it.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { HEAD } from '../../support/configuration.ts';
import { sectionOf } from './guides/page.ts';
import { type ControlPlane, type Json, openShell, type Shell, startControlPlane } from './harness/index.ts';
import { installedJobs, runCertsJob } from './install/steps.ts';

let controlPlane: ControlPlane;
let shell: Shell;
/** What the page has for kubectl: the deletion of the Job, and the apply. */
let commands: readonly string[];

beforeAll(async () => {
  controlPlane = await startControlPlane();
  shell = await openShell(controlPlane);
  const { text } = sectionOf('docs/how-to/change-the-configuration.md', '2. Put it into effect');
  const row = text.split('\n').find((line) => line.startsWith('| kubectl |')) ?? '';
  commands = [...row.matchAll(/`([^`]+)`/g)].map(([, command = '']) => command.replaceAll('\\|', '|'));
});
afterAll(() => controlPlane?.stop());

async function done(script: string): Promise<string> {
  const { code, stdout, stderr } = await shell.run(script);
  expect({ script, code, stderr: code === 0 ? '' : stderr }).toEqual({ script, code: 0, stderr: '' });
  return stdout;
}

/** Applies a configuration as the page says, and runs the Job that was created for it. Returns its new webhooks. */
async function change(configuration: string): Promise<readonly string[]> {
  shell.write('new.yaml', HEAD + configuration);
  const [remove = 'false', apply = 'false'] = commands;
  await done(remove);
  expect(await installedJobs(controlPlane)).toEqual([]);
  await done(apply.replace('…', 'registry.example.com/kube-muster:0.1.0'));
  const added = await webhooksWithoutCa();
  expect(await installedJobs(controlPlane)).toHaveLength(1);
  expect(await runCertsJob(controlPlane)).toMatchObject({ code: 0, stderr: '' });
  expect(await webhooksWithoutCa()).toEqual([]);
  return added;
}

async function failurePolicies(): Promise<Readonly<Record<string, string>>> {
  const out = await done('kubectl get validatingwebhookconfiguration,mutatingwebhookconfiguration muster -o json');
  const webhooks: readonly Json[] = JSON.parse(out).items.flatMap(({ webhooks }: Json) => webhooks);
  return Object.fromEntries(webhooks.map(({ name, failurePolicy }) => [name, failurePolicy]));
}

async function webhooksWithoutCa(): Promise<readonly string[]> {
  const out = await done('kubectl get validatingwebhookconfiguration muster -o json');
  const webhooks: readonly Json[] = JSON.parse(out).webhooks;
  return webhooks.filter(({ clientConfig }) => clientConfig.caBundle === undefined).map(({ name }) => name);
}

test('there and back, and there again', async () => {
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
    const [command = 'false'] = sectionOf(page, heading).commands;
    await done(command);
    expect(new Set(Object.values(await failurePolicies()))).toEqual(new Set(['Ignore']));
    await done('muster manifests --only webhooks --config new.yaml | kubectl apply -f -');
    expect(await failurePolicies()).toEqual(before);
    expect(await webhooksWithoutCa()).toEqual([]);
  }
});
