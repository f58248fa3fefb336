/**
 * kubectl, as people and pipelines call it. kapp: its changes are PUTs of the manifest with the stored metadata and
 * status, without the labels of others.
 */
import assert from 'node:assert/strict';
import type { Json } from '../../harness/index.ts';
import type { Job } from '../field.ts';
import {
  claim,
  feature,
  here,
  id,
  inventoryManifest,
  managed,
  manifestOf,
  memberOf,
  membership,
  ocmClaim,
  otherId,
  otherManager,
  otherProfileManager,
  ownClaim,
  profileManifest,
  storedInventory,
  storedProfile,
  turningOn,
  withMetadata,
} from '../objects.ts';
import { whileCrdFixesManager } from '../profile-crd.ts';
import { away, awayWithManagers, restarting, type Scenario, up, upWithManagers } from '../scenario.ts';
import {
  before,
  during,
  fails,
  has,
  hasLabel,
  hasOtherId,
  isGone,
  joined,
  kubectl,
  lacks,
  passes,
  refuses,
  refusesOtherId,
  step,
  store,
  throughout,
  writes,
} from '../steps.ts';

const run = (args: string, ...objects: readonly Json[]) => kubectl('deployer', args, ...objects);
const force = (object: Json) => run('apply --force -f -', object);
const prune = (...objects: readonly Json[]) =>
  run('apply --prune -l app=fleet --prune-allowlist=multicluster.x-k8s.io/v1alpha1/ClusterClaim -f -', ...objects);
const targetOf = ({ apiVersion, kind, metadata }: Json) =>
  `-n {field} ${kind.toLowerCase()}s.${apiVersion.split('/')[0]} ${metadata.name}`;
const patchFinalizers = (target: string, finalizers: string) =>
  run(`patch ${target} --type=merge -p {"metadata":{"finalizers":${finalizers}}}`);

const otherSet = claim('clusterset.k8s.io', 'other');
/** Refused by the CRD's schema. */
const numbered = { ...inventoryManifest(), spec: { ...managed('fleet').spec, displayName: 5 } };
/** Another identity than the one in which all scenarios are members. */
const ocmIdentity = [ocmClaim('id.k8s.io', 'a'), ocmClaim('clusterset.k8s.io', 'set')] as const;
const properties = memberOf('set', 'a');
const deleteCollection = run('delete --raw /apis/about.k8s.io/v1beta1/clusterproperties');
const finalizers = ['example.com/hold'];
const held = [
  ownClaim('a', { finalizers }),
  withMetadata(storedProfile, { finalizers }),
  feature('{field}', {}, { ...here, finalizers }),
];
const [ownId = id, ownMembership = id, own = id] = [id, membership, ownClaim()].map((object) =>
  withMetadata(object, { labels: { app: 'fleet' } }),
);

export const kubectlScenarios: readonly Scenario[] = [
  up(
    '`apply --force`, the id of a member with another value',
    'refused (403, after which kubectl does not delete); the id stays',
    joined,
    refusesOtherId(force(otherId)),
  ),
  up(
    '`apply --force`, an id that is not a DNS label',
    'refused (403 on an update, not 422); the id stays',
    store(id),
    refuses(force(claim('id.k8s.io', 'Not_A_Label')), 'claim/id-syntax', { keeps: [id] }),
  ),
  up(
    '`apply --force`, an InventoryCluster with another `spec.clusterManager`',
    'refused (403); uid and status stay',
    store(storedInventory),
    refuses(force(otherManager), 'inventory/cluster-manager-immutable', { keeps: [storedInventory] }),
  ),
  up(
    '`apply --force`, an InventoryCluster with a number as `spec.displayName`',
    'refused (422, by the CRD itself): kubectl deletes the object and creates the former one again; uid and status are lost',
    passes(run('apply -f -', inventoryManifest())),
    store(storedInventory),
    refuses(force(numbered), 'must be of type string', { recreates: [storedInventory] }),
    lacks(storedInventory, 'status'),
  ),
  up(
    '`apply --force`, a ClusterProfile with another `spec.clusterManager`, by the CRD of cluster-inventory-api',
    'passes, and loses uid and status: the CRD refuses the update (422) before muster is called, so kubectl deletes and creates',
    store(storedProfile),
    whileCrdFixesManager(passes(force(otherProfileManager), { recreates: [storedProfile] })),
    lacks(storedProfile, 'status'),
  ),
  upWithManagers(
    'the same by a user who is none of the managers, where managers are configured',
    'refused (403): such a user may not delete the object either; uid and status stay',
    store(storedProfile),
    whileCrdFixesManager(
      refuses(kubectl('outsider', 'apply --force -f -', otherProfileManager), 'inventory/sole-manager', {
        keeps: [storedProfile],
      }),
    ),
  ),
  up(
    '`apply --prune`, the id of a member is missing from the manifests',
    'refused (403); the id stays, the rest is applied',
    passes(prune(ownId, ownMembership)),
    refuses(prune(ownMembership), 'claim/id-present-in-clusterset', { keeps: [id] }),
  ),
  up(
    '`apply --prune`, the membership is missing from the manifests',
    'passes: the cluster leaves its ClusterSet',
    passes(prune(ownId, ownMembership, own)),
    passes(prune(ownId)),
    isGone(ownMembership, own),
  ),
  up(
    '`replace --force`, the membership with another ClusterSet',
    'passes: it is a deletion and a creation, as the refusal of a plain change recommends',
    joined,
    refuses(run('replace -f -', otherSet), 'claim/clusterset-immutable', { keeps: [membership] }),
    passes(run('replace --force -f -', otherSet)),
    has(membership, { spec: otherSet.spec }),
  ),
  up(
    '`delete -f` of both claims, the id first in the file',
    'refused (403) for the id alone: the membership is deleted; passes when it is run again',
    joined,
    refuses(run('delete -f -', id, membership), 'claim/id-present-in-clusterset', { keeps: [id] }),
    isGone(membership),
    passes(run('delete --ignore-not-found -f -', id, membership)),
    isGone(id),
  ),
  up(
    '`delete --all` of ClusterProperties, of a member',
    'refused (403) for the id alone: the membership is deleted; passes when it is run again',
    store(...properties),
    refuses(run('delete clusterproperties.about.k8s.io --all'), 'claim/id-present-in-clusterset'),
    passes(run('delete clusterproperties.about.k8s.io --all')),
    isGone(...properties),
  ),
  up(
    'one request that deletes all ClusterProperties (deletecollection), of a member',
    'refused (403), again and again: `cluster.clusterset.k8s.io` comes before the membership; passes after that was deleted',
    store(...properties),
    ...[1, 2].map(() => refuses(deleteCollection, 'claim/id-present-in-clusterset', { keeps: properties })),
    passes(run('delete clusterproperties.about.k8s.io clusterset.k8s.io')),
    passes(deleteCollection),
    isGone(...properties),
  ),
  up(
    '`replace --force` of both claims, the id first in the file',
    'refused (403) for the id: the membership is deleted and not created again; passes when it is run again',
    joined,
    refuses(run('replace --force -f -', otherId, membership), 'claim/id-present-in-clusterset', { keeps: [id] }),
    isGone(membership),
    passes(run('replace --force -f -', otherId, membership)),
    hasOtherId,
    has(membership, {}),
  ),
  up(
    '`delete` of the membership, `apply` of another id, `apply` of the membership, one after the other',
    'passes, without waiting',
    joined,
    passes(run('delete clusterclaims.multicluster.x-k8s.io clusterset.k8s.io')),
    passes(run('apply -f -', otherId)),
    passes(run('apply -f -', membership)),
    hasOtherId,
  ),
  restarting(
    '`apply --force`, the id of a member with another value, again and again',
    'refused (403) every time; the id stays',
    joined,
    throughout(() => [refusesOtherId(force(otherId))]),
  ),
  away(
    '`label`, `annotate`, `patch` of finalizers, on claims and profiles',
    'passes',
    before(store(storedProfile)),
    ...[storedProfile, id, membership].flatMap((object) => {
      const target = targetOf(object);
      const all = [
        run(`label ${target} team-{field}=x`),
        run(`annotate ${target} note=x --overwrite`),
        patchFinalizers(target, '["example.com/hold"]'),
        patchFinalizers(target, 'null'),
      ];
      return all.map((write) => passes(write, { keeps: [object] }));
    }),
  ),
  away(
    '`patch` that removes a finalizer of a deleted claim, ClusterProfile and Feature',
    'passes; the object is deleted',
    before(store(...held.map((object) => ({ ...object, terminating: true })))),
    ...held.flatMap((object) => [passes(patchFinalizers(targetOf(object), 'null')), isGone(object)]),
  ),
  away(
    '`delete` of an InventoryCluster, a ClusterProfile and a Feature',
    'passes: by default no rule refuses it',
    before(store(storedInventory, storedProfile, turningOn)),
    ...[storedInventory, storedProfile, turningOn].flatMap((object) => [
      passes(run(`delete ${targetOf(object)}`)),
      isGone(object),
    ]),
  ),
  away(
    '`delete` of a membership, then of the id',
    'passes for the membership: by default no rule refuses to leave; the id is refused (500) until muster is back',
    before(store(...ocmIdentity)),
    passes(run(`delete ${targetOf(ocmIdentity[1])}`)),
    isGone(ocmIdentity[1]),
    fails(run(`delete ${targetOf(ocmIdentity[0])}`), { keeps: [ocmIdentity[0]] }),
  ),
  awayWithManagers(
    '`delete` of a membership, where managers are configured',
    'refused (500) until muster is back',
    fails(run(`delete ${targetOf(membership)}`), { keeps: [membership] }),
  ),
  away(
    '`delete` of an id, `apply` of another value',
    'refused (500) until muster is back',
    fails(run(`delete ${targetOf(id)}`), { keeps: [id] }),
    fails(force(otherId), { keeps: [id] }),
  ),
];

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
    'refused (403), after which kapp does not fall back; the id stays',
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
    '`update-strategy: fallback-on-replace`, an InventoryCluster with a number as `spec.displayName`',
    'refused (422, by the CRD itself), and once more after the deletion: the object is gone',
    store(storedInventory),
    step(async (field) => {
      const { ok, text, steps } = await deploy(numbered, 'fallback-on-replace')(field);
      assert.ok(!ok && text.includes('must be of type string'), text);
      assert.deepEqual(steps, ['update 422', 'delete', 'create 422']);
    }),
    isGone(storedInventory),
  ),
  up(
    '`update-strategy: fallback-on-replace`, a ClusterProfile with another `spec.clusterManager`, by the CRD of cluster-inventory-api',
    'passes, and loses uid and status: the CRD refuses the update (422) before muster is called, so kapp deletes and creates',
    store(storedProfile),
    whileCrdFixesManager(
      refuses(deploy(otherProfileManager, 'fallback-on-replace'), 'ClusterManager is immutable', {
        code: 422,
        recreates: [storedProfile],
        steps: ['update', 'delete', 'create', 'record'],
      }),
    ),
    lacks(storedProfile, 'status'),
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
