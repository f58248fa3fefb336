/** The garbage collector in its three modes, and how it could be abused. */
import assert from 'node:assert/strict';
import { type Json, until } from '../../harness/index.ts';
import { FLOW_NAMESPACES } from '../cluster.ts';
import type { Field } from '../field.ts';
import { claim, id, membership, storedProfile, turningOn, value, withMetadata } from '../objects.ts';
import { allPass, forbids, isUnanswered } from '../outcome.ts';
import { away, restarting, type ToolScenario, up } from '../scenario.ts';

const COLLECTOR = 'system:serviceaccount:kube-system:generic-garbage-collector';
const [FLOW = ''] = FLOW_NAMESPACES;

/** A ConfigMap owns a profile, a Feature and another ConfigMap, which shows that the collector has run. */
async function own(field: Field): Promise<void> {
  const { namespace } = field;
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'owner', namespace } };
  await field.store(owner);
  const ownerReferences = [await ownerOf(field, owner)];
  await field.store(...owned(field).map((object) => withMetadata(object, { ownerReferences })));
}

const owned = (field: Field): Json[] => [
  storedProfile(field),
  turningOn(field),
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'owned', namespace: field.namespace } },
];

async function ownerOf(field: Field, owner: Json): Promise<Json> {
  const { apiVersion, kind, metadata } = await field.stored(owner);
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid, blockOwnerDeletion: true };
}

async function removeOwner(field: Field, propagationPolicy: string): Promise<void> {
  const path = `/api/v1/namespaces/${field.namespace}/configmaps/owner`;
  const { status } = await field.controlPlane.api('admin').call('DELETE', path, { propagationPolicy });
  assert.equal(status, 200);
}

const collected = (state: typeof up, propagation: 'Foreground' | 'Background') =>
  state(
    `${propagation.toLowerCase()}: the owner of a ClusterProfile and a Feature is deleted`,
    'passes; the dependents go',
    {
      before: own,
      async run(field) {
        const replaced = state === restarting ? field.cluster.replace() : undefined;
        await removeOwner(field, propagation);
        for (const object of owned(field)) await field.goes(object);
        await replaced;
      },
    },
  );

const orphaned = (state: typeof up) =>
  state(
    'orphan: the owner of a ClusterProfile and a Feature is deleted',
    'passes; the owner references come off, the dependents stay',
    {
      before: own,
      async run(field) {
        const replaced = state === restarting ? field.cluster.replace() : undefined;
        await removeOwner(field, 'Orphan');
        for (const object of owned(field)) {
          const references = async () => (await field.stored(object)).metadata.ownerReferences;
          const isOff = async () => (await references()) === undefined;
          await until(`the owner reference of ${object.kind} to come off`, isOff);
        }
        await replaced;
      },
    },
  );

/** An owner that does not exist: the collector deletes whatever names it. Cluster-scoped, as an owner of a claim has to be. */
const nobody = { apiVersion: 'v1', kind: 'Namespace', name: 'gone', uid: '00000000-0000-4000-8000-000000000000' };
const claimed = { metadata: { ownerReferences: [nobody] } };
const guarded = (field: Field) => ({
  membership,
  profile: storedProfile(field),
  feature: turningOn({ name: field.name, namespace: FLOW }),
});
type Guarded = keyof ReturnType<typeof guarded>;

const RULES: Readonly<Record<Guarded, RegExp>> = {
  membership: /claim\/clusterset-manager/,
  profile: /inventory\/sole-manager/,
  feature: /feature\/server-flow/,
};

const attack = (kind: Guarded) =>
  up(
    `a user who may not delete a ${kind} adds an owner reference to nobody; managers are configured`,
    'refused (403) as its deletion would be; the object stays',
    {
      managers: true,
      async run(field) {
        const object = guarded(field)[kind];
        await field.store(...(kind === 'membership' ? [id] : []), object);
        const job = { objects: [object], change: claimed };
        for (const write of ['delete', 'update', 'patch'] as const)
          forbids(await field.keeps(object, () => field.write('outsider', { ...job, write })), RULES[kind]);
        assert.equal((await field.stored(object)).metadata.ownerReferences, undefined);
      },
    },
  );

export const garbageCollector: readonly ToolScenario[] = [
  collected(up, 'Background'),
  collected(up, 'Foreground'),
  orphaned(up),
  up(
    'background: the owner of the id of a member is gone, then the membership is deleted',
    'refused (403) while a member, even to the collector; passes once the cluster has left',
    async (field) => {
      await field.store(id, membership);
      allPass(await field.write('controller', { write: 'update', objects: [id], change: claimed }));
      await until('the collector to be refused', async () => field.cluster.muster().log().includes(COLLECTOR));
      assert.equal((await field.stored(id)).metadata.deletionTimestamp, undefined);
      allPass(await field.write('controller', { write: 'delete', objects: [membership] }));
      await field.goes(id);
    },
  ),
  ...(['membership', 'profile', 'feature'] as const).map(attack),
  up(
    'a manager adds an owner reference; managers are configured',
    'passes; the collector then deletes what names nobody',
    {
      managers: true,
      async run(field) {
        const objects = Object.values(guarded(field));
        await field.store(id, ...objects);
        for (const object of objects) {
          allPass(await field.write('manager', { write: 'update', objects: [object], change: claimed }));
          await field.goes(object);
        }
      },
    },
  ),
  up('anybody removes an owner reference; managers are configured', 'passes', {
    managers: true,
    async run(field) {
      const { namespace } = field;
      const owner = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'owner', namespace } };
      await field.store(owner);
      const ownerReferences = [await ownerOf(field, owner)];
      const object = withMetadata(storedProfile(field), { ownerReferences });
      await field.store(object);
      const change = { metadata: { ownerReferences: null } };
      allPass(await field.keeps(object, () => field.write('outsider', { write: 'update', objects: [object], change })));
    },
  }),
  away(
    'anybody adds an owner reference to a membership, a profile, a Feature; managers are configured',
    'refused (500) until muster is back; labels and annotations pass',
    {
      managers: true,
      before: (field) => field.store(id, ...Object.values(guarded(field))),
      async run(field) {
        for (const object of Object.values(guarded(field))) {
          for (const user of ['outsider', 'manager'] as const) {
            const job = { write: 'update', objects: [object], change: claimed } as const;
            isUnanswered(await field.keeps(object, () => field.write(user, job)));
          }
          const change = { metadata: { annotations: { note: 'x' }, labels: { team: 'x' } } };
          allPass(await field.write('outsider', { write: 'update', objects: [object], change }));
        }
      },
    },
  ),
  collected(restarting, 'Background'),
  collected(restarting, 'Foreground'),
  orphaned(restarting),
  collected(away, 'Background'),
  collected(away, 'Foreground'),
  orphaned(away),
  away('background: a custom claim whose owner is gone', 'passes; the claim goes', {
    async before(field) {
      await field.store(claim(`${field.name}.example.com`, value('a')));
    },
    async run(field) {
      const object = claim(`${field.name}.example.com`, value('a'));
      allPass(await field.write('controller', { write: 'update', objects: [object], change: claimed }));
      await field.goes(object);
    },
  }),
];
