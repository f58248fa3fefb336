/** Storage migration: every object of a kind is written back as it is, by Kubernetes' own controller or by kube-storage-version-migrator. */
import assert from 'node:assert/strict';
import { type Json, until } from '../../harness/index.ts';
import type { Field } from '../field.ts';
import { inventory, labelled, managed, storedInventory, storedProfile, turningOn } from '../objects.ts';
import { allPass } from '../outcome.ts';
import { away, restarting, type ToolScenario, up } from '../scenario.ts';

/** Has Kubernetes migrate this kind, and waits until it says how that went. */
async function migrates(field: Field, object: Json): Promise<void> {
  const path = await field.controlPlane.pathOf(object);
  const resource = path.split('/').at(-2) ?? '';
  const migration: Json = {
    apiVersion: 'storagemigration.k8s.io/v1beta1',
    kind: 'StorageVersionMigration',
    metadata: { name: `${resource}-${field.name}` },
    spec: { resource: { group: object.apiVersion.split('/')[0], resource } },
  };
  await field.controlPlane.apply(migration);
  const ended = ({ type, status }: Json) => ['Succeeded', 'Failed'].includes(type) && status === 'True';
  const found = async () => ((await field.stored(migration)).status?.conditions ?? []).filter(ended);
  await until(`the migration of ${resource}`, async () => {
    // It begins when the collector has seen a later version of the kind, which without a write is a matter of minutes.
    await field.controlPlane
      .api('admin')
      .call('PATCH', path, { metadata: { annotations: { at: String(Date.now()) } } });
    return (await found()).length > 0;
  });
  assert.deepEqual(
    (await found()).map(({ type }: Json) => type),
    ['Succeeded'],
  );
}

const everything = (field: Field) => [storedInventory(field), storedProfile(field), turningOn(field)];

/** The older program writes each object back by an update. */
async function writesBack(field: Field): Promise<void> {
  for (const object of everything(field)) {
    const objects = [object];
    allPass(await field.keeps(object, () => field.write('migrator', { write: 'migrate', objects })));
  }
}

export const storageMigration: readonly ToolScenario[] = [
  ...[up, away].flatMap((state) => [
    state('StorageVersionMigration of InventoryClusters, ClusterProfiles and Features', 'passes', {
      before: (field) => field.store(...everything(field)),
      async run(field) {
        for (const object of everything(field)) await field.keeps(object, () => migrates(field, object));
      },
    }),
    state(
      '`Update` of every object as it was read; some are older than muster and break a rule',
      'passes: what does not change is not refused',
      {
        async before(field) {
          const older = inventory(`${field.name}-older`, managed('fleet'), labelled('wrong'));
          await field.store(...everything(field), older);
        },
        run: writesBack,
      },
    ),
  ]),
  restarting('`Update` of every object as it was read, again and again', 'passes', async (field) => {
    await field.store(...everything(field));
    const objects = [storedProfile(field)];
    allPass(await field.during((until) => field.write('migrator', { write: 'migrate', objects, until })));
  }),
];
