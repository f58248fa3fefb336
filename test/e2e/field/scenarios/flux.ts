/** Flux: kustomize-controller applies by server-side apply, after a dry run; written by its own package. */
import assert from 'node:assert/strict';
import type { Json } from '../../harness/index.ts';
import type { Field } from '../field.ts';
import {
  claim,
  id,
  inventoryManifest,
  membership,
  otherId,
  profileManifest,
  property,
  status,
  storedInventory,
  storedProfile,
  value,
} from '../objects.ts';
import { allPass, forbids, isUnanswered, stepsOf } from '../outcome.ts';
import type { Scenario } from '../scenario.ts';

const tool = 'Flux';
const apply = (field: Field, ...objects: readonly Json[]) => field.write('flux', { write: 'flux-apply', objects });
const force = (field: Field, ...objects: readonly Json[]) =>
  field.write('flux', { write: 'flux-apply', force: true, objects });
const prune = (field: Field, ...objects: readonly Json[]) => field.write('flux', { write: 'flux-prune', objects });

export const flux: readonly Scenario[] = [
  {
    tool,
    title: 'objects are applied, then found unchanged, then changed',
    pattern: 'a Kustomization with an InventoryCluster and a ClusterProfile, both without the label',
    muster: 'up',
    result: 'passes; the label and the status, which others own, stay',
    async run(field) {
      const manifests = [inventoryManifest(field), profileManifest(field)];
      allPass(await apply(field, ...manifests));
      for (const object of manifests) await field.store({ ...object, status });
      assert.deepEqual(stepsOf(await apply(field, ...manifests)).map(verb), ['unchanged', 'unchanged']);
      const changed = [inventoryManifest(field, 'changed'), profileManifest(field, 'changed')];
      const written = await field.updates(manifests[0], () =>
        field.updates(manifests[1], () => apply(field, ...changed)),
      );
      allPass(written);
      assert.deepEqual(stepsOf(written).map(verb), ['configured', 'configured']);
    },
  },
  {
    tool,
    title: 'force does not delete the id of a member',
    pattern: '`force: true`, the id of a member with another value',
    muster: 'up',
    result: 'refused (403), which Flux does not take for an immutable field; the id stays',
    async run(field) {
      await field.store(id, membership);
      forbids(await field.keeps(id, () => force(field, otherId)), /claim\/id-immutable-in-clusterset/, /leave/i);
    },
  },
  {
    tool,
    title: 'force does not delete a membership',
    pattern: '`force: true`, the membership with another ClusterSet',
    muster: 'up',
    result: 'refused (403); the membership stays',
    async run(field) {
      await field.store(id, membership);
      const other = claim('clusterset.k8s.io', value('other'));
      forbids(await field.keeps(membership, () => force(field, other)), /claim\/clusterset-immutable/, /leave/i);
    },
  },
  {
    tool,
    title: 'the id is changed in three commits',
    pattern: 'three commits: without the membership, with another id, with the membership',
    muster: 'up',
    result: 'passes',
    async run(field) {
      allPass(await apply(field, id));
      allPass(await apply(field, membership));
      allPass(await prune(field, membership));
      allPass(await field.updates(id, () => apply(field, otherId)));
      allPass(await apply(field, otherId, membership));
      assert.equal((await field.stored(id)).spec.value, 'b');
    },
  },
  {
    tool,
    title: 'force does not delete an object for a value that is malformed',
    pattern: '`force: true`, an id that is no DNS label',
    muster: 'up',
    result: 'refused (403 on an update, not 422); the id stays',
    async run(field) {
      for (const [stored, malformed] of [
        [id, claim('id.k8s.io', value('Not_A_Label'))],
        [property('cluster.clusterset.k8s.io', value('a')), property('cluster.clusterset.k8s.io', value('A_B'))],
      ] as const) {
        await field.store(stored);
        forbids(await field.keeps(stored, () => force(field, malformed)), /claim\/id-syntax/);
      }
    },
  },
  {
    tool,
    title: 'force does not delete a profile whose manager changes',
    pattern: '`force: true`, an InventoryCluster with another `spec.clusterManager`',
    muster: 'up',
    result: 'refused (403); uid and status stay',
    async run(field) {
      const object = storedInventory(field);
      await field.store(object);
      const other = { ...inventoryManifest(field), spec: { clusterManager: { name: 'another' } } };
      forbids(await field.keeps(object, () => force(field, other)), /inventory\/cluster-manager-immutable/);
    },
  },
  {
    tool,
    title: 'the id of a member is not pruned before its membership',
    pattern: 'prune of the id of a member, then of both claims in two commits',
    muster: 'up',
    result: 'refused (403) while a member; passes in two commits, the membership first',
    async run(field) {
      allPass(await apply(field, id));
      allPass(await apply(field, membership));
      const { steps } = await field.keeps(id, () => prune(field, id));
      // Flux joins the errors of all its deletions to one text.
      assert.match(steps.at(-1)?.message ?? '', /claim\/id-present-in-clusterset/);
      allPass(await prune(field, membership));
      allPass(await prune(field, id));
      assert.equal(await field.read(id), undefined);
    },
  },
  {
    tool,
    title: 'reconciling goes on while the replicas are replaced',
    pattern: 'reconciling a changed object all the time',
    muster: 'restarting',
    result: 'passes',
    async run(field) {
      await field.store(storedProfile(field));
      const objects = [profileManifest(field, 'round {round}')];
      allPass(await field.during((until) => field.write('flux', { write: 'flux-apply', until, objects })));
    },
  },
  {
    tool,
    title: 'reconciling what has not changed goes on',
    pattern: 'reconciling objects that are as in Git, and a changed label of one',
    muster: 'away',
    result: 'passes: the dry run and the apply find nothing that a rule reads',
    async before(field) {
      allPass(await apply(field, profileManifest(field), inventoryManifest(field)));
    },
    async run(field) {
      const manifests = [profileManifest(field), inventoryManifest(field)];
      assert.deepEqual(stepsOf(await apply(field, ...manifests)).map(verb), ['unchanged', 'unchanged']);
      manifests[0].metadata.labels = { 'app.kubernetes.io/version': '2' };
      const written = await apply(field, ...manifests);
      allPass(written);
      assert.deepEqual(stepsOf(written).map(verb).sort(), ['configured', 'unchanged']);
    },
  },
  {
    tool,
    title: 'a new object waits',
    pattern: 'a new ClusterProfile',
    muster: 'away',
    result: 'refused (500) until muster is back; Flux tries again by itself',
    async run(field) {
      isUnanswered(await apply(field, profileManifest(field)));
    },
  },
];

function verb(step: string): string {
  return step.split(' ')[0] ?? '';
}
