/** `muster doctor` on a real API server: one difference at a time, the checks report it, and their remedies fix it. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { doctorExitCode } from '../../../src/cli/doctor/report.ts';
import { partOf } from '../../../src/manifests/installation.ts';
import { configurationOf } from '../../support/configuration.ts';
import {
  consequencesOf,
  edit,
  examine,
  findingsOf,
  install,
  openRemedies,
  type Remedies,
  remedyOf,
  remove,
} from './doctor/bench.ts';
import { ALL_PROBES, type Case, cases, LEFTOVERS, REFUSED } from './doctor/cases.ts';
import {
  type ControlPlane,
  type Json,
  type Muster,
  mountSecret,
  register,
  registerService,
  runMuster,
  SECRET,
  startControlPlane,
  startMuster,
  succeeded,
  until,
} from './harness/index.ts';
import { bindingOf } from './harness/users.ts';
import { feature, here, id } from './verbs/objects.ts';

let controlPlane: ControlPlane;
let muster: Muster;
let fix: Remedies;

beforeAll(async () => {
  controlPlane = await startControlPlane({ users: { reader: { name: 'reader', groups: ['readers'] } } });
  await install(controlPlane);
  await controlPlane.apply(bindingOf('readers', 'cluster-reader', 'readers'), {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'cluster-reader' },
    rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list'] }],
  });
  muster = await startMuster({ controlPlane });
  await controlPlane.apply(id, feature('a', {}, here));
  await register(controlPlane, muster, { timeoutSeconds: 'printed' });
  fix = await openRemedies(controlPlane, { muster });
});
afterAll(async () => {
  await controlPlane?.stop();
  await muster?.stop();
});

test('a correct installation: every check is ok, for every kind', async () => {
  const report = await examine(controlPlane);
  expect(findingsOf(report)).toEqual({});
  expect(doctorExitCode(report, true)).toBe(0);
  expect(report.checks.map(({ id }) => id)).toEqual(expect.arrayContaining(ALL_PROBES));
});

describe('one difference', () => {
  test.each(cases.map((each) => [each.name, each] as const))('%s', async (_, each: Case) => {
    try {
      await breakAndFix(each);
    } catch (error) {
      await startAnew();
      throw error;
    }
  });
});

async function breakAndFix(each: Case): Promise<void> {
  await each.breaks({ controlPlane, muster, edit, remove });
  const report = await examine(controlPlane);
  expect(findingsOf(report)).toEqual(each.found);
  const [first = ''] = Object.keys(each.found);
  const check = report.checks.find((one) => one.id === first);
  if (each.consequences) expect(consequencesOf(report, first)).toEqual([...each.consequences].sort());
  expect(`${check?.message} ${(check?.details ?? []).map(({ message }) => message).join(' ')}`).toMatch(each.message);
  expect(doctorExitCode(report, false)).toBe(Object.values(each.found).includes('fail') ? 1 : 0);
  expect(doctorExitCode(report, true)).toBe(1);
  // The command of the remedy; without one, what the case defines.
  if (each.by === undefined) await fix(remedyOf(report, first));
  else {
    expect(check?.remedy).toMatch(each.by.remedy);
    await each.by.fixes({ controlPlane, muster, edit, remove });
  }
  expect(findingsOf(await examine(controlPlane))).toEqual({});
}

/** Restores the installation, so that one failure does not cause others. */
async function startAnew(): Promise<void> {
  for (const path of LEFTOVERS) await controlPlane.api('admin').call('DELETE', path);
  await install(controlPlane);
  await register(controlPlane, muster, { timeoutSeconds: 'printed' });
}

test('a server that does not enforce', async () => {
  const other = await startMuster({ config: { mode: 'warn' }, controlPlane });
  try {
    await register(controlPlane, other, { timeoutSeconds: 'printed' });
    const report = await examine(controlPlane);
    expect(findingsOf(report)).toEqual(Object.fromEntries(REFUSED.map((id) => [id, 'warn'])));
    const message = /passes with a warning of claim\/reserved-name.*mode: warn/;
    expect(report.checks.find(({ id }) => id === REFUSED[0])?.message).toMatch(message);
  } finally {
    await register(controlPlane, muster, { timeoutSeconds: 'printed' });
    await other.kill();
  }
});

test('a registration that lacks what the configuration needs, and the command that prints it', async () => {
  const configuration = configurationOf({
    rules: { 'inventory/sole-manager': 'deny' },
    inventory: { managers: { m: [{ user: 'admin' }] } },
  });
  const metadata = { name: 'muster-config', namespace: 'muster-system' };
  const data = { 'muster.yaml': JSON.stringify(configuration) };
  await controlPlane.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data });
  const report = await examine(controlPlane);
  expect(findingsOf(report)).toEqual({
    // A stranger may not take the label of a ClusterProfile's manager off: such a write has to be sent.
    'registration/inventory.validate.muster': 'fail',
    'registration/inventory-creations.validate.muster': 'warn',
    'registration/inventory-deletions.validate.muster': 'warn',
    'registration/inventory-owners.validate.muster': 'fail',
  });
  await fix(remedyOf(report, 'registration/inventory.validate.muster'));
  expect(findingsOf(await examine(controlPlane))).toEqual({});
  await startAnew();
});

test('with fallback policies every check is ok: they answer first', async () => {
  const { stdout } = await succeeded(runMuster(['manifests', '--policies', '-o', 'json']));
  const policies = JSON.parse(stdout).items.filter(({ metadata }: Json) =>
    metadata.name.startsWith('muster-claim-reserved-'),
  );
  await controlPlane.apply(...policies);
  const message = async () => (await examine(controlPlane)).checks.find(({ id }) => id === REFUSED[0])?.message;
  await until('the policy to be compiled', async () => (await message())?.includes('policy') ?? false);
  expect(await message()).toMatch(/^denied by the policy muster-claim-reserved-name.*, before muster is called$/);
  expect(findingsOf(await examine(controlPlane))).toEqual({});
  for (const object of policies) await remove(controlPlane, await controlPlane.pathOf(object));
});

test('without rights each check is unknown and names the missing right', async () => {
  const report = await examine(controlPlane, 'stranger');
  expect(doctorExitCode(report, false)).toBe(2);
  expect(report.summary).toMatchObject({ fail: 0, warn: 0 });
  const unknown = report.checks.filter(({ status }) => status === 'unknown');
  expect(unknown.length).toBeGreaterThan(20);
  for (const { message } of unknown) expect(message).toMatch(/you lack the right to (get|list|create) [a-z]/);
});

test('without the right to patch, objects are compared by reading, and the same differences are found', async () => {
  const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/muster';
  await edit(controlPlane, path, ({ webhooks }) => void webhooks[0].rules[0].operations.pop());
  const [mine, theirs] = await Promise.all([examine(controlPlane), examine(controlPlane, 'reader')]);
  const { id, message, details } = theirs.checks.find(({ status }) => status === 'fail') ?? {};
  expect([id, message, details]).toEqual([
    ...['registration/claims.validate.muster', 'differs in rules[0].operations'],
    mine.checks.find(({ status }) => status === 'fail')?.details,
  ]);
  const comparison = theirs.checks.find((check) => check.id === 'cluster/comparison');
  expect(comparison).toMatchObject({ status: 'warn', message: expect.stringMatching(/by reading alone/) });
  expect(comparison?.details).toContainEqual({
    message: 'you lack the right to patch validatingwebhookconfigurations.admissionregistration.k8s.io',
  });
  await register(controlPlane, muster, { timeoutSeconds: 'printed' });
});

describe('a server that is called by its Service, with a certificate out of a Secret', () => {
  let inCluster: Muster;

  beforeAll(async () => {
    const parts = ['config', 'workload', 'certs'] as const;
    const objects = parts.flatMap((part) => partOf(part, { image: 'none' }));
    await controlPlane.apply(...objects.filter(({ kind }) => kind !== 'Service' && kind !== 'Job'));
    // No controller is here to write it.
    const counts = { replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2 };
    const status = { observedGeneration: 1, ...counts };
    await controlPlane.api('admin').call('PATCH', `${DEPLOYMENT}/status`, { status });
    await registerService(controlPlane, 443, { timeoutSeconds: 'printed' });
    await fix('muster certs --secret muster-system/muster-tls --service muster-system/muster --webhook muster');
    inCluster = await startMuster({ controlPlane, certs: await mountSecret(controlPlane) });
    await registerService(controlPlane, inCluster.port, { timeoutSeconds: 'printed' });
  });
  afterAll(() => inCluster?.stop());

  test('all is well: the Secret too, and only the Service is another', async () => {
    const report = await examine(controlPlane);
    expect(findingsOf(report)).toEqual(OTHER_SERVICE);
    expect(report.checks.find((check) => check.id === 'certificate/secret')?.message).toMatch(/^valid until /);
  });

  test('a Secret without a good certificate: nothing of it is shown, and the remedy makes a new one', async () => {
    await edit(controlPlane, SECRET, ({ data }) => {
      data['tls.crt'] = Buffer.from('rubbish').toString('base64');
    });
    const report = await examine(controlPlane);
    expect(findingsOf(report)).toEqual({ ...OTHER_SERVICE, 'certificate/secret': 'fail' });
    expect(JSON.stringify(report)).not.toMatch(/rubbish|PRIVATE/);
    await fix(remedyOf(report, 'certificate/secret'));
    await mountSecret(controlPlane);
    // A certificate is loaded once the server sees it.
    await until('all to be well', async () => !('server/call' in findingsOf(await examine(controlPlane))));
    expect(findingsOf(await examine(controlPlane))).toEqual(OTHER_SERVICE);
  });

  test('no validating configuration: the remedy makes it again, with the CA of the server', async () => {
    const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/muster';
    await remove(controlPlane, path);
    await fix(remedyOf(await examine(controlPlane), 'registration/validating'));
    const { webhooks } = (await controlPlane.api('admin').call('GET', path)).body;
    const { data } = (await controlPlane.api('admin').call('GET', SECRET)).body;
    for (const { clientConfig } of webhooks) expect(clientConfig.caBundle).toBe(data['ca.crt']);
    await registerService(controlPlane, inCluster.port, { timeoutSeconds: 'printed' });
    expect(findingsOf(await examine(controlPlane))).toEqual(OTHER_SERVICE);
  });

  test('a match condition and a webhook too many: removed, and the caBundle stays', async () => {
    const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/muster';
    await edit(controlPlane, path, ({ webhooks }) => {
      webhooks[0].matchConditions.push({ name: 'never', expression: 'false' });
      webhooks.unshift({ ...webhooks[1], name: 'their.own.webhook' });
    });
    const report = await examine(controlPlane);
    expect(findingsOf(report)).toEqual({
      ...OTHER_SERVICE,
      'registration/validating': 'warn',
      'registration/claims.validate.muster': 'fail',
    });
    const remedy = remedyOf(report, 'registration/claims.validate.muster');
    expect(remedy).toMatch(/^kubectl patch validatingwebhookconfiguration muster --type=json -p '[^&]*'$/);
    await fix(remedy);
    expect(findingsOf(await examine(controlPlane))).toEqual(OTHER_SERVICE);
  });
});

const DEPLOYMENT = '/apis/apps/v1/namespaces/muster-system/deployments/muster';
/** Here alone the Service is a name for this machine, and no address of the cluster. */
const OTHER_SERVICE = { 'installation/workload': 'warn' };
