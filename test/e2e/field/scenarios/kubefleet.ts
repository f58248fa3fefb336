/** KubeFleet: its hub agent reconciles a ClusterProfile by CreateOrUpdate and Status().Update. */
import assert from 'node:assert/strict';
import type { Field } from '../field.ts';
import { condition, labelled, MANAGER_LABEL, managed, profile } from '../objects.ts';
import { allPass, forbids, stepsOf } from '../outcome.ts';
import { away, restarting, type ToolScenario, up } from '../scenario.ts';

const shell = ({ namespace, name }: { namespace: string; name: string }) => ({
  ...profile(name, {}, { namespace }),
  apiVersion: 'multicluster.x-k8s.io/v1alpha1',
});
const status = {
  version: { kubernetes: 'v1.36.3' },
  conditions: [{ ...condition, type: 'ControlPlaneHealthy', reason: 'MemberClusterAPIServerHealthy' }],
  accessProviders: [{ name: 'KubeFleet', cluster: { server: 'https://member-1.example.com:6443' } }],
};
const reconcile = (field: Field, change: object = { status }) =>
  field.write('kubefleet', { write: 'kubefleet', objects: [shell(field)], change });

export const kubefleet: readonly ToolScenario[] = [
  up(
    '`CreateOrUpdate` and `Status().Update` in every round, `Delete` when the member leaves',
    'passes, without a warning; a round that changes nothing writes the status alone',
    async (field) => {
      for (const expected of ['created', 'unchanged']) {
        const written = await reconcile(field);
        allPass(written);
        assert.deepEqual(written.warnings, []);
        assert.deepEqual(stepsOf(written), [`create-or-update: ${expected}`, 'update-status']);
      }
      assert.equal((await field.stored(shell(field))).metadata.labels[MANAGER_LABEL], 'KubeFleet');
      allPass(await field.write('kubefleet', { write: 'delete', objects: [shell(field)] }));
    },
  ),
  up(
    '`CreateOrUpdate` on a ClusterProfile that names another manager',
    'refused (403): its label would differ from `spec.clusterManager.name`; the object stays',
    async (field) => {
      const object = profile(field.name, managed('another'), { namespace: field.namespace, ...labelled('another') });
      await field.store(object);
      forbids(await field.keeps(object, () => reconcile(field)), /inventory\/cluster-manager-label/);
    },
  ),
  up(
    'the same rounds where managers are configured and it is one',
    'passes, without a warning; another user is refused (403) to create for `KubeFleet`',
    {
      managers: true,
      async run(field) {
        const other = profile(`${field.name}-other`, managed('KubeFleet'), { namespace: field.namespace });
        forbids(await field.write('outsider', { write: 'create', objects: [other] }), /inventory\/sole-manager/);
        const written = await reconcile(field);
        allPass(written);
        assert.deepEqual(written.warnings, []);
        allPass(await field.write('kubefleet', { write: 'delete', objects: [shell(field)] }));
      },
    },
  ),
  restarting('`CreateOrUpdate` and `Status().Update`, round after round', 'passes', async (field) => {
    const change = { status: { ...status, version: { kubernetes: 'v1.36.{round}' } } };
    const written = await field.during((until) =>
      field.write('kubefleet', { write: 'kubefleet', objects: [shell(field)], change, until }),
    );
    allPass(written);
  }),
  away('`CreateOrUpdate` that changes nothing, and `Status().Update`', 'passes', {
    async before(field) {
      allPass(await reconcile(field));
    },
    async run(field) {
      const written = await reconcile(field, { status: { ...status, version: { kubernetes: 'v1.36.4' } } });
      allPass(written);
      assert.equal((await field.stored(shell(field))).status.version.kubernetes, 'v1.36.4');
    },
  }),
];
