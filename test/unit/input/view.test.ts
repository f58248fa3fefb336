/** The view of objects from files: what it finds, what its absence proves, and how it changes. */
import { describe, expect, test } from '@jest/globals';
import { clusterClaim, clusterProfile, inventoryCluster, ocmClusterClaim } from '../../../src/api/dialects.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import { createRunView, type RunViewOptions } from '../../../src/input/view.ts';

const OURS = 'multicluster.x-k8s.io/v1alpha1';
const objectOf = (kind: string, metadata: JsonObject, apiVersion = OURS) => ({ apiVersion, kind, metadata });
const claim = (name: string, value: string, apiVersion = OURS) => ({
  ...objectOf('ClusterClaim', { name }, apiVersion),
  spec: { value },
});
const profile = (namespace: string, name: string) => objectOf('ClusterProfile', { namespace, name });
const id = { dialect: clusterClaim, name: 'id.k8s.io' };
const other = { ...id, name: 'clusterset.k8s.io' };

describe.each<[string, (state: readonly JsonObject[]) => RunViewOptions]>([
  ['a state', (state) => ({ state })],
  ['a view behind', (state) => ({ behind: createRunView({ state }) })],
])('%s', (_, options) => {
  const viewOf = (...state: JsonObject[]) => createRunView(options(state));

  test('has objects of one group, in any version, and knows what is absent', async () => {
    const theirs = claim('id.k8s.io', 'theirs', 'cluster.open-cluster-management.io/v1beta9');
    const view = viewOf(claim('id.k8s.io', 'ours'), theirs);
    expect(await view.get(id)).toMatchObject({ known: true, value: { spec: { value: 'ours' } } });
    expect(await view.get({ ...id, dialect: ocmClusterClaim })).toMatchObject({ value: { spec: { value: 'theirs' } } });
    expect(await view.list(clusterClaim)).toMatchObject({ known: true, value: [{ spec: { value: 'ours' } }] });
    for (const name of ['clusterset.k8s.io', 'constructor', '__proto__'])
      expect(await view.get({ ...id, name })).toEqual({ known: true, value: undefined });
  });

  test('keeps namespaces apart, and lists one or all', async () => {
    const view = viewOf(profile('fleet', 'a'), profile('other', 'a'), profile('other', 'b'));
    const names = async (namespace?: string) => {
      const answer = await view.list(clusterProfile, namespace);
      return answer.known && answer.value.map((object) => object['metadata']);
    };
    expect(await names('fleet')).toEqual([{ namespace: 'fleet', name: 'a' }]);
    expect([(await names('other')) || [], (await names()) || []].map(({ length }) => length)).toEqual([2, 3]);
    expect(await names('nowhere')).toEqual([]);
  });
});

describe('what the files view knows', () => {
  const others = claim('id.k8s.io', 'x', 'cluster.open-cluster-management.io/v1alpha1');
  test.each<[string, RunViewOptions, RegExp?]>([
    ['no state', {}, /^nothing is known of other ClusterClaim .*--state PATH/],
    ['an empty state', { state: [] }],
    ['a state of the kind', { state: [claim('a.example.com', 'x')] }],
    ['a state of another kind', { state: [profile('a', 'b')] }, /--state holds no ClusterClaim/],
    ['a state of the kind in another group', { state: [others] }, /no ClusterClaim objects \(multicluster/],
    ['no state, and a document of the kind', { known: [clusterClaim] }],
    ['no state, and a document of another kind', { known: [clusterProfile] }, /nothing is known/],
    ['a state read in part', { state: [], incomplete: true }, /part of --state could not be read/],
    ['a state of kinds that are not evaluated', { state: [objectOf('A', { name: 'a' }, 'v1')] }, /--state holds no/],
  ])('%s', async (_, options, reason = undefined) => {
    const view = createRunView(options);
    for (const answer of [await view.get(id), await view.list(clusterClaim)]) {
      expect(answer.known).toBe(reason === undefined);
      if (!answer.known) expect(answer.reason).toMatch(reason ?? /never/);
    }
  });

  test('what is there is known even where absence proves nothing', async () => {
    const view = createRunView({ state: [claim('id.k8s.io', 'x')], incomplete: true });
    expect(await view.get(id)).toMatchObject({ known: true, value: { spec: { value: 'x' } } });
    expect(await view.get(other)).toMatchObject({ known: false });
  });
});

describe('how the files view changes', () => {
  test('what is stored is seen, frozen, and replaces what had its name', async () => {
    const view = createRunView({ state: [claim('id.k8s.io', 'one')] });
    view.store(id, claim('id.k8s.io', 'two'));
    expect(view.stored(id)).toEqual(claim('id.k8s.io', 'two'));
    expect(Object.isFrozen(view.stored(id)?.['spec'])).toBe(true);
    expect(await view.list(clusterClaim)).toEqual({ known: true, value: [claim('id.k8s.io', 'two')] });
  });

  test('what is removed is known to be gone, in a kind of which nothing else is known too', async () => {
    const view = createRunView();
    view.store(id, undefined);
    expect([await view.get(id), view.stored(id)]).toEqual([{ known: true, value: undefined }, undefined]);
    expect(await view.get(other)).toMatchObject({ known: false });
  });

  test('storing an object does not make its kind known', async () => {
    const view = createRunView();
    view.store(id, claim('id.k8s.io', 'one'));
    expect(await view.get(id)).toMatchObject({ known: true });
    expect(await view.list(clusterClaim)).toMatchObject({ known: false });
  });
});

describe('a view before another one', () => {
  const behind = createRunView({ state: [claim('id.k8s.io', 'far'), claim('a.example.com', 'far')] });

  test('is asked first, also for what it knows to be gone', async () => {
    const view = createRunView({ behind, state: [claim('id.k8s.io', 'near')] });
    view.store({ ...id, name: 'a.example.com' }, undefined);
    expect(await view.get(id)).toMatchObject({ value: { spec: { value: 'near' } } });
    expect(await view.get({ ...id, name: 'a.example.com' })).toEqual({ known: true, value: undefined });
    expect(await view.list(clusterClaim)).toEqual({ known: true, value: [claim('id.k8s.io', 'near')] });
  });

  test('lists what is stored after a list, and not what is removed', async () => {
    const view = createRunView({ behind });
    await view.list(clusterClaim);
    view.store(id, undefined);
    view.store({ ...id, name: 'b.example.com' }, claim('b.example.com', 'new'));
    const answer = await view.list(clusterClaim);
    expect(answer.known && answer.value.map((object) => object['spec'])).toEqual([{ value: 'far' }, { value: 'new' }]);
  });

  test('knows of a kind what the other knows, whatever it holds itself', async () => {
    const state = [claim('id.k8s.io', 'near')];
    const view = createRunView({ behind: createRunView(), state, known: [clusterClaim] });
    expect(await view.get(other)).toMatchObject({ known: false });
    expect(await view.list(clusterClaim)).toMatchObject({ known: false });
  });
});

test('a namespaced object without a namespace is in default, a cluster-scoped one has none', async () => {
  const stray = objectOf('InventoryCluster', { name: 'a', namespace: 'b' });
  const view = createRunView({ state: [objectOf('ClusterProfile', { name: 'a' }), stray] });
  const metadata = async (dialect: typeof clusterProfile | typeof inventoryCluster, namespace?: string) => {
    const answer = await view.get({ dialect, name: 'a', ...(namespace && { namespace }) });
    return answer.known && answer.value?.['metadata'];
  };
  expect(await metadata(clusterProfile, 'default')).toEqual({ name: 'a', namespace: 'default' });
  expect(await metadata(inventoryCluster)).toEqual({ name: 'a' });
});

test('objects that share a key, however many, are stored again in a moment', () => {
  const names = Array.from({ length: 40_000 }, (_, index) => `c${index}`);
  const cluster = (name: string, displayName: string) => ({
    ...objectOf('InventoryCluster', { name }),
    spec: { displayName },
  });
  const view = createRunView({ state: names.map((name) => cluster(name, 'one')) });
  const keysOf = () => ['shared'];
  const found = () => view.listByKeys?.(inventoryCluster, undefined, keysOf, ['shared']);
  expect(found()).toEqual({ known: true, value: [cluster('c0', 'one'), cluster('c1', 'one')] });
  const began = Date.now();
  for (const name of names) view.store({ dialect: inventoryCluster, name }, cluster(name, 'two'));
  expect(found()).toEqual({ known: true, value: [cluster('c0', 'two'), cluster('c1', 'two')] });
  // Half a second. In time that grows with the square of their number, 20.
  expect(Date.now() - began).toBeLessThan(10_000);
});
