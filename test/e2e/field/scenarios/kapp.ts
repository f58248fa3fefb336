/** kapp: its changes are PUTs of the manifest with the stored metadata and status, without the labels of others. */
import type { Json } from '../../harness/index.ts';
import type { Job } from '../field.ts';
import {
  id,
  manifestOf,
  otherId,
  otherManager,
  profileManifest,
  storedInventory,
  storedProfile,
  withMetadata,
} from '../objects.ts';
import { away, restarting, type Scenario, up } from '../scenario.ts';
import { before, during, hasLabel, joined, passes, refuses, refusesOtherId, store, writes } from '../steps.ts';

function deploy(object: Json, strategy?: Job['strategy']) {
  const labels = { ...object.metadata.labels, 'kapp.k14s.io/app': '1' };
  return writes('deployer', 'kapp-deploy', withMetadata(object, { labels }), { strategy });
}

export const kapp: readonly Scenario[] = [
  up(
    '`deploy`, a ClusterProfile without the manager label',
    'passes, every time; the label is put back, uid and status stay',
    passes(deploy(profileManifest())),
    store(storedProfile),
    ...['two', 'three'].flatMap((displayName) => [
      passes(deploy(profileManifest(displayName)), { updates: [storedProfile] }),
      hasLabel(storedProfile, { spec: { displayName } }),
    ]),
  ),
  up(
    '`update-strategy: fallback-on-replace`, the id of a member with another value',
    'refused (403), on which kapp does not fall back; the id stays',
    joined,
    refusesOtherId(deploy(otherId, 'fallback-on-replace'), { steps: ['update'] }),
  ),
  up(
    '`update-strategy: fallback-on-replace`, an InventoryCluster with another `spec.clusterManager`',
    'refused (403); uid and status stay',
    store(storedInventory),
    refuses(
      deploy({ ...otherManager, metadata: storedInventory.metadata }, 'fallback-on-replace'),
      'inventory/cluster-manager',
      { keeps: [storedInventory], steps: ['update'] },
    ),
  ),
  up(
    '`update-strategy: always-replace`, the id of a member',
    'refused (403): it begins with a deletion; the id stays',
    joined,
    refuses(deploy(otherId, 'always-replace'), 'claim/id-present-in-clusterset', { keeps: [id] }),
  ),
  restarting(
    '`deploy`, a ClusterProfile without the manager label, again and again',
    'passes',
    during(writes('deployer', 'kapp-deploy', profileManifest('round {round}'))),
  ),
  away(
    '`deploy`, the manifest has the manager label, only labels and annotations change',
    'passes',
    before(store(storedProfile)),
    passes(deploy(manifestOf(storedProfile)), { keeps: [storedProfile] }),
  ),
];
