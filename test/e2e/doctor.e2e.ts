/** `muster doctor` on a real API server: one difference at a time, the checks report it, and their remedies fix it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { exitCodeOf } from '../../src/cli/doctor/report.ts';
import { edit, examine, findingsOf, install, openShell, remove, type Shell } from './doctor/bench.ts';
import { ALL_PROBES, type Case, cases, LEFTOVERS, REFUSED } from './doctor/cases.ts';
import {
  type ControlPlane,
  type Json,
  type Muster,
  register,
  startControlPlane,
  startMuster,
} from './harness/index.ts';

let controlPlane: ControlPlane;
let muster: Muster;
let shell: Shell;

const ID = {
  apiVersion: 'multicluster.x-k8s.io/v1alpha1',
  kind: 'ClusterClaim',
  metadata: { name: 'id.k8s.io' },
  spec: { value: 'a' },
};
const FEATURE = {
  apiVersion: 'features.x-k8s.io/v1alpha1',
  kind: 'Feature',
  metadata: { name: 'a', namespace: 'default' },
};

beforeAll(async () => {
  controlPlane = await startControlPlane();
  await install(controlPlane);
  muster = await startMuster({ controlPlane });
  await controlPlane.apply(ID, FEATURE);
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
  const check = report.checks.find(({ id }) => id === Object.keys(each.found)[0]);
  expect(`${check?.message} ${(check?.details ?? []).map(({ message }) => message).join(' ')}`).toMatch(each.message);
  expect(exitCodeOf(report, 'failure')).toBe(Object.values(each.found).includes('fail') ? 1 : 0);
  expect(exitCodeOf(report, 'warning')).toBe(1);
  await fix(each, check?.remedy ?? '');
  expect(findingsOf(await examine(controlPlane))).toEqual({});
}

/** Runs the command of the remedy; without one, what the case defines. */
async function fix(each: Case, remedy: string): Promise<void> {
  const command = /(?:muster|kubectl) [a-z].*$/.exec(remedy)?.[0];
  if (each.by === undefined) return shell.run(command ?? `echo no command in: '${remedy}'; false`);
  expect(remedy).toMatch(each.by.remedy);
  await each.by.fixes({ controlPlane, muster, edit, remove });
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

describe('the registration that the configuration needs', () => {
  const strict = {
    ...{ apiVersion: 'muster/v1alpha1', kind: 'MusterConfiguration' },
    rules: { 'inventory/sole-manager': 'deny' },
    inventory: { managers: { m: [{ user: 'admin' }] } },
  };
  const { rules: _, inventory: __, ...lenient } = strict;
  const lacking = {
    // A stranger may not take the label of a ClusterProfile's manager off: such a write has to be sent.
    'registration/inventory.validate.muster': 'fail',
    'registration/inventory-deletions.validate.muster': 'warn',
    'registration/inventory-owners.validate.muster': 'fail',
  };
  const configure = (configuration: object) =>
    controlPlane.apply({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'muster-config', namespace: 'muster-system' },
      data: { 'muster.yaml': JSON.stringify(configuration) },
    });
  const remedyOf = ({ checks }: Awaited<ReturnType<typeof examine>>, id: string) => {
    const remedy = checks.find((check) => check.id === id)?.remedy ?? '';
    return /(?:muster|kubectl) [a-z].*$/.exec(remedy)?.[0] ?? `echo no command in: '${remedy}'; false`;
  };

  test('from the ConfigMap: what is missing for it, and the command that prints it', async () => {
    await configure(strict);
    const report = await examine(controlPlane);
    expect(findingsOf(report)).toEqual(lacking);
    await shell.run(remedyOf(report, 'registration/inventory.validate.muster'));
    expect(findingsOf(await examine(controlPlane))).toEqual({});
  });

  test('unknown: the registered choices count as intended, and the report says so', async () => {
    await remove(controlPlane, '/api/v1/namespaces/muster-system/configmaps/muster-config');
    const report = await examine(controlPlane);
    expect(findingsOf(report)).toEqual({});
    expect(report.checks.find(({ id }) => id === 'registration/validating')?.message).toContain('--config FILE');
  });

  test('less strict than what is registered: what is too much, and the command that takes it away', async () => {
    await configure(lenient);
    const report = await examine(controlPlane);
    expect(findingsOf(report)).toEqual({
      'registration/validating': 'warn',
      'registration/inventory.validate.muster': 'warn',
      'registration/inventory-deletions.validate.muster': 'warn',
    });
    await shell.run(remedyOf(report, 'registration/validating'));
    expect(findingsOf(await examine(controlPlane))).toEqual({});
    await remove(controlPlane, '/api/v1/namespaces/muster-system/configmaps/muster-config');
  });

  test('from --config, for a server outside of the cluster', async () => {
    writeFileSync(join(shell.folder, 'strict.yaml'), JSON.stringify(strict));
    const { code, out } = await shell.muster(['doctor', '--config', 'strict.yaml', '-o', 'json']);
    expect(code).toBe(1);
    const report = JSON.parse(out);
    expect(findingsOf(report)).toEqual(lacking);
    await shell.run(remedyOf(report, 'registration/inventory.validate.muster'));
    expect((await shell.muster(['doctor', '--config', 'strict.yaml'])).code).toBe(0);
    // Anew: an apply would leave the webhook that this configuration has beside the others.
    await remove(controlPlane, '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/muster');
    await register(controlPlane, muster);
  });
});

test('with fallback policies every check is ok: they answer first', async () => {
  const { out } = await shell.muster(['manifests', '--policies', '-o', 'json']);
  const policies = JSON.parse(out).items.filter(({ metadata }: Json) =>
    metadata.name.startsWith('muster-claim-reserved-'),
  );
  await controlPlane.apply(...policies);
  const message = async () => (await examine(controlPlane)).checks.find(({ id }) => id === REFUSED[0])?.message;
  // A policy takes effect when it was compiled.
  for (const end = Date.now() + 20_000; Date.now() < end && !(await message())?.includes('policy'); ) await delay(100);
  expect(await message()).toMatch(/^denied by the policy muster-claim-reserved-name.*, before muster is called$/);
  expect(findingsOf(await examine(controlPlane))).toEqual({});
  for (const object of policies) await remove(controlPlane, await controlPlane.pathOf(object));
});

test('without rights each check is unknown and names the missing right', async () => {
  const report = await examine(controlPlane, { user: 'stranger' });
  expect(exitCodeOf(report, 'failure')).toBe(2);
  expect(report.summary).toMatchObject({ fail: 0, warn: 0 });
  const unknown = report.checks.filter(({ status }) => status === 'unknown');
  expect(unknown.length).toBeGreaterThan(20);
  for (const { message } of unknown) expect(message).toMatch(/you lack the right to (get|list|create) [a-z]/);
});

describe('the command', () => {
  test('good: text and JSON', async () => {
    const [text, json] = await Promise.all([shell.muster(['doctor']), shell.muster(['doctor', '-o', 'json'])]);
    expect({ code: text.code, err: text.err }).toEqual({ code: 0, err: '' });
    expect(text.out).toMatch(/^ok {3}cluster\/reachable: .*\n/);
    expect(text.out).toMatch(/\n\d+ checks of https:\S+: \d+ ok, 0 warnings, 0 failed, 0 unknown\n$/);
    const report = JSON.parse(json.out) as Json;
    expect(report).toMatchObject({ apiVersion: 'muster/v1alpha1', kind: 'DoctorReport', summary: { fail: 0 } });
  });

  test('no API server: exit 2, and a report of that alone', async () => {
    const nowhere = controlPlane.kubeconfig('admin', { url: 'https://127.0.0.1:1' });
    const { code, out } = await shell.muster(['doctor', '--kubeconfig', nowhere]);
    expect(code).toBe(2);
    expect(out).toMatch(/^FAIL cluster\/reachable: .*127\.0\.0\.1:1.*\n.*to fix: .*\n1 checks? /);
  });
});
