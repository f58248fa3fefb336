/**
 * Controllers on a hub that write any objects into members. Sveltos: server-side apply, and deletion in order of the
 * names up to the first refusal. Clusternet: a creation in every round, a merge patch where the object exists.
 */
import type { Json } from '../../harness/index.ts';
import type { FieldUser } from '../cluster.ts';
import {
  claim,
  id,
  inventoryManifest,
  manifestOf,
  membership,
  newClaim,
  otherId,
  otherProfileManager,
  ownClaim,
  profileManifest,
  property,
  status,
  storedProfile,
} from '../objects.ts';
import { whileCrdFixesManager } from '../profile-crd.ts';
import { away, restarting, type Scenario, up, upWithManagers } from '../scenario.ts';
import {
  before,
  fails,
  has,
  isGone,
  joined,
  kubectl,
  lacks,
  passes,
  refuses,
  refusesOtherId,
  store,
  throughout,
  type Write,
} from '../steps.ts';

const targetOf = ({ apiVersion, kind, metadata }: Json) => {
  const plural = kind.replace(/y$/, 'ie');
  return `-n {field} ${plural.toLowerCase()}s.${apiVersion.split('/')[0]} ${metadata.name}`;
};
const remove = (user: FieldUser, object: Json) => kubectl(user, `delete ${targetOf(object)}`);

/** Performs writes one after the other, up to the first that is refused. */
const untilRefused =
  (writes: readonly Write[]): Write =>
  async (field) => {
    let result = { ok: true, text: '', warnings: '', steps: [] as readonly string[] };
    for (const write of writes) {
      result = await write(field);
      if (!result.ok) break;
    }
    return result;
  };

const APPLY = 'apply --server-side --force-conflicts --field-manager=application/apply-patch -f -';
/** The errors after which Sveltos deletes an object that is applied with `force`. */
const RECREATED = / is invalid: |is\simmutable|immutable\sfield/;

const sveltosApply = (...objects: readonly Json[]) =>
  untilRefused(objects.map((object) => kubectl('sveltos', APPLY, object)));
const sveltosForce =
  (object: Json): Write =>
  async (field) => {
    const applied = await sveltosApply(object)(field);
    if (applied.ok || !RECREATED.test(applied.text)) return applied;
    return untilRefused([remove('sveltos', object), sveltosApply(object)])(field);
  };
const byName = (one: Json, other: Json) => (one.metadata.name < other.metadata.name ? -1 : 1);
const sveltosRemove = (...objects: readonly Json[]) =>
  untilRefused(objects.toSorted(byName).map((object) => remove('sveltos', object)));

const ownProperty = property('cluster.clusterset.k8s.io', 'a');
const propertyMembership = property('clusterset.k8s.io', 'set');

export const sveltos: readonly Scenario[] = [
  up(
    'a profile with both claims, an InventoryCluster and a ClusterProfile, then with changed ones',
    'passes; the manager label and the status, which others own, stay',
    passes(sveltosApply(id, membership, inventoryManifest(), profileManifest())),
    store({ ...profileManifest(), status }),
    passes(sveltosApply(id, membership, inventoryManifest('two'), profileManifest('two')), {
      updates: [profileManifest()],
    }),
  ),
  up(
    '`force: true`, the id of a member with another value',
    'refused (403), which Sveltos does not take for an immutable field; the id stays',
    joined,
    refusesOtherId(sveltosForce(otherId)),
  ),
  up(
    '`force: true`, a ClusterProfile with another `spec.clusterManager`, by the CRD of cluster-inventory-api',
    'passes, and loses uid and status: the CRD refuses the update (422) before muster is called, so Sveltos deletes and creates',
    store(storedProfile),
    whileCrdFixesManager(passes(sveltosForce(otherProfileManager), { recreates: [storedProfile] })),
    lacks(storedProfile, 'status'),
  ),
  up(
    'both ClusterClaims are taken out of a profile',
    'passes: `clusterset.k8s.io` comes before `id.k8s.io`',
    joined,
    passes(sveltosRemove(id, membership)),
    isGone(id, membership),
  ),
  up(
    'both ClusterProperties are taken out of a profile',
    'refused (403), again and again: `cluster.clusterset.k8s.io` comes before the membership; passes after that was deleted',
    store(ownProperty, propertyMembership),
    ...[1, 2].map(() =>
      refuses(sveltosRemove(ownProperty, propertyMembership), 'claim/id-present-in-clusterset', {
        keeps: [ownProperty, propertyMembership],
      }),
    ),
    passes(kubectl('deployer', `delete ${targetOf(propertyMembership)}`)),
    passes(sveltosRemove(ownProperty)),
    isGone(ownProperty),
  ),
  restarting(
    'a profile with changed objects, round after round',
    'passes',
    throughout((round) => [passes(sveltosApply(profileManifest(`round-${round}`), ownClaim(`round-${round}`)))]),
  ),
  away(
    'objects that have not changed',
    'passes',
    before(passes(sveltosApply(profileManifest(), ownClaim()))),
    passes(sveltosApply(profileManifest(), ownClaim())),
  ),
  away(
    'claims with names of their own: another value, and a new one; then a ClusterProfile without the manager label',
    'passes; then refused (500) until muster is back; Sveltos tries again by itself',
    before(passes(sveltosApply(ownClaim()))),
    passes(sveltosApply(ownClaim('b'), newClaim)),
    fails(sveltosApply(ownClaim('b'), newClaim, profileManifest()), { keeps: [ownClaim(), newClaim] }),
  ),
];

/** Where the object exists, the creation is answered with 409, and its spec is patched if it differs. */
const clusternetApply =
  (...objects: readonly Json[]): Write =>
  (field) =>
    untilRefused(
      objects.map((object) => async () => {
        const created = await kubectl('clusternet', 'create -f -', object)(field);
        if (created.ok || !created.text.includes('AlreadyExists')) return created;
        const change = `-p ${JSON.stringify({ spec: object.spec })}`;
        return kubectl('clusternet', `patch ${targetOf(object)} --type=merge ${change}`)(field);
      }),
    )(field);

export const clusternet: readonly Scenario[] = [
  up(
    'a Description with both claims and a ClusterProfile, then with a changed one',
    'passes; uid and status stay',
    passes(clusternetApply(id, membership, profileManifest())),
    store({ ...profileManifest(), status }),
    passes(clusternetApply(id, membership, profileManifest('two')), { updates: [id, profileManifest()] }),
    has(profileManifest(), { spec: { displayName: 'two' } }),
  ),
  up(
    'the id of a member with another value, then with the former one',
    'refused (403); the id stays, and the Description shows the reason; passes',
    joined,
    refusesOtherId(clusternetApply(otherId)),
    passes(clusternetApply(id), { keeps: [id] }),
  ),
  up(
    'a Description with both claims is deleted',
    'refused (403) for the id while the membership is there, which is deleted at the same time; the second attempt passes',
    joined,
    refuses(remove('clusternet', id), 'claim/id-present-in-clusterset', { keeps: [id] }),
    ...[membership, id].map((object) => passes(remove('clusternet', object))),
    isGone(id, membership),
  ),
  upWithManagers(
    'a membership that exists, where managers are configured and Clusternet is not one',
    'refused (403): the round begins with a creation, though nothing changes; name its account as a manager',
    joined,
    refuses(clusternetApply(membership), 'claim/clusterset-manager', { keeps: [membership] }),
  ),
  restarting(
    'a Description with changed objects, round after round',
    'passes',
    throughout((round) => [
      passes(clusternetApply(profileManifest(`round-${round}`), claim('{field}.example.com', 'a'))),
    ]),
  ),
  away(
    'a claim with a name of its own and a ClusterProfile that have not changed, with and without the manager label',
    'passes with it; without it refused (500) until muster is back, since each round begins with a creation',
    before(passes(clusternetApply(ownClaim(), profileManifest()))),
    passes(clusternetApply(ownClaim(), manifestOf(storedProfile)), { keeps: [ownClaim(), storedProfile] }),
    fails(clusternetApply(profileManifest()), { keeps: [storedProfile] }),
  ),
];
