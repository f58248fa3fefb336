/** Velero: a restore creates what is missing, writes its status where it is told to, and leaves alone or patches what exists. */
import assert from 'node:assert/strict';
import type { Json } from '../../harness/index.ts';
import type { Field } from '../field.ts';
import { feature, id, membership, otherId, storedProfile, turningOn } from '../objects.ts';
import { allPass, forbids, isUnanswered, stepsOf } from '../outcome.ts';
import { away, restarting, type ToolScenario, up } from '../scenario.ts';

const restore = (field: Field, objects: readonly Json[], restoreStatus = true) =>
  field.write('velero', { write: 'velero-restore', objects, restoreStatus });

/** What a backup has of these: stored, read, and lost. */
async function backUp(field: Field, ...objects: readonly Json[]): Promise<Json[]> {
  await field.store(...objects);
  const backup = await Promise.all(objects.map((object) => field.stored(object)));
  const api = field.controlPlane.api('admin');
  for (const object of [...objects].reverse()) await api.call('DELETE', await field.controlPlane.pathOf(object));
  return backup;
}

export const velero: readonly ToolScenario[] = [
  up(
    'restore of both claims into a cluster that lost them, in alphabetical order',
    'passes; the membership comes first, which warns',
    async (field) => {
      const [own, joined] = await backUp(field, id, membership);
      const written = await restore(field, [joined, own]);
      allPass(written);
      assert.match(written.warnings.join('\n'), /claim\/clusterset-requires-id/);
      assert.equal((await field.stored(id)).spec.value, 'a');
    },
  ),
  up('restore of a ClusterProfile with `restoreStatus`', 'passes', async (field) => {
    const [backup] = await backUp(field, storedProfile(field));
    const written = await restore(field, [backup]);
    allPass(written);
    assert.deepEqual(stepsOf(written), ['create', 'update-status', 'managed-fields']);
    assert.deepEqual((await field.stored(backup)).status, backup.status);
  }),
  up(
    'restore of a Feature that is turning on, its evaluation time long past, with `restoreStatus`',
    'passes: the first state of an object may be any',
    async (field) => {
      const object = turningOn(field);
      object.status = {
        ...object.status,
        transitionTasks: ['WaitForUses'],
        useEvaluationTime: '2026-01-01T00:00:00Z',
        uses: [{ version: '1.2', enabled: 'Disabled', reportTime: '2026-01-01T00:00:00Z' }],
      };
      const [backup] = await backUp(field, object);
      allPass(await restore(field, [backup]));
      assert.deepEqual((await field.stored(backup)).status, backup.status);
    },
  ),
  up(
    'restore of a Feature without `restoreStatus`',
    'passes; the status is lost, as Velero has it by default',
    async (field) => {
      const [backup] = await backUp(field, feature('on', { status: { state: 'On' } }, { namespace: field.namespace }));
      const written = await restore(field, [backup], false);
      allPass(written);
      assert.equal((await field.stored(backup)).status, undefined);
    },
  ),
  up(
    'restore with `existingResourcePolicy: update` of another id of a member',
    'refused (403); Velero warns and patches its labels alone, the id stays. Passes after the cluster has left',
    async (field) => {
      await field.store(id, membership);
      const job = { write: 'velero-restore', objects: [otherId], strategy: 'update' } as const;
      const written = await field.keeps(id, () => field.write('velero', job));
      assert.deepEqual(
        written.steps.map(({ step, code }) => [step, code]),
        [
          ['patch', 403],
          ['patch-labels', undefined],
        ],
      );
      assert.match(written.steps[0]?.message ?? '', /claim\/id-immutable-in-clusterset/);
      allPass(await field.write('velero', { write: 'delete', objects: [membership] }));
      allPass(await field.updates(id, () => field.write('velero', job)));
      assert.equal((await field.stored(id)).spec.value, 'b');
    },
  ),
  up(
    'restore of a ClusterProfile, where managers are configured and Velero is none of them',
    'refused (403); name its service account among the managers, or in `exemptions`',
    {
      managers: true,
      async run(field) {
        const [backup] = await backUp(field, storedProfile(field));
        const written = await restore(field, [backup]);
        forbids(written, /inventory\/sole-manager/);
        assert.deepEqual(stepsOf(written), ['create']);
      },
    },
  ),
  restarting('restore of many ClusterProfiles with `restoreStatus`', 'passes', async (field) => {
    const objects = [
      { ...storedProfile(field), metadata: { ...storedProfile(field).metadata, name: 'cluster-{round}' } },
    ];
    allPass(
      await field.during((until) =>
        field.write('velero', { write: 'velero-restore', objects, restoreStatus: true, until }),
      ),
    );
  }),
  away('restore of a ClusterProfile', 'refused (500): restore muster first, or the webhook configurations last', {
    async before(field) {
      await field.store(storedProfile(field));
    },
    async run(field) {
      const backup = await field.stored(storedProfile(field));
      backup.metadata.name = `${backup.metadata.name}-restored`;
      isUnanswered(await restore(field, [backup]));
    },
  }),
];
