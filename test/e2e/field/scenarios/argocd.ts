/** Argo CD: its syncs are kubectl's `create`, `replace` and server-side `apply`, whose code it calls. */
import type { Json } from '../../harness/index.ts';
import {
  id,
  inventoryManifest,
  MANAGER_LABEL,
  manifestOf,
  membership,
  otherId,
  profileManifest,
  storedInventory,
  storedProfile,
  withMetadata,
} from '../objects.ts';
import { away, restarting, type Scenario, up } from '../scenario.ts';
import {
  before,
  fails,
  hasLabel,
  isGone,
  joined,
  kubectl,
  lacks,
  passes,
  refuses,
  refusesOtherId,
  store,
  throughout,
} from '../steps.ts';

const tracked = (object: Json, commit = '1') =>
  withMetadata(object, { annotations: { 'argocd.argoproj.io/tracking-id': `fleet:${object.kind}`, commit } });
const sync = (args: string, object: Json, commit?: string) =>
  kubectl('argocd', `${args} -f -`, tracked(object, commit));
const replace = (object: Json, commit?: string) => sync('replace', object, commit);
const APPLY = 'apply --server-side --force-conflicts --field-manager=argocd-controller';

export const argocd: readonly Scenario[] = [
  up(
    '`Replace=true`, a ClusterProfile without the manager label',
    'passes, every time; the label is put back, the status stays',
    passes(sync('create --save-config=false', profileManifest())),
    store(storedProfile),
    ...['commit 2', 'commit 3'].flatMap((displayName) => [
      passes(replace(profileManifest(displayName), displayName), {
        updates: [storedProfile],
        warns: 'inventory/cluster-manager-label',
      }),
      hasLabel(storedProfile, { spec: { displayName } }),
    ]),
  ),
  up(
    '`Replace=true`, an InventoryCluster without the manager label',
    'passes; the label is put back, the status stays',
    store(storedInventory),
    passes(replace(inventoryManifest('another name')), { updates: [storedInventory] }),
    hasLabel(storedInventory),
  ),
  up(
    '`Replace=true`, the id of a member with another value',
    'refused (403); the sync fails, the id stays',
    joined,
    refusesOtherId(replace(otherId)),
  ),
  up(
    '`Replace=true,Force=true`, the id of a member with another value',
    'refused (403): it begins with a deletion; the id stays',
    joined,
    refuses(sync('replace --force', otherId), 'claim/id-present-in-clusterset', { keeps: [id] }),
  ),
  up(
    '`Replace=true,Force=true`, a ClusterProfile with another manager',
    'passes, and loses uid and status: that is what `Force=true` asks for',
    store(storedProfile),
    passes(sync('replace --force', { ...profileManifest(), spec: { clusterManager: { name: 'another' } } }), {
      recreates: [storedProfile],
    }),
    lacks(storedProfile, 'status'),
    hasLabel(storedProfile, {}, 'another'),
  ),
  up(
    '`ServerSideApply=true`, the id of a member with another value',
    'refused (403); the id stays',
    joined,
    refusesOtherId(sync(APPLY, otherId)),
  ),
  up(
    'prune of both claims, in the reverse order of the sync waves',
    'passes',
    joined,
    ...[membership, id].map(({ metadata }) =>
      passes(kubectl('argocd', `delete clusterclaims.multicluster.x-k8s.io ${metadata.name}`)),
    ),
    isGone(id),
  ),
  restarting(
    '`Replace=true`, an InventoryCluster without the manager label, sync after sync',
    'passes; the label is put back every time',
    store(storedInventory),
    throughout((round) => [passes(replace(inventoryManifest(`${round}`), `${round}`)), hasLabel(storedInventory)]),
  ),
  away(
    '`ServerSideApply=true`, nothing that a rule reads has changed',
    'passes',
    before(passes(sync(APPLY, profileManifest()))),
    ...['1', '2'].map((commit) => passes(sync(APPLY, profileManifest(), commit))),
  ),
  away(
    '`Replace=true`, the manifest has the manager label, only annotations change',
    'passes',
    before(store(storedProfile)),
    passes(replace(manifestOf(storedProfile)), { keeps: [storedProfile] }),
  ),
  away(
    '`Replace=true`, a ClusterProfile without the manager label',
    'passes; nobody puts the label back, which `muster scan` reports',
    before(store(storedProfile)),
    passes(replace(profileManifest())),
    lacks(storedProfile, 'metadata', 'labels', MANAGER_LABEL),
  ),
  away(
    '`Replace=true`, an InventoryCluster without the manager label',
    'refused (500) until muster is back: nobody could put the label back',
    before(store(storedInventory)),
    fails(replace({ ...manifestOf(storedInventory), metadata: { name: '{field}' } }), { keeps: [storedInventory] }),
  ),
];
