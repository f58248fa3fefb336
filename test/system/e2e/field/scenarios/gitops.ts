/**
 * Argo CD: its syncs are kubectl's `create`, `replace` and server-side `apply`, whose code it calls. Flux:
 * kustomize-controller applies by server-side apply, after a dry run; written by its own package.
 */

import { MANAGER_LABEL } from '../../../../../src/api/labels.ts';
import type { Json } from '../../harness/index.ts';
import {
  claim,
  id,
  inventoryManifest,
  manifestOf,
  membership,
  otherId,
  otherManager,
  otherProfileManager,
  profileManifest,
  property,
  status,
  storedInventory,
  storedProfile,
  value,
  withMetadata,
} from '../objects.ts';
import { whileCrdFixesManager } from '../profile-crd.ts';
import { away, restarting, type Scenario, up } from '../scenario.ts';
import {
  before,
  during,
  fails,
  hasLabel,
  hasOtherId,
  isGone,
  joined,
  kubectl,
  lacks,
  passes,
  refuses,
  refusesOtherId,
  store,
  throughout,
  writes,
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
    passes(sync('replace --force', otherProfileManager), {
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
    'passes; the label stays missing, which `muster scan` reports',
    before(store(storedProfile)),
    passes(replace(profileManifest())),
    lacks(storedProfile, 'metadata', 'labels', MANAGER_LABEL),
  ),
  away(
    '`Replace=true`, an InventoryCluster without the manager label',
    'refused (500) until muster is back: without muster the label would be lost',
    before(store(storedInventory)),
    fails(replace({ ...manifestOf(storedInventory), metadata: { name: '{field}' } }), { keeps: [storedInventory] }),
  ),
];

const apply = (...objects: readonly Json[]) => writes('flux', 'flux-apply', objects);
const force = (object: Json) => writes('flux', 'flux-apply', object, { force: true });
const prune = (object: Json) => writes('flux', 'flux-prune', object);
const manifests = [inventoryManifest(), profileManifest()];
const unchanged = { steps: ['unchanged', 'unchanged'] };

export const flux: readonly Scenario[] = [
  up(
    'a Kustomization with an InventoryCluster and a ClusterProfile, both without the label',
    'passes; the label and the status, which others own, stay',
    passes(apply(...manifests)),
    store(...manifests.map((object) => ({ ...object, status }))),
    passes(apply(...manifests), unchanged),
    passes(apply(inventoryManifest('changed'), profileManifest('changed')), {
      updates: manifests,
      steps: ['configured', 'configured'],
    }),
  ),
  up(
    '`force: true`, the id of a member with another value',
    'refused (403), which Flux does not take for an immutable field; the id stays',
    joined,
    refusesOtherId(force(otherId)),
  ),
  up(
    '`force: true`, the membership with another ClusterSet',
    'refused (403); the membership stays',
    joined,
    refuses(force(claim('clusterset.k8s.io', 'other')), 'claim/clusterset-immutable', { keeps: [membership] }),
  ),
  up(
    'three commits: without the membership, with another id, with the membership',
    'passes',
    ...[apply(id), apply(membership), prune(membership)].map((write) => passes(write)),
    passes(apply(otherId), { updates: [id] }),
    passes(apply(otherId, membership)),
    hasOtherId,
  ),
  up(
    '`force: true`, an id that is not a DNS label',
    'refused (403 on an update, not 422); the id stays',
    ...[claim('id.k8s.io', 'a'), property('cluster.clusterset.k8s.io', 'a')].flatMap((object) => [
      store(object),
      refuses(force({ ...object, ...value('Not_A_Label') }), 'claim/id-syntax', { keeps: [object] }),
    ]),
  ),
  up(
    '`force: true`, an InventoryCluster with another `spec.clusterManager`',
    'refused (403); uid and status stay',
    store(storedInventory),
    refuses(force(otherManager), 'inventory/cluster-manager-immutable', { keeps: [storedInventory] }),
  ),
  up(
    '`force: true`, a ClusterProfile with another `spec.clusterManager`, by the CRD of cluster-inventory-api',
    'passes, and loses uid and status: the CRD refuses the update (422) before muster is called, so Flux deletes and creates',
    store(storedProfile),
    whileCrdFixesManager(passes(force(otherProfileManager), { recreates: [storedProfile] })),
    lacks(storedProfile, 'status'),
  ),
  up(
    'prune of the id of a member, then of both claims in two commits',
    'refused (403) while a member; passes in two commits, the membership first',
    passes(apply(id)),
    passes(apply(membership)),
    refuses(prune(id), 'claim/id-present-in-clusterset', { keeps: [id] }),
    passes(prune(membership)),
    passes(prune(id)),
    isGone(id),
  ),
  restarting(
    'reconciling a changed object repeatedly',
    'passes',
    store(storedProfile),
    during(apply(profileManifest('round {round}'))),
  ),
  away(
    'reconciling objects that have not changed, and one with a changed label',
    'passes: the dry run and the apply find nothing that a rule reads',
    before(passes(apply(...manifests))),
    passes(apply(...manifests), unchanged),
    passes(
      apply(inventoryManifest(), {
        ...profileManifest(),
        metadata: { ...storedProfile.metadata, labels: { app: '2' } },
      }),
      {
        steps: ['configured', 'unchanged'],
      },
    ),
  ),
  away(
    'a new ClusterProfile, without and with the manager label',
    'without it refused (500) until muster is back; Flux tries again by itself; passes with it',
    fails(apply(profileManifest())),
    passes(apply(manifestOf(storedProfile))),
  ),
];
