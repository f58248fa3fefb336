/** `muster doctor` on a real API server: one difference at a time, the checks report it, and their remedies fix it. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type DoctorReport, exitCodeOf } from '../../../src/cli/doctor/report.ts';
import { partOf } from '../../../src/manifests/installation.ts';
import { edit, examine, findingsOf, install, openShell, remove, type Shell } from './doctor/bench.ts';
import { ALL_PROBES, type Case, cases, LEFTOVERS, REFUSED } from './doctor/cases.ts';
import {
  type ControlPlane,
  type Json,
  type Muster,
  mountSecret,
  register,
  registerService,
  SECRET,
  startControlPlane,
  startMuster,
  until,
} from './harness/index.ts';
import { feature, here, id } from './verbs/objects.ts';

let controlPlane: ControlPlane;
let muster: Muster;
let shell: Shell;

beforeAll(async () => {
  controlPlane = await startControlPlane();
  await install(controlPlane);
  muster = await startMuster({ controlPlane });
  await controlPlane.apply(id, feature('a', {}, here));
  await register(controlPlane, muster);
  shell = await openShell(controlPlane, muster);
});
afterAll(async () => {
  shell?.close();
  await controlPlane?.stop();
  await muster?.stop();
});

test('a correct installation: every check is ok, for every kind', async () => {
  const report = await examine(controlPlane);
  expect(findingsOf(report)).toEqual({});
  expect(exitCodeOf(report, 'warning')).toBe(0);
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
  expect(`${check?.message} ${(check?.details ?? []).map(({ message }) => message).join(' ')}`).toMatch(each.message);
  expect(exitCodeOf(report, 'failure')).toBe(Object.values(each.found).includes('fail') ? 1 : 0);
  expect(exitCodeOf(report, 'warning')).toBe(1);
  // The command of the remedy; without one, what the case defines.
  if (each.by === undefined) await shell.run(remedyOf(report, first));
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
  await register(controlPlane, muster);
}

describe('a server that does not enforce', () => {
  const all = (status: string) => Object.fromEntries(REFUSED.map((id) => [id, status]));
  test.each<[string, object, object, RegExp]>([
    ['mode: warn', { mode: 'warn' }, all('warn'), /passes with a warning of claim\/reserved-name.*mode: warn/],
    ['exempts the user', { exemptions: { users: ['admin'] } }, all('fail'), /the configuration exempts you/],
    ['one rule is ignored', { rules: { 'claim/id-syntax': 'ignore' } }, { [REFUSED[1] ?? '']: 'fail' }, /denied by/],
  ])('%s', async (_, config, found, message) => {
    const other = await startMuster({ config, controlPlane });
    try {
      await register(controlPlane, other);
      const report = await examine(controlPlane);
      expect(findingsOf(report)).toEqual(found);
      expect(report.checks.find(({ id }) => id === REFUSED[0])?.message).toMatch(message);
    } finally {
      await register(controlPlane, muster);
      await other.kill();
    }
  });
});

test('a registration that lacks what the configuration needs, and the command that prints it', async () => {
  const configuration = {
    ...{ apiVersion: 'muster/v1alpha1', kind: 'MusterConfiguration' },
    rules: { 'inventory/sole-manager': 'deny' },
    inventory: { managers: { m: [{ user: 'admin' }] } },
  };
  const metadata = { name: 'muster-config', namespace: 'muster-system' };
  const data = { 'muster.yaml': JSON.stringify(configuration) };
  await controlPlane.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data });
  const report = await examine(controlPlane);
  expect(findingsOf(report)).toEqual({
    // A stranger may not take the label of a ClusterProfile's manager off: such a write has to be sent.
    'registration/inventory.validate.muster': 'fail',
    'registration/inventory-deletions.validate.muster': 'warn',
    'registration/inventory-owners.validate.muster': 'fail',
  });
  await shell.run(remedyOf(report, 'registration/inventory.validate.muster'));
  expect(findingsOf(await examine(controlPlane))).toEqual({});
  await startAnew();
});

test('with fallback policies every check is ok: they answer first', async () => {
  const { out } = await shell.muster(['manifests', '--policies', '-o', 'json']);
  const policies = JSON.parse(out).items.filter(({ metadata }: Json) =>
    metadata.name.startsWith('muster-claim-reserved-'),
  );
  await controlPlane.apply(...policies);
  const message = async () => (await examine(controlPlane)).checks.find(({ id }) => id === REFUSED[0])?.message;
  await until('the policy to be compiled', async () => (await message())?.includes('policy') ?? false, 20);
  expect(await message()).toMatch(/^denied by the policy muster-claim-reserved-name.*, before muster is called$/);
  expect(findingsOf(await examine(controlPlane))).toEqual({});
  for (const object of policies) await remove(controlPlane, await controlPlane.pathOf(object));
});

test('without rights each check is unknown and names the missing right', async () => {
  const report = await examine(controlPlane, 'stranger');
  expect(exitCodeOf(report, 'failure')).toBe(2);
  expect(report.summary).toMatchObject({ fail: 0, warn: 0 });
  const unknown = report.checks.filter(({ status }) => status === 'unknown');
  expect(unknown.length).toBeGreaterThan(20);
  for (const { message } of unknown) expect(message).toMatch(/you lack the right to (get|list|create) [a-z]/);
});

test('as a command it prints a report for people', async () => {
  const { code, out, err } = await shell.muster(['doctor']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(
    /^ok {3}cluster\/reachable: .*\n[\s\S]*\n\d+ checks of https:\S+: \d+ ok, 0 warnings, 0 failed, 0 unknown\n$/,
  );
});

describe('a server that is called by its Service, with a certificate out of a Secret', () => {
  let inCluster: Muster;

  beforeAll(async () => {
    const objects = (['certs', 'workload'] as const).flatMap((part) => partOf(part, { image: 'none' }));
    await controlPlane.apply(...objects.filter(({ kind }) => kind === 'Secret' || kind === 'Deployment'));
    await registerService(controlPlane);
    await shell.run('muster certs --secret muster-system/muster-tls --service muster-system/muster --webhook muster');
    inCluster = await startMuster({ controlPlane, certs: await mountSecret(controlPlane) });
    await registerService(controlPlane, inCluster.port);
  });
  afterAll(() => inCluster?.stop());

  test('all is well: the Secret too', async () => {
    const report = await examine(controlPlane);
    expect(findingsOf(report)).toEqual({});
    expect(report.checks.find((check) => check.id === 'certificate/secret')?.message).toMatch(/^valid until /);
  });

  test('a Secret whose certificate is no certificate: nothing of it is shown, and the remedy makes a new one', async () => {
    await edit(controlPlane, SECRET, ({ data }) => {
      data['tls.crt'] = Buffer.from('rubbish').toString('base64');
    });
    const report = await examine(controlPlane);
    expect(findingsOf(report)).toEqual({ 'certificate/secret': 'fail' });
    expect(JSON.stringify(report)).not.toMatch(/rubbish|PRIVATE/);
    await shell.run(remedyOf(report, 'certificate/secret'));
    await mountSecret(controlPlane);
    // A certificate is loaded once the server sees it.
    await until('all to be well', async () => Object.keys(findingsOf(await examine(controlPlane))).length === 0, 20);
  });

  test('a match condition too many: replaced, and the caBundle put back', async () => {
    const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/muster';
    await edit(controlPlane, path, ({ webhooks }) => {
      webhooks[0].matchConditions.push({ name: 'never', expression: 'false' });
    });
    const remedy = remedyOf(await examine(controlPlane), 'registration/claims.validate.muster');
    expect(remedy).toMatch(/kubectl replace -f - && muster certs /);
    await shell.run(remedy);
    // Here alone the Service is no address of the cluster, and keeps the server's own port.
    await registerService(controlPlane, inCluster.port);
    expect(findingsOf(await examine(controlPlane))).toEqual({});
  });
});

/** The command of a remedy. */
function remedyOf({ checks }: DoctorReport, id: string): string {
  const remedy = checks.find((check) => check.id === id)?.remedy ?? '';
  return /(?:muster|kubectl) [a-z].*$/.exec(remedy)?.[0] ?? `echo no command in: '${remedy}'; false`;
}
