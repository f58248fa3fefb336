/** Open Cluster Management: the hub keeps a ClusterProfile for each cluster, the agent ClusterClaims of its own API. */
import assert from 'node:assert/strict';
import type { Json } from '../../harness/index.ts';
import { condition, labelled, MANAGER_LABEL, managed, ocmClaim, profile, value } from '../objects.ts';
import { allPass, forbids, isUnanswered } from '../outcome.ts';
import { away, restarting, type ToolScenario, up } from '../scenario.ts';

const MANAGER = 'open-cluster-management';

/** As the hub's lifecycle controller creates it. */
function created({ namespace, name }: { namespace: string; name: string }): Json {
  const labels = { ...labelled(MANAGER).labels, 'open-cluster-management.io/cluster-name': name };
  const spec = { ...managed(MANAGER).spec, displayName: name };
  return { ...profile(name, { spec }, { namespace, labels }), apiVersion: 'multicluster.x-k8s.io/v1alpha1' };
}

/** As the hub's status controller has it of the ManagedCluster. */
const reported = {
  status: {
    version: { kubernetes: 'v1.36.3' },
    properties: [
      { name: 'id.k8s.io', value: '0b4f7a2e-6b0c-4e59-8f63-1c7f0b7a9a11' },
      { name: 'product.open-cluster-management.io', value: 'Other' },
    ],
    conditions: [
      { ...condition, reason: 'ManagedClusterJoined', message: 'Managed cluster joined' },
      {
        ...condition,
        type: 'ControlPlaneHealthy',
        reason: 'ManagedClusterAvailable',
        message: 'Managed cluster is available',
      },
    ],
  },
};

const clusterSet = { metadata: { labels: { [MANAGER_LABEL]: MANAGER, 'x-k8s.io/cluster-set': 'default' } } };
const custom = ({ name }: { name: string }) => ocmClaim(`${name}.open-cluster-management.io`, value('one'));
const changed = { spec: { value: 'two' } };

export const ocm: readonly ToolScenario[] = [
  up(
    'the hub: `create`, a merge patch of labels, a merge patch of `/status`',
    'passes, without a warning',
    async (field) => {
      const object = created(field);
      for (const job of [
        { write: 'create', objects: [object] },
        { write: 'patch', objects: [object], change: clusterSet },
        { write: 'patch-status', objects: [object], change: reported },
        { write: 'delete', objects: [object] },
      ] as const) {
        const written = await field.write('ocm', job);
        allPass(written);
        assert.deepEqual(written.warnings, []);
      }
    },
  ),
  up('the agent: `create`, `update` and `delete` of claims of its own, one of them empty', 'passes', async (field) => {
    const objects = [custom(field), ocmClaim('platform.open-cluster-management.io', { spec: {} })];
    allPass(await field.write('klusterlet', { write: 'create', objects }));
    allPass(await field.write('klusterlet', { write: 'update', objects, change: changed }));
    allPass(await field.write('klusterlet', { write: 'delete', objects }));
  }),
  up(
    'the agent: `create` of a claim with a reserved name, `zone.topology.kubernetes.io`',
    'passes with a warning; other claims APIs refuse it',
    async (field) => {
      const objects = [ocmClaim('zone.topology.kubernetes.io', value('eu-1'))];
      const written = await field.write('klusterlet', { write: 'create', objects });
      allPass(written);
      assert.match(written.warnings.join('\n'), /claim\/reserved-name/);
    },
  ),
  up(
    'the agent: `update` of `id.k8s.io` while `clusterset.k8s.io` exists',
    'refused (403); the id stays',
    async (field) => {
      const own = ocmClaim('id.k8s.io', value('a'));
      await field.store(own, ocmClaim('clusterset.k8s.io', value('set')));
      const job = { write: 'update', objects: [own], change: changed } as const;
      forbids(await field.keeps(own, () => field.write('klusterlet', job)), /claim\/id-immutable-in-clusterset/);
    },
  ),
  up(
    'the hub: the same writes where managers are configured and it is one; then those of anybody else',
    'passes; anybody else is refused (403), but for its status, which warns',
    {
      managers: true,
      async run(field) {
        const objects = [created(field)];
        allPass(await field.write('ocm', { write: 'create', objects }));
        allPass(await field.write('ocm', { write: 'patch', objects, change: clusterSet }));
        allPass(await field.write('ocm', { write: 'patch-status', objects, change: reported }));
        forbids(await field.write('outsider', { write: 'delete', objects }), /inventory\/sole-manager/);
        const change = { status: { version: { kubernetes: 'v1.0.0' } } };
        const foreign = await field.write('outsider', { write: 'patch-status', objects, change });
        allPass(foreign);
        assert.match(foreign.warnings.join('\n'), /inventory\/sole-manager/);
        allPass(await field.write('ocm', { write: 'delete', objects }));
      },
    },
  ),
  restarting('the agent: `update` of a claim of its own, again and again', 'passes', async (field) => {
    await field.store(custom(field));
    const job = { write: 'update', objects: [custom(field)], change: { spec: { value: 'value-{round}' } } } as const;
    allPass(await field.during((until) => field.write('klusterlet', { ...job, until })));
  }),
  away(
    'the hub: merge patches of `/status` and of the ClusterSet label',
    'passes: health reports never wait for muster',
    {
      async before(field) {
        await field.store(created(field));
      },
      async run(field) {
        const objects = [created(field)];
        allPass(await field.write('ocm', { write: 'patch-status', objects, change: reported }));
        allPass(await field.write('ocm', { write: 'patch', objects, change: clusterSet }));
      },
    },
  ),
  away(
    'the agent: `update` of a claim of its own',
    'refused (500) until muster is back; the agent tries again by itself',
    {
      async before(field) {
        await field.store(custom(field));
      },
      async run(field) {
        const job = { write: 'update', objects: [custom(field)], change: changed } as const;
        isUnanswered(await field.keeps(custom(field), () => field.write('klusterlet', job)));
      },
    },
  ),
];
