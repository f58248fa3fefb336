/** Flux: kustomize-controller applies by server-side apply, after a dry run; written by its own package. */
import type { Json } from '../../harness/index.ts';
import {
  claim,
  id,
  inventoryManifest,
  membership,
  otherId,
  otherManager,
  profileManifest,
  property,
  status,
  storedInventory,
  storedProfile,
  value,
} from '../objects.ts';
import { away, restarting, type Scenario, up } from '../scenario.ts';
import {
  before,
  during,
  fails,
  hasOtherId,
  isGone,
  joined,
  passes,
  refuses,
  refusesOtherId,
  store,
  writes,
} from '../steps.ts';

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
    refuses(force(claim('clusterset.k8s.io', value('other'))), 'claim/clusterset-immutable', { keeps: [membership] }),
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
    '`force: true`, an id that is no DNS label',
    'refused (403 on an update, not 422); the id stays',
    ...[claim('id.k8s.io', value('a')), property('cluster.clusterset.k8s.io', value('a'))].flatMap((object) => [
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
    'reconciling a changed object all the time',
    'passes',
    store(storedProfile),
    during(apply(profileManifest('round {round}'))),
  ),
  away(
    'reconciling objects that are as in Git, and a changed label of one',
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
    'a new ClusterProfile',
    'refused (500) until muster is back; Flux tries again by itself',
    fails(apply(profileManifest())),
  ),
];
