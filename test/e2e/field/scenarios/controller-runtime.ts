/** controller-runtime: what any controller of one's own does. */
import assert from 'node:assert/strict';
import type { Field } from '../field.ts';
import {
  feature,
  inventoryManifest,
  MANAGER_LABEL,
  profileManifest,
  status,
  storedInventory,
  storedProfile,
  turningOn,
  withMetadata,
} from '../objects.ts';
import { allPass, forbids, isUnanswered, stepsOf } from '../outcome.ts';
import { away, restarting, type ToolScenario, up } from '../scenario.ts';

const onlyFeature = ({ namespace, name }: { namespace: string; name: string }, rest = {}) =>
  feature(name, rest, { namespace });
const off = { status: { state: 'Off', source: 'Dynamic', default: 'Disabled' } };
const setStatus = (field: Field, object: object, change: object) =>
  field.write('controller', { write: 'update-status', objects: [object], change: { status: change } });

export const controllerRuntime: readonly ToolScenario[] = [
  up(
    '`CreateOrPatch`, a ClusterProfile without the manager label',
    'passes; the label is added and stays',
    async (field) => {
      const objects = [profileManifest(field)];
      for (const [displayName, step] of [
        ['one', 'created'],
        ['two', 'updated'],
        ['two', 'unchanged'],
      ] as const) {
        const written = await field.write('controller', {
          write: 'create-or-patch',
          objects,
          change: { spec: { ...objects[0].spec, displayName } },
        });
        allPass(written);
        assert.deepEqual(stepsOf(written), [`create-or-patch: ${step}`]);
        assert.equal((await field.stored(objects[0])).metadata.labels[MANAGER_LABEL], 'fleet');
      }
    },
  ),
  up(
    '`Update` of an object built from scratch, without the manager label',
    'passes, every time; the label is put back with a warning',
    async (field) => {
      const object = storedInventory(field);
      await field.store(object);
      for (const text of ['one', 'two']) {
        const objects = [inventoryManifest(field, text)];
        const written = await field.updates(object, () => field.write('controller', { write: 'replace', objects }));
        allPass(written);
        assert.match(written.warnings.join('\n'), /inventory\/cluster-manager-label/);
        assert.equal((await field.stored(object)).metadata.labels[MANAGER_LABEL], 'fleet');
      }
    },
  ),
  up(
    '`Update` of an object with a wrong manager label',
    'refused (403); muster adds a label that is missing and never corrects a wrong one',
    async (field) => {
      const object = storedInventory(field);
      await field.store(object);
      const wrong = withMetadata(inventoryManifest(field), { labels: { [MANAGER_LABEL]: 'another' } });
      const written = await field.keeps(object, () =>
        field.write('controller', { write: 'replace', objects: [wrong] }),
      );
      forbids(written, /inventory\/cluster-manager-label/, /set the label/);
    },
  ),
  up('`Status().Update` from Off to On, step by step', 'passes', async (field) => {
    const object = onlyFeature(field, { ...off, spec: { desired: 'Enabled' } });
    await field.store(object);
    for (const change of [
      { state: 'TurningOn', transitionTasks: ['Migrate', 'WaitForUses'] },
      { state: 'TurningOn', transitionTasks: ['WaitForUses'] },
      { state: 'On', transitionTasks: null },
    ]) {
      allPass(await setStatus(field, object, change));
    }
    assert.equal((await field.stored(object)).status.state, 'On');
  }),
  up(
    '`Status().Update` from Off to On at once',
    'refused (422, by the CRD itself); the status stays',
    async (field) => {
      const object = onlyFeature(field, { ...off, spec: { desired: 'Enabled' } });
      await field.store(object);
      const { steps } = await field.keeps(object, () => setStatus(field, object, { state: 'On' }));
      assert.deepEqual(
        steps.map(({ code }) => code),
        [422],
      );
      assert.match(steps[0]?.message ?? '', /a feature goes Off, TurningOn, On/);
    },
  ),
  up(
    '`Update` that removes a finalizer from a deleted object that breaks a rule',
    'passes; the object goes',
    async (field) => {
      const object = { ...storedInventory(field), terminating: true };
      const wrong = { labels: { [MANAGER_LABEL]: 'wrong' }, finalizers: ['example.com/hold'] };
      await field.store(withMetadata(object, wrong));
      allPass(await field.write('controller', { write: 'finish', objects: [object] }));
      assert.equal(await field.read(object), undefined);
    },
  ),
  restarting('`Update` of spec and `Status().Update`, all the time', 'passes', async (field) => {
    await field.store(storedInventory(field));
    const objects = [inventoryManifest(field)];
    const change = { spec: { displayName: 'round {round}' } };
    allPass(await field.during((until) => field.write('controller', { write: 'update', objects, change, until })));
    const reported = { status: { version: { kubernetes: '1.36.{round}' } } };
    allPass(
      await field.during((until) =>
        field.write('controller', { write: 'update-status', objects, change: reported, until }),
      ),
    );
  }),
  away('`Status().Update` of an InventoryCluster and a ClusterProfile', 'passes', {
    async before(field) {
      await field.store(storedInventory(field), storedProfile(field));
    },
    async run(field) {
      for (const object of [storedInventory(field), storedProfile(field)]) {
        allPass(await setStatus(field, object, { ...status, version: { kubernetes: '1.36.4' } }));
      }
    },
  }),
  away(
    '`Status().Update` of a Feature, in `kube-system` and elsewhere',
    'passes in `kube-system`; refused (500) elsewhere until muster is back',
    {
      async before(field) {
        await field.store(turningOn(field), turningOn({ ...field, namespace: 'kube-system' }));
      },
      async run(field) {
        const next = { transitionTasks: ['WaitForUses'] };
        allPass(await setStatus(field, turningOn({ ...field, namespace: 'kube-system' }), next));
        const elsewhere = turningOn(field);
        isUnanswered(await field.keeps(elsewhere, () => setStatus(field, elsewhere, next)));
      },
    },
  ),
  away(
    '`Update` that adds a finalizer to an InventoryCluster, a ClusterProfile and a Feature, and removes it',
    'passes',
    {
      async before(field) {
        await field.store(storedInventory(field), storedProfile(field), turningOn(field));
      },
      async run(field) {
        for (const object of [storedInventory(field), storedProfile(field), turningOn(field)]) {
          const change = { metadata: { finalizers: ['example.com/hold'] } };
          await field.keeps(object, async () => {
            allPass(await field.write('controller', { write: 'update', objects: [object], change }));
            allPass(await field.write('controller', { write: 'finish', objects: [object] }));
          });
        }
      },
    },
  ),
];
