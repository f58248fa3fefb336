/** kapp: its changes are PUTs of the manifest with the stored metadata and status, without the labels of others. */
import assert from 'node:assert/strict';
import type { Json } from '../../harness/index.ts';
import type { Field } from '../field.ts';
import {
  id,
  MANAGER_LABEL,
  membership,
  otherId,
  profileManifest,
  storedInventory,
  storedProfile,
  withMetadata,
} from '../objects.ts';
import { allPass, forbids, stepsOf } from '../outcome.ts';
import { away, restarting, type ToolScenario, up } from '../scenario.ts';
import type { Job } from '../writers.ts';

const deploy = (field: Field, object: Json, strategy?: NonNullable<Job['strategy']>) =>
  field.write('deployer', {
    write: 'kapp-deploy',
    objects: [withMetadata(object, { labels: { ...object.metadata.labels, 'kapp.k14s.io/app': '1' } })],
    ...(strategy === undefined ? {} : { strategy }),
  });

export const kapp: readonly ToolScenario[] = [
  up(
    '`deploy`, a ClusterProfile without the manager label',
    'passes, every time; the label is put back, uid and status stay',
    async (field) => {
      allPass(await deploy(field, profileManifest(field)));
      await field.store(storedProfile(field));
      for (const text of ['two', 'three']) {
        const manifest = profileManifest(field, text);
        allPass(await field.updates(manifest, () => deploy(field, manifest)));
        const stored = await field.stored(manifest);
        assert.equal(stored.spec.displayName, text);
        assert.equal(stored.metadata.labels[MANAGER_LABEL], 'fleet');
      }
    },
  ),
  up(
    '`update-strategy: fallback-on-replace`, the id of a member with another value',
    'refused (403), on which kapp does not fall back; the id stays',
    async (field) => {
      await field.store(id, membership);
      const written = await field.keeps(id, () => deploy(field, otherId, 'fallback-on-replace'));
      forbids(written, /claim\/id-immutable-in-clusterset/, /leave/i);
      assert.deepEqual(stepsOf(written), ['update']);
    },
  ),
  up(
    '`update-strategy: fallback-on-replace`, an InventoryCluster with another `spec.clusterManager`',
    'refused (403); uid and status stay',
    async (field) => {
      const { status: _, ...object } = storedInventory(field);
      await field.store(storedInventory(field));
      const other = { ...object, spec: { clusterManager: { name: 'another' } } };
      const written = await field.keeps(object, () => deploy(field, other, 'fallback-on-replace'));
      forbids(written, /inventory\/cluster-manager/);
      assert.deepEqual(stepsOf(written), ['update']);
    },
  ),
  up(
    '`update-strategy: always-replace`, the id of a member',
    'refused (403): it begins with a deletion; the id stays',
    async (field) => {
      await field.store(id, membership);
      const written = await field.keeps(id, () => deploy(field, otherId, 'always-replace'));
      forbids(written, /claim\/id-present-in-clusterset/, /leave/i);
    },
  ),
  restarting('`deploy`, a ClusterProfile without the manager label, again and again', 'passes', async (field) => {
    const objects = [profileManifest(field, 'round {round}')];
    allPass(await field.during((until) => field.write('deployer', { write: 'kapp-deploy', objects, until })));
  }),
  away('`deploy`, the manifest has the manager label, only labels and annotations change', 'passes', {
    async before(field) {
      await field.store(storedProfile(field));
    },
    async run(field) {
      const { status: _, ...manifest } = storedProfile(field);
      allPass(await field.keeps(manifest, () => deploy(field, manifest)));
    },
  }),
];
