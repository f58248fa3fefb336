/** Storage migration: every object of a kind is written back as it is, by Kubernetes' own controller or by kube-storage-version-migrator. */
import assert from 'node:assert/strict';
import { type Json, until } from '../../harness/index.ts';
import type { Field } from '../field.ts';
import { inventory, labelled, managed, storedInventory, storedProfile, turningOn } from '../objects.ts';
import { allPass } from '../outcome.ts';
import type { Scenario } from '../scenario.ts';

const tool = 'Storage migration';
const KINDS = {
  'clusterprofiles.multicluster.x-k8s.io': ['multicluster.x-k8s.io', 'clusterprofiles'],
  'features.features.x-k8s.io': ['features.x-k8s.io', 'features'],
  'clusterclaims.multicluster.x-k8s.io': ['multicluster.x-k8s.io', 'clusterclaims'],
} as const;

/** Has Kubernetes migrate these kinds, and waits until it says how that went. */
async function migrates(field: Field): Promise<void> {
  for (const [name, [group, resource]] of Object.entries(KINDS)) {
    const migration: Json = {
      apiVersion: 'storagemigration.k8s.io/v1beta1',
      kind: 'StorageVersionMigration',
      metadata: { name: `${name}-${field.name}` },
      spec: { resource: { group, resource } },
    };
    await field.controlPlane.apply(migration);
    const conditions = async () => (await field.stored(migration)).status?.conditions ?? [];
    const ended = ({ type, status }: Json) => ['Succeeded', 'Failed'].includes(type) && status === 'True';
    await until(`the migration of ${name}`, async () => (await conditions()).some(ended));
    assert.deepEqual(
      (await conditions()).filter(ended).map(({ type }: Json) => type),
      ['Succeeded'],
    );
  }
}

const everything = (field: Field) => [storedInventory(field), storedProfile(field), turningOn(field)];

/** The older program writes each object back by an update. */
async function writesBack(field: Field): Promise<void> {
  for (const object of everything(field)) {
    const objects = [object];
    allPass(await field.keeps(object, () => field.write('migrator', { write: 'migrate', objects })));
  }
}

export const storageMigration: readonly Scenario[] = (['up', 'away'] as const).flatMap((muster): Scenario[] => [
  {
    tool,
    title: `Kubernetes migrates its objects while muster is ${muster}`,
    pattern: 'StorageVersionMigration of claims, ClusterProfiles and Features',
    muster,
    result: 'passes',
    before: (field) => field.store(...everything(field)),
    run: migrates,
  },
  {
    tool,
    title: `kube-storage-version-migrator migrates its objects while muster is ${muster}`,
    pattern: '`Update` of every object as it was read; some are older than muster and break a rule',
    muster,
    result: 'passes: what does not change is not refused',
    async before(field) {
      const older = inventory(`${field.name}-older`, managed('fleet'), labelled('wrong'));
      await field.store(...everything(field), older);
    },
    run: writesBack,
  },
]);
