/**
 * Kubernetes' own controllers. The garbage collector in its three modes, and how it could be abused. The namespace
 * controller: a namespace can be deleted, whatever is in it. Storage migration, by the controller or by
 * kube-storage-version-migrator: every object of a kind is written back as it is.
 */
import assert from 'node:assert/strict';
import { type Json, until } from '../../harness/index.ts';
import { type FieldUser, FLOW_NAMESPACES } from '../cluster.ts';
import type { Field } from '../field.ts';
import {
  feature,
  here,
  id,
  inventory,
  labelled,
  managed,
  membership,
  newNamespace,
  ownClaim,
  profile,
  property,
  storedInventory,
  storedProfile,
  turningOn,
  withMetadata,
} from '../objects.ts';
import { away, awayWithManagers, restarting, type Scenario, type ScenarioIn, up, upWithManagers } from '../scenario.ts';
import {
  before,
  during,
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
  type Write,
  whileReplaced,
  writes,
} from '../steps.ts';

const configMap = (name: string): Json => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...here } });
/** The ConfigMap shows that the collector has run. */
const dependents = [storedProfile, turningOn, configMap('owned')];

/** Stores objects with an owner. */
const storeOwnedBy = (owner: Json, ...objects: readonly Json[]): Step =>
  step(async (field) => {
    await field.store(owner);
    const [reference] = await referencesTo(field, owner);
    const ownerReferences = [{ ...reference, blockOwnerDeletion: true }];
    for (const object of objects) await field.store(withMetadata(object, { ownerReferences }));
  });
const storeOwned = (...objects: readonly Json[]) => storeOwnedBy(configMap('owner'), ...objects);

const removeOwner = (propagationPolicy: string, owner = configMap('owner')): Step =>
  step(async ({ cluster: { controlPlane }, fill }) => {
    const path = await controlPlane.pathOf(fill(owner));
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
  ofOwner(state, 'background', 'passes; the dependents are deleted', [goes(...dependents)]),
  ofOwner(state, 'foreground', 'passes; the dependents are deleted', [goes(...dependents)]),
  ofOwner(
    state,
    'orphan',
    'passes; the owner references are removed, the dependents stay',
    dependents.map((object) => isOrphaned(object)),
  ),
];

/**
 * An owner that does not exist: the collector deletes whatever names it. Cluster-scoped, as an owner of a claim has to
 * be.
 */
const nobody = { apiVersion: 'v1', kind: 'Namespace', name: 'gone', uid: '00000000-0000-4000-8000-000000000000' };
const change = { metadata: { ownerReferences: [nobody] } };
const guarded: readonly (readonly [string, Json, string])[] = [
  ['membership', membership, 'claim/clusterset-manager'],
  ['profile', storedProfile, 'inventory/sole-manager'],
  ['feature', withMetadata(turningOn, { namespace: FLOW_NAMESPACES[0] }), 'feature/server-flow'],
];
const all = guarded.map(([, object]) => object);

/** Cluster-scoped, as an owner of a claim has to be. */
const ownerCalled = (name: string): Json => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name: `{field}-${name}` },
  rules: [],
});
const removed = ownerCalled('removed');
const staying = ownerCalled('staying');

/** As KubeFleet leaves them in a member: when a placement ends, its owner is deleted in the foreground. */
const ownProperty = property('cluster.clusterset.k8s.io', 'a');
const propertyMembership = property('clusterset.k8s.io', 'set');
const placed = [ownProperty, propertyMembership];
/** Shows that the collector has run. */
const beside = ownerCalled('beside');
const PLACED = 'foreground: the owner of both ClusterProperties of a member is deleted';
const storePlaced = before(storeOwnedBy(removed, ...placed, beside));
const removePlaced = removeOwner('Foreground', removed);

async function referencesTo(field: Field, ...owners: readonly Json[]): Promise<Json[]> {
  const stored = await Promise.all(owners.map((owner) => field.stored(owner)));
  return stored.map(({ apiVersion, kind, metadata: { name, uid } }) => ({ apiVersion, kind, name, uid }));
}

const storeWithTwoOwners = (object: Json): Step =>
  step(async (field) => {
    await field.store(removed);
    await field.store(staying);
    await field.store(withMetadata(object, { ownerReferences: await referencesTo(field, removed, staying) }));
  });

const removesOneOwner =
  (user: FieldUser, object: Json): Write =>
  async (field, file) => {
    const metadata = { ownerReferences: await referencesTo(field, staying) };
    return writes(user, 'update', object, { change: { metadata } })(field, file);
  };

const collectorIsRefused = step(async ({ cluster }) => {
  const collector = 'system:serviceaccount:kube-system:generic-garbage-collector';
  await until('the collector to be refused', async () => cluster.muster().log().includes(collector));
});

export const garbageCollector: readonly Scenario[] = [
  ...allModes(up),
  up(
    'background: the owner of the id of a member is gone, then the membership is deleted',
    'refused (403) while the cluster is a member, also for the collector; passes after it has left',
    joined,
    passes(writes('controller', 'update', id, { change })),
    collectorIsRefused,
    lacks(id, 'metadata', 'deletionTimestamp'),
    passes(writes('controller', 'delete', membership)),
    goes(id),
  ),
  up(
    PLACED,
    'passes: the collector deletes the membership, and the id once that is gone',
    storePlaced,
    removePlaced,
    goes(...placed),
  ),
  ...guarded.map(([kind, object, rule]) =>
    upWithManagers(
      `a user who may not delete a ${kind} adds an owner reference to an object that does not exist; managers are configured`,
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
    'passes; the collector then deletes the object, whose owner does not exist',
    store(id, ...all),
    ...all.flatMap((object) => [passes(writes('manager', 'update', object, { change })), goes(object)]),
  ),
  upWithManagers(
    'any user removes the last owner reference; managers are configured',
    'passes',
    storeOwned(storedProfile),
    passes(writes('outsider', 'update', storedProfile, { change: { metadata: { ownerReferences: null } } }), {
      keeps: [storedProfile],
    }),
  ),
  ...guarded.map(([kind, object, rule]) =>
    upWithManagers(
      `a user who may not delete a ${kind} removes one of its two owner references; managers are configured`,
      'refused (403): the collector would delete by the one that stays; passes for a manager, and the object is deleted with its owner',
      store(...(kind === 'membership' ? [id] : [])),
      storeWithTwoOwners(object),
      refuses(removesOneOwner('outsider', object), rule, { keeps: [object] }),
      passes(removesOneOwner('manager', object)),
      passes(writes('outsider', 'delete', staying)),
      goes(object),
    ),
  ),
  awayWithManagers(
    'any user adds an owner reference to a membership, a profile or a Feature; managers are configured',
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
  restarting(PLACED, 'passes', storePlaced, whileReplaced(removePlaced, goes(...placed))),
  ...allModes(away),
  away(
    PLACED,
    'passes for the membership; the id is refused (500) until muster is back; the collector tries again by itself',
    storePlaced,
    removePlaced,
    goes(beside, propertyMembership),
    lacks(ownProperty, 'metadata', 'deletionTimestamp'),
  ),
  away(
    'background: a custom claim whose owner is gone',
    'passes; the claim is deleted',
    before(store(ownClaim())),
    passes(writes('controller', 'update', ownClaim(), { change })),
    goes(ownClaim()),
  ),
];

/** The namespace, and one of each namespaced kind and state: in a transition, on, with the wrong label. */
const contents = (namespace: string): Json[] => [
  newNamespace(namespace),
  withMetadata(storedProfile, { namespace }),
  profile('two', managed('fleet'), { namespace, ...labelled('wrong') }),
  withMetadata(turningOn, { namespace }),
  feature('on', { status: { state: 'On' } }, { namespace }),
];

const deletes = (name: string): Step =>
  step(async (field) => {
    const { api, pathOf } = field.cluster.controlPlane;
    const namespace = newNamespace(field.fill(name));
    await api('admin').call('DELETE', await pathOf(namespace));
    await goes(namespace).run(field);
  });

const PATTERN = 'a namespace with ClusterProfiles and Features is deleted';
const RESULT = 'passes; the namespace is deleted';

export const namespaceDeletion: readonly Scenario[] = [
  ...[up, away].map((state) => state(PATTERN, RESULT, before(store(...contents('{field}'))), deletes('{field}'))),
  restarting(PATTERN, RESULT, store(...contents('{field}')), whileReplaced(deletes('{field}'))),
  ...[upWithManagers, awayWithManagers].map((state, index) => {
    const name = FLOW_NAMESPACES[index + 1] ?? '';
    return state(
      'the same where managers are configured, who alone may delete these objects',
      'passes; no rule refuses deletions by the namespace controller',
      before(store(...contents(name))),
      deletes(name),
    );
  }),
];

/** Has Kubernetes migrate this kind, and waits until it reports the result. */
const migration =
  (object: Json): Write =>
  async (field) => {
    const { api, apply, pathOf } = field.cluster.controlPlane;
    const path = await pathOf(field.fill(object));
    const resource = path.split('/').at(-2) ?? '';
    const request: Json = field.fill({
      apiVersion: 'storagemigration.k8s.io/v1beta1',
      kind: 'StorageVersionMigration',
      metadata: { name: `${resource}-{field}` },
      spec: { resource: { group: object.apiVersion.split('/')[0], resource } },
    });
    await apply(request);
    const ended = ({ type, status }: Json) => ['Succeeded', 'Failed'].includes(type) && status === 'True';
    let types: string[] = [];
    await until(`the migration of ${resource}`, async () => {
      // It begins when the collector has seen a later version of the kind, which without a write is a matter of
      // minutes.
      await api('admin').call('PATCH', path, { metadata: { annotations: { at: String(Date.now()) } } });
      types = ((await field.stored(request)).status?.conditions ?? []).filter(ended).map(({ type }: Json) => type);
      return types.length > 0;
    });
    return { ok: types.join() === 'Succeeded', text: types.join(), warnings: '', steps: [] };
  };

const everything = [storedInventory, storedProfile, turningOn];
/** Older than muster: it breaks a rule. */
const older = inventory('{field}-older', managed('fleet'), labelled('wrong'));
const writeBack = (object: Json) => writes('migrator', 'migrate', object);

export const storageMigration: readonly Scenario[] = [
  ...[up, away].flatMap((state) => [
    state(
      'StorageVersionMigration of InventoryClusters, ClusterProfiles and Features',
      'passes',
      before(store(...everything)),
      ...everything.map((object) => passes(migration(object), { keeps: [object] })),
    ),
    state(
      '`Update` of every object as it was read; some are older than muster and break a rule',
      'passes: values that do not change are not refused',
      before(store(...everything, older)),
      ...[...everything, older].map((object) => passes(writeBack(object), { keeps: [object] })),
    ),
  ]),
  restarting(
    '`Update` of every object as it was read, again and again',
    'passes',
    store(...everything),
    during(writeBack(storedProfile)),
  ),
];
