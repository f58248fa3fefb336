/** The Helm chart on a real API server: installed, upgraded, accepted by doctor, and removed by Helm 3 and Helm 4. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { NAMESPACE } from '../../../src/manifests/names.ts';
import { newFolder } from '../../support/folder.ts';
import { CHART, HELMS, type Helm, helm } from './chart/helm.ts';
import { edit, examine, findingsOf, openRemedies, remedyOf, remove } from './doctor/bench.ts';
import {
  type ControlPlane,
  ensureTools,
  type Json,
  SECRET,
  startControlPlane,
  succeeded,
  whyNoTools,
} from './harness/index.ts';
import { installedJobs, runCertsJob } from './install/steps.ts';

let controlPlane: ControlPlane;

beforeAll(async () => {
  controlPlane = await startControlPlane({ crds: 'foreign' });
});
afterAll(() => controlPlane?.stop());

const VALUES = {
  image: { repository: 'registry.example.com/kube-muster' },
  crds: { clusterClaims: true, inventoryClusters: true, features: true },
};
const CRDS = ['clusterclaims.multicluster', 'features.features', 'inventoryclusters.multicluster'].map(
  (name) => `${name}.x-k8s.io`,
);
/** A configuration that enforces more, and so needs other webhooks. */
const STRICT = {
  ...VALUES,
  replicas: 3,
  scan: { enabled: true },
  configuration: { rules: { 'inventory/sole-manager': 'deny' }, inventory: { managers: { m: [{ user: 'jane' }] } } },
};

const get = async (path: string): Promise<Json> => (await controlPlane.api('admin').call('GET', path)).body;
const WEBHOOKS = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/muster';
const inNamespace = (group: string, object: string) => `${group}/namespaces/${NAMESPACE}/${object}`;

async function onlyJob(): Promise<string> {
  const jobs = await installedJobs(controlPlane);
  expect(jobs).toHaveLength(1);
  return jobs[0].metadata.name;
}

/** Runs Helm as the administrator. @throws Error with what it said */
async function run(
  version: Helm,
  verb: 'install' | 'upgrade' | 'uninstall',
  values?: object,
  release = 'muster',
): Promise<void> {
  const chart = values === undefined ? [] : [CHART];
  const more = verb === 'install' ? ['--create-namespace'] : [];
  const env = { KUBECONFIG: controlPlane.kubeconfig('admin') };
  const args = [verb, release, ...chart, '--namespace', NAMESPACE, ...more];
  await succeeded(helm(version, args, values, env));
}

/** Returns what is there of the release, as KIND/NAME: by the label of every object, and Helm's own records. */
async function left(): Promise<string[]> {
  const admin = (args: readonly string[]) => controlPlane.kubectl('admin', args);
  const { stdout: resources } = await admin(['api-resources', '--verbs=list', '-o', 'name']);
  const kinds = resources.trim().split('\n').join(',');
  const chosen = ['app.kubernetes.io/managed-by=Helm', 'owner=helm'];
  const lists = await Promise.all(chosen.map((label) => admin(['get', kinds, '-A', '-o', 'name', '-l', label])));
  return lists.flatMap(({ stdout }) => stdout.split('\n').filter((line) => line !== ''));
}

/** Returns the folder of a chart from before one section of the values, and one value of another section. */
function olderChart(): string {
  const folder = join(newFolder().path, 'kube-muster');
  cpSync(CHART, folder, { recursive: true });
  const edit = (file: string, change: (content: Json) => void) => {
    const content = parse(readFileSync(join(folder, file), 'utf8'));
    change(content);
    writeFileSync(join(folder, file), file.endsWith('.json') ? JSON.stringify(content) : stringify(content));
  };
  const without = (section: Json, name: string) => {
    delete section.properties[name];
    section.required = section.required.filter((key: string) => key !== name);
  };
  edit('values.schema.json', (schema) => {
    without(schema, 'registrar');
    without(schema.properties.scan, 'services');
  });
  edit('values.yaml', (values) => {
    delete values.registrar;
    delete values.scan.services;
  });
  return folder;
}

/** No controller starts pods here, so nothing answers the probes; all else must be right. */
const NO_PODS = { 'workload/available': 'wait' };

async function expectRight(): Promise<void> {
  const report = await examine(controlPlane);
  expect(report.checks.filter(({ status }) => status === 'unknown')).toEqual([]);
  expect(findingsOf(report)).toEqual(NO_PODS);
}

const toolsAreThere = whyNoTools() === undefined || process.env['E2E'] === 'required';
describe.each(toolsAreThere ? HELMS : [])('%s', (version) => {
  test('installs what doctor accepts, once the Job has run', async () => {
    await run(version, 'install', VALUES);
    expect(findingsOf(await examine(controlPlane))).toEqual({ 'certificate/job': 'wait' });
    expect(await runCertsJob(controlPlane)).toMatchObject({ code: 0, stderr: '' });
    await expectRight();
  });

  test('upgrades to another configuration; certificates and CA stay', async () => {
    const [{ webhooks: before }, { data }] = await Promise.all([get(WEBHOOKS), get(SECRET)]);
    const job = await onlyJob();
    await run(version, 'upgrade', STRICT);
    // A new webhook needs the CA: another Job runs, and not only the hourly CronJob.
    expect(await onlyJob()).not.toBe(job);
    expect(await runCertsJob(controlPlane)).toMatchObject({ code: 0, stderr: '' });
    await expectRight();
    const { webhooks } = await get(WEBHOOKS);
    const names = (list: Json[]) => list.map(({ name }) => name);
    const added = names(webhooks).filter((name) => !names(before).includes(name));
    expect(added).toEqual(['inventory-owners.validate.muster']);
    for (const { clientConfig } of webhooks) expect(clientConfig.caBundle).toBe(data['ca.crt']);
    expect((await get(SECRET)).data).toEqual(data);
    expect((await get(inNamespace('/apis/apps/v1', 'deployments/muster'))).spec.replicas).toBe(3);
    expect((await get(inNamespace('/apis/batch/v1', 'cronjobs/muster-scan'))).kind).toBe('CronJob');
  });

  test('doctor finds what others changed, and its commands leave the objects to the release', async () => {
    await edit(controlPlane, WEBHOOKS, ({ metadata, webhooks }) => {
      webhooks[0].matchConditions.push({ name: 'never', expression: 'false' });
      webhooks[0].rules[0].operations.pop();
      // As `kubectl replace` does.
      delete metadata.labels;
      delete metadata.annotations;
    });
    await edit(controlPlane, inNamespace('/apis/apps/v1', 'deployments/muster'), ({ spec }) => {
      spec.template.spec.containers[0].image = 'example.com/other:1';
    });
    const report = await examine(controlPlane);
    const found = { 'registration/claims.validate.muster': 'fail', 'installation/workload': 'warn' };
    expect(findingsOf(report)).toEqual({ ...NO_PODS, 'registration/validating': 'fail', ...found });
    const { [version]: program } = await ensureTools();
    const fix = await openRemedies(controlPlane, { programs: { helm: `exec "${program}" "$@"` } });
    for (const id of Object.keys(found)) await fix(remedyOf(report, id));
    await expectRight();
  });

  test('upgrades back to the default configuration', async () => {
    await run(version, 'upgrade', VALUES);
    await expectRight();
  });

  test('uninstalls all but the CRDs', async () => {
    await run(version, 'uninstall');
    expect((await left()).sort()).toEqual(CRDS.map((name) => `customresourcedefinition.apiextensions.k8s.io/${name}`));
  });

  test('upgrades from a chart with fewer values: reused values lack some, and take their defaults if reset first', async () => {
    const env = { KUBECONFIG: controlPlane.kubeconfig('admin') };
    const call = (verb: string, chart: string, values: object, ...flags: string[]) =>
      helm(version, [verb, 'muster', chart, '--namespace', NAMESPACE, ...flags], values, env);
    await succeeded(call('install', olderChart(), { ...VALUES, replicas: 3 }));
    const { code, stderr } = await call('upgrade', CHART, {}, '--reuse-values');
    expect(code).toBe(1);
    expect(stderr).toMatch(/missing property 'registrar'/);
    expect(stderr).toMatch(/\/scan': missing property 'services'/);
    await succeeded(call('upgrade', CHART, {}, '--reset-then-reuse-values'));
    expect((await get(inNamespace('/apis/apps/v1', 'deployments/muster'))).spec.replicas).toBe(3);
    await run(version, 'uninstall');
    // They stay, and belong to this release.
    for (const name of CRDS)
      await remove(controlPlane, `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`);
  });
});

(toolsAreThere ? test : test.skip)('a release of another name is installed, and doctor accepts it too', async () => {
  await run('helm-4', 'install', VALUES, 'fleet');
  expect(await runCertsJob(controlPlane)).toMatchObject({ code: 0, stderr: '' });
  expect(await onlyJob()).toMatch(/^fleet-muster-certs-/);
  await expectRight();
});
