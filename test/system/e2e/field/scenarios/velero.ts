/**
 * Velero: a restore creates what is missing, writes its status if asked to, and leaves alone or patches what exists.
 */
import type { Json } from '../../harness/index.ts';
import type { Job } from '../field.ts';
import { feature, here, id, membership, otherId, storedProfile, turningOn, withMetadata } from '../objects.ts';
import { away, restarting, type Scenario, up, upWithManagers } from '../scenario.ts';
import {
  before,
  during,
  fails,
  has,
  hasOtherId,
  joined,
  lacks,
  passes,
  refuses,
  type Step,
  step,
  store,
  type Write,
  writes,
} from '../steps.ts';

/** Stores objects, and keeps them as stored in a backup. */
const backUp = (...objects: readonly Json[]): Step =>
  step(async (field) => {
    for (const object of objects) await field.store(object);
    field.backup = await Promise.all(objects.map((object) => field.stored(object)));
  });

/** Removes them, the last first. */
const lose = step(async ({ backup, cluster: { controlPlane } }) => {
  for (const object of backup.toReversed())
    await controlPlane.api('admin').call('DELETE', await controlPlane.pathOf(object));
});

/** Restores the backup, in alphabetical order. */
const restore =
  (restoreStatus = true, { metadata = {}, ...more }: Partial<Job> & { metadata?: Json } = {}): Write =>
  (field) => {
    const objects = field.backup.map((object) => withMetadata(object, metadata)).toReversed();
    return writes('velero', 'velero-restore', objects, { restoreStatus, ...more })(field);
  };

const restoreOtherId = writes('velero', 'velero-restore', otherId, { strategy: 'update' });
const on = feature('on', { status: { state: 'On' } }, here);
const turningOnUnwanted = { ...turningOn, spec: { desired: 'Disabled' } };
const turningOnLongAgo = {
  ...turningOn,
  status: {
    ...turningOn.status,
    transitionTasks: ['WaitForUses'],
    useEvaluationTime: '2026-01-01T00:00:00Z',
    uses: [{ version: '1.2', enabled: 'Disabled', reportTime: '2026-01-01T00:00:00Z' }],
  },
};

export const velero: readonly Scenario[] = [
  up(
    'restore of both claims into a cluster that lost them, in alphabetical order',
    'passes; the membership comes first, which warns',
    backUp(id, membership),
    lose,
    passes(restore(), { warns: 'claim/clusterset-requires-id' }),
    has(id, { spec: id.spec }),
  ),
  up(
    'restore of a ClusterProfile with `restoreStatus`',
    'passes',
    backUp(storedProfile),
    lose,
    passes(restore(), { steps: ['create', 'update-status', 'managed-fields'] }),
    has(storedProfile, { status: storedProfile.status }),
  ),
  up(
    'restore of a Feature that is turning on, its evaluation time long past, with `restoreStatus`',
    'passes: the first state of an object may be any',
    backUp(turningOnLongAgo),
    lose,
    passes(restore()),
    has(turningOnLongAgo, { status: turningOnLongAgo.status }),
  ),
  up(
    'restore of a Feature whose `spec.desired` was changed while it was turning on, with `restoreStatus`',
    'passes: where the configured value points counts when a transition begins, not when it is restored',
    backUp(turningOnUnwanted),
    lose,
    passes(restore()),
    has(turningOnUnwanted, { status: turningOnUnwanted.status }),
  ),
  up(
    'restore of a Feature without `restoreStatus`',
    'passes; the status is lost, which is the default of Velero',
    backUp(on),
    lose,
    passes(restore(false)),
    lacks(on, 'status'),
  ),
  up(
    'restore with `existingResourcePolicy: update` of another id of a member',
    'refused (403); Velero warns and patches only its labels, the id stays. Passes after the cluster has left',
    joined,
    refuses(restoreOtherId, 'claim/id-immutable-in-clusterset', { keeps: [id], steps: ['patch 403', 'patch-labels'] }),
    passes(writes('velero', 'delete', membership)),
    passes(restoreOtherId, { updates: [id] }),
    hasOtherId,
  ),
  up(
    'the same of both ClusterClaims, after the membership was deleted',
    'refused (403): the membership comes first, so the id is that of a member again. Passes after both were deleted',
    backUp(id, membership),
    lose,
    store(otherId),
    refuses(restore(false, { strategy: 'update' }), 'claim/id-immutable-in-clusterset', {
      steps: ['create', 'managed-fields', 'patch 403', 'patch-labels'],
    }),
    hasOtherId,
    lose,
    passes(restore()),
    has(id, { spec: id.spec }),
  ),
  upWithManagers(
    'restore of a ClusterProfile, where managers are configured and Velero is not one of them',
    'refused (403); name its service account among the managers, or in `exemptions`',
    backUp(storedProfile),
    lose,
    refuses(restore(), 'inventory/sole-manager', { steps: ['create'] }),
  ),
  restarting(
    'restore of many ClusterProfiles with `restoreStatus`',
    'passes',
    during(
      writes('velero', 'velero-restore', withMetadata(storedProfile, { name: 'cluster-{round}' }), {
        restoreStatus: true,
      }),
    ),
  ),
  away(
    'restore of a ClusterProfile and a Feature',
    'passes for the ClusterProfile; the Feature is refused (500): restore muster first, or the webhook configurations last',
    before(backUp(turningOn, storedProfile)),
    fails(restore(true, { metadata: { name: '{field}-restored' } })),
    has(withMetadata(storedProfile, { name: '{field}-restored' }), { status: storedProfile.status }),
  ),
];
