/** Argo CD: its syncs are kubectl's `create`, `replace` and server-side `apply`, whose code it calls. */
import assert from 'node:assert/strict';
import type { Input, Json } from '../../harness/index.ts';
import type { Field } from '../field.ts';
import {
  id,
  inventoryManifest,
  MANAGER_LABEL,
  membership,
  otherId,
  profileManifest,
  storedInventory,
  storedProfile,
  withMetadata,
} from '../objects.ts';
import { passes, refuses } from '../outcome.ts';
import { away, restarting, type ToolScenario, up } from '../scenario.ts';

const create = ['create', '--save-config=false', '-f', '-'];
const replace = ['replace', '-f', '-'];
const forced = ['replace', '--force', '-f', '-'];
const apply = ['apply', '--server-side', '--force-conflicts', '--field-manager=argocd-controller', '-f', '-'];
const sync = (field: Field, args: readonly string[], input: Input) => field.kubectl('argocd', args, input);

function tracked(object: Json, commit = '1'): Json {
  return withMetadata(object, { annotations: { 'argocd.argoproj.io/tracking-id': `fleet:${object.kind}`, commit } });
}

export const argocd: readonly ToolScenario[] = [
  up(
    '`Replace=true`, a ClusterProfile without the manager label',
    'passes, every time; the label is put back, the status stays',
    async (field) => {
      const manifest = tracked(profileManifest(field));
      passes(await sync(field, create, manifest));
      await field.store(storedProfile(field));
      for (const commit of ['2', '3']) {
        const outcome = await field.updates(manifest, () =>
          sync(field, replace, tracked(profileManifest(field, `commit ${commit}`), commit)),
        );
        passes(outcome);
        assert.match(outcome.stderr, /Warning: .*inventory\/cluster-manager-label/);
        const stored = await field.stored(manifest);
        assert.equal(stored.metadata.labels[MANAGER_LABEL], 'fleet');
        assert.equal(stored.spec.displayName, `commit ${commit}`);
      }
    },
  ),
  up(
    '`Replace=true`, an InventoryCluster without the manager label',
    'passes; the label is put back, the status stays',
    async (field) => {
      await field.store(storedInventory(field));
      passes(
        await field.updates(storedInventory(field), () =>
          sync(field, replace, tracked(inventoryManifest(field, 'another name'))),
        ),
      );
      assert.equal((await field.stored(storedInventory(field))).metadata.labels[MANAGER_LABEL], 'fleet');
    },
  ),
  up(
    '`Replace=true`, the id of a member with another value',
    'refused (403); the sync fails, the id stays',
    async (field) => {
      await field.store(id, membership);
      const outcome = await field.keeps(id, () => sync(field, replace, tracked(otherId)));
      refuses(outcome, /claim\/id-immutable-in-clusterset/, /leave/i);
    },
  ),
  up(
    '`Replace=true,Force=true`, the id of a member with another value',
    'refused (403): it begins with a deletion; the id stays',
    async (field) => {
      await field.store(id, membership);
      const outcome = await field.keeps(id, () => sync(field, forced, tracked(otherId)));
      refuses(outcome, /claim\/id-present-in-clusterset/, /leave/i);
    },
  ),
  up(
    '`Replace=true,Force=true`, a ClusterProfile with another manager',
    'passes, and loses uid and status: that is what `Force=true` asks for',
    async (field) => {
      const object = storedProfile(field);
      await field.store(object);
      const before = await field.stored(object);
      const other = profileManifest(field);
      other.spec.clusterManager = { name: 'another' };
      passes(await sync(field, forced, tracked(other)));
      const after = await field.stored(object);
      assert.notEqual(after.metadata.uid, before.metadata.uid);
      assert.equal(after.status, undefined);
      assert.equal(after.metadata.labels[MANAGER_LABEL], 'another');
    },
  ),
  up('`ServerSideApply=true`, the id of a member with another value', 'refused (403); the id stays', async (field) => {
    await field.store(id, membership);
    refuses(await field.keeps(id, () => sync(field, apply, tracked(otherId))), /claim\/id-immutable-in-clusterset/);
  }),
  up('prune of both claims, in the reverse order of the sync waves', 'passes', async (field) => {
    await field.store(id, membership);
    for (const { metadata } of [membership, id]) {
      passes(await field.kubectl('argocd', ['delete', 'clusterclaims.multicluster.x-k8s.io', metadata.name]));
    }
    assert.equal(await field.read(id), undefined);
  }),
  restarting(
    '`Replace=true`, an InventoryCluster without the manager label, sync after sync',
    'passes; the label is put back every time',
    async (field) => {
      await field.store(storedInventory(field));
      await field.throughout(async (round) => {
        passes(await sync(field, replace, tracked(inventoryManifest(field, `round ${round}`), `${round}`)));
        assert.equal((await field.stored(storedInventory(field))).metadata.labels[MANAGER_LABEL], 'fleet');
      });
    },
  ),
  away('`ServerSideApply=true`, nothing that a rule reads has changed', 'passes', {
    async before(field) {
      passes(await sync(field, apply, tracked(profileManifest(field))));
    },
    async run(field) {
      for (const commit of ['1', '2']) passes(await sync(field, apply, tracked(profileManifest(field), commit)));
    },
  }),
  away('`Replace=true`, the manifest has the manager label, only annotations change', 'passes', {
    async before(field) {
      await field.store(storedProfile(field));
    },
    async run(field) {
      const { status: _, ...manifest } = storedProfile(field);
      passes(await field.keeps(manifest, () => sync(field, replace, tracked(manifest))));
    },
  }),
  away(
    '`Replace=true`, a ClusterProfile without the manager label',
    'passes; nobody puts the label back, which `muster scan` reports',
    {
      async before(field) {
        await field.store(storedProfile(field));
      },
      async run(field) {
        passes(await sync(field, replace, tracked(profileManifest(field))));
        const stored = await field.stored(storedProfile(field));
        assert.equal(stored.metadata.labels?.[MANAGER_LABEL], undefined);
      },
    },
  ),
  away(
    '`Replace=true`, an InventoryCluster without the manager label',
    'refused (500) until muster is back: nobody could put the label back',
    {
      async before(field) {
        await field.store(storedInventory(field));
      },
      async run(field) {
        const object = storedInventory(field);
        const { status: _, ...manifest } = object;
        const bare = { ...manifest, metadata: { name: object.metadata.name } };
        const outcome = await field.keeps(object, () => sync(field, replace, tracked(bare)));
        refuses(outcome, /failed calling webhook/);
      },
    },
  ),
];
