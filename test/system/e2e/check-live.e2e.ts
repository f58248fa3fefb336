/** What `check --live` reads of a cluster beyond the writes of verbs.e2e.ts, which it is compared on too. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { CheckReport } from '../../../src/report/report.ts';
import {
  type Guarded,
  type Input,
  type Json,
  type Outcome,
  runMuster,
  startGuarded,
  succeeded,
} from './harness/index.ts';
import {
  claim,
  id,
  inventory,
  labelled,
  managed,
  membership,
  olderProperty,
  profile,
  property,
} from './verbs/objects.ts';
import { type State, stateOf } from './verbs/state.ts';

let guarded: Guarded;
let state: State;
let kubeconfig: string;

beforeAll(async () => {
  guarded = await startGuarded({ crds: 'loose', muster: { config: { exemptions: { users: ['admin'] } } } });
  state = stateOf(guarded.controlPlane);
  kubeconfig = guarded.controlPlane.kubeconfig('jane');
});
afterAll(() => guarded?.stop());

const check = (args: readonly string[], stdin: Input, as = kubeconfig): Promise<Outcome> =>
  runMuster(['check', ...args, '--live', '--kubeconfig', as], stdin);

async function report(args: readonly string[], stdin: Input): Promise<CheckReport> {
  const { stdout, stderr, code } = await check([...args, '-o', 'json'], stdin);
  if (stdout === '') throw new Error(`check ended with ${code}: ${stderr}`);
  return JSON.parse(stdout);
}

/** Stores objects with the annotation that kubectl apply leaves. */
async function apply(...objects: readonly Json[]): Promise<void> {
  await state.reset([]);
  await succeeded(guarded.controlPlane.kubectl('admin', ['apply', '-f', '-'], objects));
}

const cluster = inventory('a', managed('depot'), labelled('depot'));
const inDefault = profile('p', managed('depot'), { namespace: 'default', ...labelled('depot') });

test.each<[string, readonly Json[], Json, string]>([
  ['an id whose file drops its value', [id, membership], { ...id, spec: {} }, 'denied'],
  [
    'a document of an older version than the stored object',
    [property('cluster.clusterset.k8s.io', 'one'), property('clusterset.k8s.io', 'fleet')],
    olderProperty('cluster.clusterset.k8s.io', 'two'),
    'denied',
  ],
  ['a label that the file drops comes back', [cluster], inventory('a', managed('depot')), 'allowed'],
  ["a profile in the context's namespace", [inDefault], profile('p', managed('other'), labelled('depot')), 'denied'],
  [
    'a profile of the same name in another namespace',
    [inDefault],
    { ...inDefault, metadata: { ...inDefault.metadata, namespace: 'kube-public' } },
    'allowed',
  ],
])('%s: the verdict is that of the API server', async (_, stored, file, outcome) => {
  await apply(...stored);
  const applied = await guarded.controlPlane.kubectl('jane', ['apply', '--dry-run=server', '-f', '-'], file);
  const { results } = await report(['-', '--subresource', 'none'], file);
  expect([applied.code === 0 ? 'allowed' : 'denied', results[0]?.outcome]).toEqual([outcome, outcome]);
});

test('the Service of an export is read', async () => {
  const metadata = { name: 'web', namespace: 'default' };
  const service = { apiVersion: 'v1', kind: 'Service', metadata, spec: { ports: [{ port: 80 }] } };
  const exported = { apiVersion: 'multicluster.x-k8s.io/v1beta1', kind: 'ServiceExport', metadata };
  const file = join(guarded.controlPlane.folder, 'export.json');
  writeFileSync(file, JSON.stringify(exported));
  const admin = guarded.controlPlane.kubeconfig('admin');
  const context = JSON.parse(readFileSync(admin, 'utf8'))['current-context'];
  const seen = async (): Promise<CheckReport> => {
    const args = ['--cluster', `east=${file}`, `--live=east=${context}`, '--kubeconfig', admin];
    return JSON.parse((await runMuster(['check', ...args, '-o', 'json'])).stdout);
  };
  expect(await seen()).toMatchObject({ errors: [], results: [{ findings: [{ ruleId: 'export/service' }] }] });
  await apply(service);
  try {
    expect(await seen()).toMatchObject({ errors: [], results: [{ outcome: 'allowed', findings: [] }] });
  } finally {
    await guarded.controlPlane.kubectl('admin', ['delete', 'service', 'web', '-n', 'default']);
  }
});

test('without rights the missing right is named, and what needs no other object is evaluated', async () => {
  const stranger = guarded.controlPlane.kubeconfig('stranger');
  const { code, stdout, stderr } = await check(['-'], claim('id.k8s.io', 'Not valid'), stranger);
  const error = expect.stringMatching(/^error: you may not get clusterclaims .*\n$/);
  expect({ code, stderr }).toEqual({ code: 2, stderr: error });
  expect(stdout).toContain('[claim/id-syntax]');
});
