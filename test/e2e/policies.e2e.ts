/** The policies alone, no webhook and no muster, against a real API server: each rule's own examples, and what users see. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { policies } from '../../src/manifests/policies.ts';
import type { JsonObject } from '../../src/rules/rule.ts';
import * as bases from '../rules/bases.ts';
import type { Write } from '../rules/example.ts';
import { examplesOf, readExample, withState } from './floor/examples.ts';
import { whole } from './floor/lives.ts';
import { heardOf, said } from './floor/tally.ts';
import { floor, ownAction, rules, sees, startFloor } from './floor/world.ts';
import { ask, judge, remove, store } from './floor/write.ts';
import { type ControlPlane, register, startControlPlane, startMuster, until } from './harness/index.ts';

let controlPlane: ControlPlane;
beforeAll(async () => {
  controlPlane = await startFloor('own');
});
afterAll(() => controlPlane?.stop());

/** Examples that the fallback policies let through, as their rules' `cel.lacks` says. */
const LACKING: readonly string[] = [
  'test/fixtures/claim/id-immutable-in-clusterset/deny/second-name.yaml',
  'test/fixtures/feature/evaluation-time/deny/1-too-early.yaml',
  'test/fixtures/feature/evaluation-time/deny/past.yaml',
  'test/fixtures/feature/evaluation-wait/deny/left-over.yaml',
];

describe.each(rules.map(({ id }) => id))('policies and engine agree on the examples of %s', (id) => {
  test.each(examplesOf(id))('%s', async (file) => {
    const write = readExample(file);
    const { findings } = await judge(write);
    const sayable = findings.filter(({ ruleId }) => said.some((rule) => rule.id === ruleId));
    const denying = sayable.filter(({ action }) => action === 'deny').map(({ ruleId }) => ruleId);
    const answer = await withState(controlPlane, write, (stored) => ask(controlPlane, write, stored));
    const { status, body } = answer;
    if (LACKING.includes(file)) {
      expect([status < 300, sayable.map(({ ruleId }) => ruleId)]).toEqual([true, [id]]);
      return;
    }
    if (denying.length === 0) expect([status < 300, body.message]).toEqual([true, undefined]);
    else expect([status, denying]).toEqual([403, expect.arrayContaining([refusing(body.message)])]);
    const warning = sayable.filter(({ action }) => action === 'warn').map(({ ruleId }) => ruleId);
    expect([...heardOf(answer)].sort()).toEqual([...new Set(warning)].sort());
  });
});

/** The rule that a refusal names. */
function refusing(message: string): string | undefined {
  return /denied request: \[([a-z/-]+)\] \S+: /.exec(message)?.[1];
}

const CLAIMS = '/apis/multicluster.x-k8s.io/v1alpha1/clusterclaims';
const reserved = (name: string): JsonObject => whole(bases.id, name, { spec: { value: 'a' } });

test('kubectl shows the rule, the field, the value and the remedy', async () => {
  const { code, stderr } = await controlPlane.kubectl('jane', ['create', '-f', '-'], reserved('mine.k8s.io'));
  expect(code).toBe(1);
  expect(stderr).toContain(
    '[claim/reserved-name] metadata.name: "mine.k8s.io" is reserved for Kubernetes and related projects; use a domain of your own',
  );
});

test('what a user writes forges no line of a message', async () => {
  const forged = whole(bases.id, 'id.k8s.io', { spec: { value: 'a\nError: fine\u202e' } });
  const { body } = await controlPlane.api('jane').call('POST', CLAIMS, forged);
  expect(body.message).toMatch(/\[claim\/id-syntax\] spec\.value: must be an RFC 1123 DNS label .*, got "…"$/);
});

test('every verb is held', async () => {
  const membership = whole(bases.id, 'clusterset.k8s.io', { spec: { value: 'harbor' } });
  for (const object of [bases.id, membership]) await store(controlPlane, object);
  await sees(controlPlane);
  const id = ['clusterclaims.multicluster.x-k8s.io', 'id.k8s.io'];
  const value = JSON.stringify({ spec: { value: 'other' } });
  const json = JSON.stringify([{ op: 'replace', path: '/spec/value', value: 'other' }]);
  const other = whole(bases.id, 'id.k8s.io', { spec: { value: 'other' } });
  const verbs: readonly (readonly [string[], JsonObject?])[] = [
    [['patch', ...id, '--type=merge', '-p', value]],
    [['patch', ...id, '--type=json', '-p', json]],
    [['apply', '--server-side', '--force-conflicts', '-f', '-'], other],
    [['replace', '-f', '-'], other],
    [['delete', ...id]],
    [['delete', 'clusterclaims.multicluster.x-k8s.io', '--all', '--dry-run=server']],
  ];
  for (const [args, stdin] of verbs) {
    const { code, stderr } = await controlPlane.kubectl('jane', args, stdin);
    expect([args.join(' '), code, stderr]).toEqual([
      args.join(' '),
      1,
      expect.stringMatching(/\[claim\/id-(immutable|present)-in/),
    ]);
  }
  const { status, body } = await controlPlane
    .api('jane')
    .call('DELETE', `${CLAIMS}?fieldSelector=metadata.name=id.k8s.io`);
  expect([status, refusing(body.message)]).toEqual([403, 'claim/id-present-in-clusterset']);
  await remove(controlPlane, [bases.id, membership]);
});

test('a finalizer can be taken off, whatever the object holds', async () => {
  const spec = { clusterManager: { name: 'not a label' } };
  const going = whole(bases.inventory, 'going', { spec, status: { version: { kubernetes: 'odd' } } });
  const metadata = { ...(going['metadata'] as JsonObject), finalizers: ['harbor.example/cast-off'] };
  const held = { ...going, metadata: { ...metadata, deletionTimestamp: '2026-05-31T23:59:00Z' } };
  const stored = await store(controlPlane, held);
  const changed = { ...held, spec: { clusterManager: { name: 'other one' } } };
  const lets = await ask(controlPlane, { operation: 'UPDATE', old: held, object: going }, stored);
  const changes = await ask(controlPlane, { operation: 'UPDATE', old: held, object: changed }, stored);
  expect(lets.status).toBe(200);
  expect(changes.status).toBeGreaterThanOrEqual(403);
  await remove(controlPlane, [held]);
});

test('the collectors are not in the way, but for the id of a member', async () => {
  const on = whole(bases.feature, 'on', { status: { state: 'On' } });
  await store(controlPlane, on);
  const deletion: Write = { operation: 'DELETE', old: on };
  const user = { username: 'system:serviceaccount:kube-system:namespace-controller' };
  const heard = await Promise.all(
    [deletion, { ...deletion, user }].map((write) => ask(controlPlane, write, undefined)),
  );
  expect(heard.map((answer) => [...heardOf(answer)])).toEqual([['feature/preserved'], []]);
  await remove(controlPlane, [on]);
});

test('the floor holds when the registration is deleted and muster is gone, and is what holds then', async () => {
  const api = controlPlane.api('jane');
  const create = async (name: string) =>
    (await api.call('POST', `${CLAIMS}?dryRun=All`, reserved(name))).body.message ?? 'created';
  const muster = await startMuster();
  await register(controlPlane, muster);
  await muster.kill();
  expect(await create('mine.example')).toContain('failed calling webhook');
  for (const kind of ['validatingwebhookconfigurations', 'mutatingwebhookconfigurations'])
    await controlPlane.kubectl('admin', ['delete', kind, '--all']);
  await until('a write without its webhook', async () => (await create('mine.example')) === 'created', 20);
  expect(refusing(await create('mine.k8s.io'))).toBe('claim/reserved-name');
  await controlPlane.kubectl('admin', ['delete', 'validatingadmissionpolicybindings', '--all']);
  await until('a write without the floor', async () => (await create('mine.k8s.io')) === 'created', 20);
});

test('a configuration that is printed into the floor is what holds', async () => {
  const other = await startControlPlane({ crds: 'loose' });
  try {
    const settings = {
      claims: { allowedReservedNames: ['*.topology.k8s.io'] },
      inventory: {},
      features: { clockSkewSeconds: 5 },
    };
    const none = new Set<string>();
    const exemptions = {
      users: none,
      groups: new Set(['break-glass']),
      serviceAccounts: none,
      namespaces: new Set(['lagoon']),
    };
    await other.apply(...policies({ actionOf: ownAction, settings, exemptions }));
    const create = async (name: string, groups: string[] = []) => {
      const headers = {
        'Impersonate-User': 'jane',
        'Impersonate-Group': ['e2e:editors', ...groups],
      } as object as Record<string, string>;
      return (await other.api('admin').call('POST', `${CLAIMS}?dryRun=All`, reserved(name), { headers })).status;
    };
    await until('the floor to hold', async () => (await create('mine.k8s.io')) === 403, 20);
    expect(
      await Promise.all([
        create('a.topology.k8s.io'),
        create('topology.k8s.io'),
        create('mine.k8s.io', ['break-glass']),
      ]),
    ).toEqual([201, 403, 201]);
  } finally {
    await other.stop();
  }
});

test('the controller that checks types has no complaint, with the CRDs as published', async () => {
  const other = await startControlPlane({ controllerManager: true });
  try {
    await other.apply(...floor().policies);
    const read = async () =>
      (await other.api('admin').call('GET', '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies')).body
        .items;
    const isChecked = ({ status }: { status?: { observedGeneration?: number } }) =>
      status?.observedGeneration !== undefined;
    await until('each policy to be checked', async () => (await read()).every(isChecked), 20);
    const complaints = (await read()).flatMap(
      (policy: JsonObject & { status: { typeChecking?: { expressionWarnings?: unknown[] } } }) =>
        policy.status.typeChecking?.expressionWarnings ?? [],
    );
    expect(complaints).toEqual([]);
  } finally {
    await other.stop();
  }
});
