import { describe, expect, test } from '@jest/globals';
import { clusterClaim, clusterProfile, inventoryCluster } from '../../../src/api/dialects.ts';
import { createFilesView, type FilesViewOptions } from '../../../src/cluster/files/index.ts';
import { claim, describeView, profile } from '../cluster-view.contract.ts';

describeView((state) => createFilesView({ state }));

const id = { dialect: clusterClaim, name: 'id.k8s.io' };

describe('what the files view knows', () => {
  const others = claim('id.k8s.io', 'x', 'cluster.open-cluster-management.io/v1alpha1');
  const foreign = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
  test.each<[string, FilesViewOptions, RegExp?]>([
    ['no state', {}, /^nothing is known of other ClusterClaim .*--state PATH/],
    ['an empty state', { state: [] }],
    ['a state of the kind', { state: [claim('a.example.com', 'x')] }],
    ['a state of another kind', { state: [profile('a', 'b')] }, /--state holds no ClusterClaim/],
    [
      'a state of the kind in another group',
      { state: [others] },
      /no ClusterClaim objects \(multicluster\.x-k8s\.io\)/,
    ],
    ['no state, and a document of the kind', { known: [clusterClaim] }],
    ['no state, and a document of another kind', { known: [clusterProfile] }, /nothing is known/],
    ['a state read in part', { state: [], incomplete: true }, /part of --state could not be read/],
    ['a state of kinds that are not evaluated', { state: [foreign] }, /--state holds no/],
  ])('%s', async (_, options, reason = undefined) => {
    const view = createFilesView(options);
    const answers = [await view.get(id), await view.list(clusterClaim)];
    for (const answer of answers) {
      expect(answer.known).toBe(reason === undefined);
      if (!answer.known) expect(answer.reason).toMatch(reason ?? /never/);
    }
  });

  test('what is there is known even where absence proves nothing', async () => {
    const view = createFilesView({ state: [claim('id.k8s.io', 'x')], incomplete: true });
    expect(await view.get(id)).toMatchObject({ known: true, value: { spec: { value: 'x' } } });
    expect(await view.get({ ...id, name: 'clusterset.k8s.io' })).toMatchObject({ known: false });
  });
});

describe('how the files view changes', () => {
  test('what is stored is seen, and replaces what had its name', async () => {
    const view = createFilesView({ state: [claim('id.k8s.io', 'one')] });
    view.store(id, claim('id.k8s.io', 'two'));
    expect(view.stored(id)).toEqual(claim('id.k8s.io', 'two'));
    expect(await view.list(clusterClaim)).toEqual({ known: true, value: [claim('id.k8s.io', 'two')] });
  });

  test('what is removed is known to be gone, in a kind of which nothing else is known too', async () => {
    const view = createFilesView();
    view.remove(id);
    expect(await view.get(id)).toEqual({ known: true, value: undefined });
    expect(view.stored(id)).toBeUndefined();
    expect(await view.get({ ...id, name: 'clusterset.k8s.io' })).toMatchObject({ known: false });
  });

  test('storing an object does not make its kind known', async () => {
    const view = createFilesView();
    view.store(id, claim('id.k8s.io', 'one'));
    expect(await view.get(id)).toMatchObject({ known: true });
    expect(await view.list(clusterClaim)).toMatchObject({ known: false });
  });

  test('objects are frozen', () => {
    const view = createFilesView({ state: [claim('id.k8s.io', 'one')] });
    expect(Object.isFrozen(view.stored(id)?.['spec'])).toBe(true);
  });
});

describe('a view before another one', () => {
  describeView((state) => createFilesView({ behind: createFilesView({ state }) }));
  const behind = createFilesView({ state: [claim('id.k8s.io', 'far'), claim('a.example.com', 'far')] });

  test('the nearer is asked first, also for what it knows to be gone', async () => {
    const view = createFilesView({ behind, state: [claim('id.k8s.io', 'near')] });
    view.remove({ ...id, name: 'a.example.com' });
    expect(await view.get(id)).toMatchObject({ value: { spec: { value: 'near' } } });
    expect(await view.get({ ...id, name: 'a.example.com' })).toEqual({ known: true, value: undefined });
    expect(await view.list(clusterClaim)).toEqual({ known: true, value: [claim('id.k8s.io', 'near')] });
    expect(await createFilesView({ behind }).list(clusterClaim)).toMatchObject({ value: { length: 2 } });
  });

  test('what is stored or removed after a list is in the next one', async () => {
    const view = createFilesView({ behind });
    await view.list(clusterClaim);
    view.remove(id);
    view.store({ ...id, name: 'b.example.com' }, claim('b.example.com', 'new'));
    const answer = await view.list(clusterClaim);
    expect(answer.known && answer.value.map((object) => object['spec'])).toEqual([{ value: 'far' }, { value: 'new' }]);
  });

  test('what the other does not know is not known, whatever the nearer holds', async () => {
    const view = createFilesView({
      behind: createFilesView(),
      state: [claim('id.k8s.io', 'near')],
      known: [clusterClaim],
    });
    expect(await view.get({ ...id, name: 'clusterset.k8s.io' })).toMatchObject({ known: false });
    expect(await view.list(clusterClaim)).toMatchObject({ known: false });
  });
});

describe('namespaces', () => {
  test('a namespaced object without one stands in default', async () => {
    const view = createFilesView({ state: [profile(undefined, 'a')] });
    const answer = await view.get({ dialect: clusterProfile, namespace: 'default', name: 'a' });
    expect(answer).toMatchObject({ value: { metadata: { name: 'a', namespace: 'default' } } });
  });

  test('a cluster-scoped object has none, whatever it says', async () => {
    const stray = {
      apiVersion: 'multicluster.x-k8s.io/v1alpha1',
      kind: 'InventoryCluster',
      metadata: { name: 'a', namespace: 'b' },
    };
    const view = createFilesView({ state: [stray] });
    const answer = await view.get({ dialect: inventoryCluster, name: 'a' });
    expect(answer).toMatchObject({ known: true, value: { metadata: { name: 'a' } } });
    expect(answer.known && answer.value?.['metadata']).not.toHaveProperty('namespace');
  });
});
