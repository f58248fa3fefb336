/** `check --live` gives a change the verdict that an API server with muster registered gives it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import type { CheckReport } from '../../src/cli/output/report.ts';
import { rules } from '../../src/rules/index.ts';
import { type Change, changes } from './check-live/arbitrary.ts';
import {
  type ControlPlane,
  grantAccess,
  type Input,
  type Json,
  type Muster,
  type Outcome,
  register,
  runMuster,
  startControlPlane,
  startMuster,
  until,
} from './harness/index.ts';
import {
  claim,
  feature,
  inventory,
  labelled,
  managed,
  olderProperty,
  profile,
  property,
  value,
} from './verbs/objects.ts';
import { type State, stateOf } from './verbs/state.ts';

jest.setTimeout(60_000);

let controlPlane: ControlPlane;
let muster: Muster;
let state: State;
let kubeconfig: string;

beforeAll(async () => {
  controlPlane = await startControlPlane({ crds: 'loose' });
  await grantAccess(controlPlane);
  muster = await startMuster({ controlPlane, config: { exemptions: { users: ['admin'] } } });
  await register(controlPlane, muster, { failurePolicy: 'Fail' });
  state = stateOf(controlPlane);
  kubeconfig = controlPlane.kubeconfig('jane');
}, 120_000);
afterAll(async () => {
  await muster?.stop();
  await controlPlane?.stop();
});

const id = claim('id.k8s.io', value('one'));
const membership = claim('clusterset.k8s.io', value('fleet'));

const check = (args: readonly string[], stdin: Input, as = kubeconfig): Promise<Outcome> =>
  runMuster(['check', ...args, '--live', '--kubeconfig', as], stdin);

async function report(args: readonly string[], stdin: Input): Promise<CheckReport> {
  const { stdout, stderr, code } = await check([...args, '-o', 'json'], stdin);
  if (stdout === '') throw new Error(`check ended with ${code}: ${stderr}`);
  return JSON.parse(stdout);
}

/** Rules that are evaluated by check and scan only. */
const notAtTheWebhook = new Set<string>(rules.filter((rule) => rule.unique !== undefined).map(({ id }) => id));

function byCheck({ results, errors }: CheckReport) {
  expect(errors).toEqual([]);
  const found = results.flatMap(({ findings }) => findings).filter(({ action }) => action !== 'audit');
  const ids = new Set(found.map(({ ruleId }) => ruleId).filter((ruleId) => !notAtTheWebhook.has(ruleId)));
  return { allowed: results.every(({ outcome }) => outcome === 'allowed'), rules: [...ids].sort() };
}

/** The webhook warns of a label that it puts back; check has a note instead. */
const PUT_BACK = /^Warning: \[inventory\/cluster-manager-label\].*is put back as stored.*$/gm;

function byServer({ code, stderr }: Outcome) {
  const named = stderr.replace(PUT_BACK, '').matchAll(/\[((?:claim|inventory|feature)\/[a-z-]+)\]/g);
  return { allowed: code === 0, rules: [...new Set([...named].map(([, id]) => id))].sort() };
}

/** `applied` objects carry the annotation that kubectl apply leaves, `stored` ones do not. */
async function prepare({ stored = [], applied = [] }: Partial<Pick<Change, 'stored' | 'applied'>>): Promise<void> {
  await state.reset(stored);
  for (const object of applied) {
    const { code, stderr } = await controlPlane.kubectl('admin', ['apply', '-f', '-'], object);
    if (code !== 0) throw new Error(stderr);
  }
}

async function agree(change: Change, verb: readonly string[], subresource = 'none'): Promise<Outcome> {
  await prepare(change);
  const outcome = await controlPlane.kubectl('jane', [...verb, '--dry-run=server', '-f', '-'], change.file);
  const found = await report(
    [...(change.deleted ? ['--deleted'] : []), '-', '--subresource', subresource],
    change.file,
  );
  if (outcome.stderr.includes('NotFound')) expect(found.summary).toMatchObject({ skipped: 1, judged: 0 });
  else expect({ ...byCheck(found), stderr: outcome.stderr }).toEqual({ ...byServer(outcome), stderr: outcome.stderr });
  return outcome;
}

test('random changes of small states get the same rules and the same verdict', async () => {
  const tally = { allowed: 0, denied: 0 };
  await fc.assert(
    fc.asyncProperty(changes, async (change) => {
      const { code } = await agree(change, [change.deleted ? 'delete' : 'apply']);
      tally[code === 0 ? 'allowed' : 'denied'] += 1;
    }),
    { numRuns: Number(process.env['CHECK_LIVE_RUNS'] ?? 40), endOnFailure: true },
  );
  expect(Math.min(tally.allowed, tally.denied)).toBeGreaterThan(5);
}, 600_000);

describe('changes that the random ones do not reach', () => {
  const in_ = (namespace: string) => ({ namespace, ...labelled('depot') });
  const on = (status: Json) =>
    feature('a', { status: { class: 'default', name: 'a', default: 'Disabled', ...status } }, { namespace: 'default' });
  const isOn = on({ state: 'On', transitionTasks: [] });
  const cluster = inventory('a', managed('depot'), labelled('depot'));
  test.each<[string, Partial<Change> & { file: Json; status?: true; allowed: boolean }]>([
    [
      'a change of the id of a member',
      { applied: [id, membership], file: claim('id.k8s.io', value('two')), allowed: false },
    ],
    ['an id whose file drops its value', { applied: [id, membership], file: { ...id, spec: {} }, allowed: false }],
    ['a member id that is deleted', { applied: [id, membership], file: id, deleted: true, allowed: false }],
    [
      'a document of an older version than the stored object',
      {
        applied: [property('cluster.clusterset.k8s.io', value('one')), property('clusterset.k8s.io', value('fleet'))],
        file: olderProperty('cluster.clusterset.k8s.io', value('two')),
        allowed: false,
      },
    ],
    [
      'a label that the file drops comes back',
      { applied: [cluster], file: inventory('a', managed('depot')), allowed: true },
    ],
    [
      "a profile in the context's namespace",
      {
        stored: [profile('p', managed('depot'), in_('default'))],
        file: profile('p', managed('other'), labelled('depot')),
        allowed: false,
      },
    ],
    [
      'a profile of the same name in another namespace',
      {
        stored: [profile('p', managed('depot'), in_('default'))],
        file: profile('p', managed('depot'), in_('kube-public')),
        allowed: true,
      },
    ],
    ['an unchanged status', { stored: [isOn], file: isOn, status: true, allowed: true }],
    ['a status that skips a state', { stored: [isOn], file: on({ state: 'Off' }), status: true, allowed: false }],
  ])('%s', async (_, { status, allowed, ...change }) => {
    const verb = status ? ['replace', '--subresource=status'] : [change.deleted ? 'delete' : 'apply'];
    const whole = { stored: [], applied: [], deleted: false, ...change };
    expect((await agree(whole, verb, status ? 'status' : 'none')).code === 0).toBe(allowed);
  });
});

test('documents of one run see each other in order, as an apply of all of them would', async () => {
  const change = claim('id.k8s.io', value('two'));
  const outcomes = async (...objects: Json[]) =>
    (await report(['-'], objects)).results.map(({ operation, outcome }) => `${operation} ${outcome}`);
  await prepare({ applied: [id] });
  expect(await outcomes(membership, change)).toEqual(['CREATE allowed', 'UPDATE denied']);
  expect(await outcomes(change, membership)).toEqual(['UPDATE allowed', 'CREATE allowed']);
  // Nothing was written.
  expect((await state.read(id))?.spec).toEqual(id.spec);
  expect(await state.read(membership)).toBeUndefined();
});

test('the output of kustomize can be piped in', async () => {
  await prepare({ applied: [id, membership] });
  const folder = controlPlane.folder;
  const patch = '- {op: replace, path: /spec/value, value: two}';
  const kustomization = {
    resources: ['claims.json'],
    configMapGenerator: [{ name: 'settings', literals: ['a=b'] }],
    patches: [{ target: { kind: 'ClusterClaim', name: 'id.k8s.io' }, patch }],
  };
  writeFileSync(join(folder, 'kustomization.yaml'), JSON.stringify(kustomization));
  const list = { apiVersion: 'v1', kind: 'List', items: [id, membership, inventory('a', managed('m'), labelled('m'))] };
  writeFileSync(join(folder, 'claims.json'), JSON.stringify(list));
  const { stdout } = await controlPlane.kubectl('jane', ['kustomize', folder]);
  const { results, summary } = await report(['-'], stdout);
  expect(results.map(({ operation, name, outcome }) => `${operation} ${name} ${outcome}`)).toEqual([
    'UPDATE clusterset.k8s.io allowed',
    'UPDATE id.k8s.io denied',
    'CREATE a allowed',
  ]);
  expect(summary.skipped).toBe(1);
});

describe('a cluster that does not answer as it should', () => {
  const wrong = claim('id.k8s.io', value('Not valid'));

  test('without rights: exit code 2 with the missing right, and what needs no other object is evaluated', async () => {
    const { code, stdout, stderr } = await check(['-'], wrong, controlPlane.kubeconfig('stranger'));
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^<cluster>:1:1: error: you may not get clusterclaims .*\n$/),
    });
    expect(stdout).toContain('[claim/id-syntax]');
  });

  test('a kind that is not served has no objects, and a note says so', async () => {
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/features.features.x-k8s.io';
    await controlPlane.api('admin').call('DELETE', path);
    const isGone = async () =>
      (await controlPlane.api('jane').call('GET', '/apis/features.x-k8s.io/v1alpha1')).status === 404;
    await until('the group to be gone', isGone);
    const { code, stderr } = await check(['-', '--subresource', 'none'], feature('a', { spec: {} }));
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^<cluster>: note: .*features.*\n$/) });
  });

  test('unreachable: one error for two hundred objects', async () => {
    await controlPlane.stopApiServer();
    const many = Array.from({ length: 200 }, (_, index) => claim(`c${index}.example.com`, value('x')));
    const { code, stdout, stderr } = await check(['-'], [...many, wrong]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(
        /^<cluster>:1:1: error: the API server at \S+ can't be reached \(ECONNREFUSED\).*\n$/,
      ),
    });
    expect(stdout).toContain('[claim/id-syntax]');
  });
});
