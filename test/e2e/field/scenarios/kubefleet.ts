/** KubeFleet: its hub agent reconciles a ClusterProfile by CreateOrUpdate and Status().Update. */
import assert from 'node:assert/strict';
import type { Field } from '../field.ts';
import { condition, labelled, MANAGER_LABEL, managed, profile } from '../objects.ts';
import { allPass, forbids, stepsOf } from '../outcome.ts';
import type { Scenario } from '../scenario.ts';

const tool = 'KubeFleet';
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

export const kubefleet: readonly Scenario[] = [
  {
    tool,
    title: 'the hub agent creates a profile, reports, and removes it',
    pattern: '`CreateOrUpdate` and `Status().Update` in every round, `Delete` when the member leaves',
    muster: 'up',
    result: 'passes, without a warning; a round that changes nothing writes the status alone',
    async run(field) {
      for (const expected of ['created', 'unchanged']) {
        const written = await reconcile(field);
        allPass(written);
        assert.deepEqual(written.warnings, []);
        assert.deepEqual(stepsOf(written), [`create-or-update: ${expected}`, 'update-status']);
      }
      assert.equal((await field.stored(shell(field))).metadata.labels[MANAGER_LABEL], 'KubeFleet');
      allPass(await field.write('kubefleet', { write: 'delete', objects: [shell(field)] }));
    },
  },
  {
    tool,
    title: 'it cannot take over the profile of another manager',
    pattern: '`CreateOrUpdate` on a ClusterProfile that names another manager',
    muster: 'up',
    result: 'refused (403): its label would differ from `spec.clusterManager.name`; the object stays',
    async run(field) {
      const object = profile(field.name, managed('another'), { namespace: field.namespace, ...labelled('another') });
      await field.store(object);
      forbids(await field.keeps(object, () => reconcile(field)), /inventory\/cluster-manager-label/);
    },
  },
  {
    tool,
    title: 'the hub agent is a manager that is configured',
    pattern: 'the same rounds where managers are configured and it is one',
    muster: 'up',
    managers: true,
    result: 'passes, without a warning; another user is refused (403) to create for `KubeFleet`',
    async run(field) {
      const other = profile(`${field.name}-other`, managed('KubeFleet'), { namespace: field.namespace });
      forbids(await field.write('outsider', { write: 'create', objects: [other] }), /inventory\/sole-manager/);
      const written = await reconcile(field);
      allPass(written);
      assert.deepEqual(written.warnings, []);
      allPass(await field.write('kubefleet', { write: 'delete', objects: [shell(field)] }));
    },
  },
  {
    tool,
    title: 'rounds go on while the replicas are replaced',
    pattern: '`CreateOrUpdate` and `Status().Update`, round after round',
    muster: 'restarting',
    result: 'passes',
    async run(field) {
      const change = { status: { ...status, version: { kubernetes: 'v1.36.{round}' } } };
      const written = await field.during((until) =>
        field.write('kubefleet', { write: 'kubefleet', objects: [shell(field)], change, until }),
      );
      allPass(written);
    },
  },
  {
    tool,
    title: 'rounds go on',
    pattern: '`CreateOrUpdate` that changes nothing, and `Status().Update`',
    muster: 'away',
    result: 'passes',
    async before(field) {
      allPass(await reconcile(field));
    },
    async run(field) {
      const written = await reconcile(field, { status: { ...status, version: { kubernetes: 'v1.36.4' } } });
      allPass(written);
      assert.equal((await field.stored(shell(field))).status.version.kubernetes, 'v1.36.4');
    },
  },
];
