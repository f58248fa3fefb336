/** Storage migration: every object of a kind is written back as it is, by Kubernetes' own controller or by kube-storage-version-migrator. */
import { type Json, until } from '../../harness/index.ts';
import { inventory, labelled, managed, storedInventory, storedProfile, turningOn } from '../objects.ts';
import { away, restarting, type Scenario, up } from '../scenario.ts';
import { before, during, passes, store, type Write, writes } from '../steps.ts';

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
      // It begins when the collector has seen a later version of the kind, which without a write is a matter of minutes.
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
      'passes: what does not change is not refused',
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
