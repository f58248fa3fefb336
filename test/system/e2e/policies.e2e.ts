/** The fallback policies on a real API server, without a webhook: the rules' own examples, and what users see. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../src/base/json.ts';
import * as bases from '../../support/bases.ts';
import { examples } from '../../support/examples.ts';
import { type ControlPlane, definitionsOf, type Json, startControlPlane, until } from './harness/index.ts';
import { expressed, fallbackPolicies, startWithPolicies, warnOnly } from './policies/cluster.ts';
import { tryExample } from './policies/examples.ts';
import { hostile } from './policies/hostile.ts';
import { objectLike, remove, send, store } from './policies/write.ts';

let controlPlane: ControlPlane;
beforeAll(async () => {
  controlPlane = await startWithPolicies();
});
afterAll(() => controlPlane?.stop());

describe.each(expressed.map(({ id }) => id))('policies and engine agree on the examples of %s', (id) => {
  const own = examples.filter(({ ruleId }) => ruleId === id);
  test.each(own.map((example) => [example.file, example] as const))('%s', async (_, example) => {
    const tried = await tryExample(controlPlane, example);
    expect(tried.mistake).toBeUndefined();
    if (tried.lacking) expect([...tried.denying, ...tried.warning]).toEqual([id]);
  });
});

const CLAIMS = '/apis/multicluster.x-k8s.io/v1alpha1/clusterclaims';
const reserved = (name: string): JsonObject => objectLike(bases.id, name, { spec: { value: 'a' } });

test('kubectl shows the rule, the field, the value and the remedy', async () => {
  const { code, stderr } = await controlPlane.kubectl('jane', ['create', '-f', '-'], reserved('mine.k8s.io'));
  expect(code).toBe(1);
  expect(stderr).toContain(
    '[claim/reserved-name] metadata.name: "mine.k8s.io" is reserved for Kubernetes and related projects; use a domain of your own',
  );
});

test('a value with line breaks can not forge a line of a message', async () => {
  const forged = objectLike(bases.id, 'id.k8s.io', { spec: { value: 'a\nError: fine\u202e' } });
  const { body } = await controlPlane.api('jane').call('POST', CLAIMS, forged);
  expect(body.message).toMatch(/\[claim\/id-syntax\] spec\.value: must be an RFC 1123 DNS label .*, got "…"$/);
});

test('a finalizer can be removed from a deleted object, whatever is wrong with it', async () => {
  const spec = { clusterManager: { name: 'not a label' } };
  const going = objectLike(bases.inventory, 'going', { spec, status: { version: { kubernetes: 'odd' } } });
  const metadata = { ...(going['metadata'] as JsonObject), finalizers: ['harbor.example/cast-off'] };
  const held = { ...going, metadata: { ...metadata, deletionTimestamp: '2026-05-31T23:59:00Z' } };
  const stored = await store(controlPlane, held);
  const changed = { ...held, spec: { clusterManager: { name: 'other one' } } };
  const update = (object: JsonObject) => send(controlPlane, { operation: 'UPDATE', old: held, object }, stored);
  expect((await update(going)).status).toBe(200);
  expect((await update(changed)).status).toBeGreaterThanOrEqual(403);
  await remove(controlPlane, [held]);
});

test('a version that is not served, not yet or not any more, refuses nothing; the others are guarded', async () => {
  const other = await startControlPlane({ crds: 'none' });
  try {
    const { policies, bindings } = fallbackPolicies();
    await other.apply(...policies, ...bindings);
    await other.apply(...definitionsOf('published'));
    const path = '/apis/about.k8s.io/v1/clusterproperties';
    const property = (name: string, value: string) =>
      ({ apiVersion: 'about.k8s.io/v1', kind: 'ClusterProperty', metadata: { name }, spec: { value } }) as const;
    const create = async (name: string, value: string) =>
      (await other.api('jane').call('POST', path, property(name, value))).status;
    let changes = 0;
    const change = async () => {
      changes += 1;
      const patch = { apiVersion: 'about.k8s.io/v1', kind: 'ClusterProperty', spec: { value: `west-${changes}` } };
      return (await other.api('jane').call('PATCH', `${path}/cluster.clusterset.k8s.io`, patch)).status;
    };
    expect(await create('cluster.clusterset.k8s.io', 'east')).toBe(201);
    expect(await create('clusterset.k8s.io', 'fleet')).toBe(201);
    await until('the id to be guarded', async () => (await change()) === 403);
    const definitions: Json[] = definitionsOf('published');
    const definition = definitions.find(({ metadata }) => metadata.name === 'clusterproperties.about.k8s.io');
    const versions = definition.spec.versions.map((one: Json) => ({ ...one, served: one.name !== 'v1alpha1' }));
    await other.apply({ ...definition, spec: { ...definition.spec, versions } });
    expect(await change()).toBe(403);
    expect((await other.api('jane').call('DELETE', `${path}/clusterset.k8s.io`)).status).toBe(200);
    await until('the id of no member to change', async () => (await change()) === 200);
    await other.stopApiServer();
    await other.startApiServer();
    // An API server that has started refuses writes with 403 until it has read its policies.
    await until('the policies to be read', async () => (await create('region.example.org', 'a')) === 201);
    expect(await change()).toBe(200);
  } finally {
    await other.stop();
  }
});

describe('no expression fails to evaluate or exceeds its cost limit', () => {
  beforeAll(() => warnOnly(controlPlane));

  test.each(hostile)('$name', async ({ base, stored: parts, next }) => {
    const old = objectLike(base, 'hostile', parts);
    const stored = await store(controlPlane, old);
    for (const after of next) {
      const object = objectLike(base, 'hostile', after);
      for (const write of [
        { operation: 'UPDATE', old, object },
        { operation: 'UPDATE', subresource: 'status', old, object },
        { operation: 'CREATE', object: objectLike(base, 'new-hostile', after) },
      ] as const) {
        const { status, body, warnings } = await send(controlPlane, write, stored);
        expect([status < 300, body.message]).toEqual([true, undefined]);
        expect(warnings.filter((text) => /resulted in error|failed to|exceed/i.test(text))).toEqual([]);
      }
    }
    await remove(controlPlane, [old]);
  });
});
