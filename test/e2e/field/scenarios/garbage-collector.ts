/** The garbage collector in its three modes, and how it could be abused. */
import assert from 'node:assert/strict';
import { type Json, until } from '../../harness/index.ts';
import { FLOW_NAMESPACES } from '../cluster.ts';
import { here, id, membership, ownClaim, storedProfile, turningOn, withMetadata } from '../objects.ts';
import { away, awayWithManagers, restarting, type Scenario, type ScenarioIn, up, upWithManagers } from '../scenario.ts';
import {
  before,
  fails,
  goes,
  has,
  joined,
  lacks,
  passes,
  refuses,
  type Step,
  step,
  store,
  whileReplaced,
  writes,
} from '../steps.ts';

const configMap = (name: string): Json => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...here } });
/** The ConfigMap shows that the collector has run. */
const dependents = [storedProfile, turningOn, configMap('owned')];

/** Stores objects with an owner. */
const storeOwned = (...objects: readonly Json[]): Step =>
  step(async (field) => {
    await field.store(configMap('owner'));
    const { apiVersion, kind, metadata } = await field.stored(configMap('owner'));
    const owner = { apiVersion, kind, name: metadata.name, uid: metadata.uid, blockOwnerDeletion: true };
    for (const object of objects) await field.store(withMetadata(object, { ownerReferences: [owner] }));
  });

const removeOwner = (propagationPolicy: string): Step =>
  step(async ({ cluster: { controlPlane }, fill }) => {
    const path = await controlPlane.pathOf(fill(configMap('owner')));
    assert.equal((await controlPlane.api('admin').call('DELETE', path, { propagationPolicy })).status, 200);
  });

const isOrphaned = (object: Json): Step =>
  step(async (field) => {
    const isOff = async () => (await field.stored(object)).metadata.ownerReferences === undefined;
    await until(`the owner reference of ${object.kind} to come off`, isOff);
  });

function ofOwner(
  state: ScenarioIn,
  mode: 'background' | 'foreground' | 'orphan',
  result: string,
  steps: readonly Step[],
) {
  const policy = `${mode.slice(0, 1).toUpperCase()}${mode.slice(1)}`;
  const run = [removeOwner(policy), ...steps];
  const pattern = `${mode}: the owner of a ClusterProfile and a Feature is deleted`;
  return state(
    pattern,
    result,
    before(storeOwned(...dependents)),
    ...(state === restarting ? [whileReplaced(...run)] : run),
  );
}

const allModes = (state: ScenarioIn): Scenario[] => [
  ofOwner(state, 'background', 'passes; the dependents go', [goes(...dependents)]),
  ofOwner(state, 'foreground', 'passes; the dependents go', [goes(...dependents)]),
  ofOwner(
    state,
    'orphan',
    'passes; the owner references come off, the dependents stay',
    dependents.map((object) => isOrphaned(object)),
  ),
];

/** An owner that does not exist: the collector deletes whatever names it. Cluster-scoped, as an owner of a claim has to be. */
const nobody = { apiVersion: 'v1', kind: 'Namespace', name: 'gone', uid: '00000000-0000-4000-8000-000000000000' };
const change = { metadata: { ownerReferences: [nobody] } };
const guarded: readonly (readonly [string, Json, string])[] = [
  ['membership', membership, 'claim/clusterset-manager'],
  ['profile', storedProfile, 'inventory/sole-manager'],
  ['feature', withMetadata(turningOn, { namespace: FLOW_NAMESPACES[0] }), 'feature/server-flow'],
];
const all = guarded.map(([, object]) => object);

const collectorIsRefused = step(async ({ cluster }) => {
  const collector = 'system:serviceaccount:kube-system:generic-garbage-collector';
  await until('the collector to be refused', async () => cluster.muster().log().includes(collector));
});

export const garbageCollector: readonly Scenario[] = [
  ...allModes(up),
  up(
    'background: the owner of the id of a member is gone, then the membership is deleted',
    'refused (403) while a member, even to the collector; passes once the cluster has left',
    joined,
    passes(writes('controller', 'update', id, { change })),
    collectorIsRefused,
    lacks(id, 'metadata', 'deletionTimestamp'),
    passes(writes('controller', 'delete', membership)),
    goes(id),
  ),
  ...guarded.map(([kind, object, rule]) =>
    upWithManagers(
      `a user who may not delete a ${kind} adds an owner reference to nobody; managers are configured`,
      'refused (403) as its deletion would be; the object stays',
      store(...(kind === 'membership' ? [id] : []), object),
      ...['delete', 'update', 'patch'].map((write) =>
        refuses(writes('outsider', write, object, { change }), rule, { keeps: [object] }),
      ),
      lacks(object, 'metadata', 'ownerReferences'),
    ),
  ),
  upWithManagers(
    'a manager adds an owner reference; managers are configured',
    'passes; the collector then deletes what names nobody',
    store(id, ...all),
    ...all.flatMap((object) => [passes(writes('manager', 'update', object, { change })), goes(object)]),
  ),
  upWithManagers(
    'anybody removes an owner reference; managers are configured',
    'passes',
    storeOwned(storedProfile),
    passes(writes('outsider', 'update', storedProfile, { change: { metadata: { ownerReferences: null } } }), {
      keeps: [storedProfile],
    }),
  ),
  awayWithManagers(
    'anybody adds an owner reference to a membership, a profile, a Feature; managers are configured',
    'refused (500) until muster is back; labels and annotations pass',
    before(store(id, ...all)),
    ...all.flatMap((object) => [
      fails(writes('outsider', 'update', object, { change }), { keeps: [object] }),
      fails(writes('manager', 'update', object, { change }), { keeps: [object] }),
      passes(
        writes('outsider', 'update', object, { change: { metadata: { annotations: { a: 'x' }, labels: { a: 'x' } } } }),
      ),
      has(object, { metadata: { labels: { a: 'x' } } }),
    ]),
  ),
  ...allModes(restarting),
  ...allModes(away),
  away(
    'background: a custom claim whose owner is gone',
    'passes; the claim goes',
    before(store(ownClaim())),
    passes(writes('controller', 'update', ownClaim(), { change })),
    goes(ownClaim()),
  ),
];
