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
import { away, restarting, type ToolScenario, up } from '../scenario.ts';

const apply = (field: Field, ...objects: readonly Json[]) => field.write('flux', { write: 'flux-apply', objects });
const force = (field: Field, ...objects: readonly Json[]) =>
  field.write('flux', { write: 'flux-apply', force: true, objects });
const prune = (field: Field, ...objects: readonly Json[]) => field.write('flux', { write: 'flux-prune', objects });

export const flux: readonly ToolScenario[] = [
  up(
    'a Kustomization with an InventoryCluster and a ClusterProfile, both without the label',
    'passes; the label and the status, which others own, stay',
    async (field) => {
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
  ),
  up(
    '`force: true`, the id of a member with another value',
    'refused (403), which Flux does not take for an immutable field; the id stays',
    async (field) => {
      await field.store(id, membership);
      forbids(await field.keeps(id, () => force(field, otherId)), /claim\/id-immutable-in-clusterset/, /leave/i);
    },
  ),
  up('`force: true`, the membership with another ClusterSet', 'refused (403); the membership stays', async (field) => {
    await field.store(id, membership);
    const other = claim('clusterset.k8s.io', value('other'));
    forbids(await field.keeps(membership, () => force(field, other)), /claim\/clusterset-immutable/, /leave/i);
  }),
  up('three commits: without the membership, with another id, with the membership', 'passes', async (field) => {
    allPass(await apply(field, id));
    allPass(await apply(field, membership));
    allPass(await prune(field, membership));
    allPass(await field.updates(id, () => apply(field, otherId)));
    allPass(await apply(field, otherId, membership));
    assert.equal((await field.stored(id)).spec.value, 'b');
  }),
  up(
    '`force: true`, an id that is no DNS label',
    'refused (403 on an update, not 422); the id stays',
    async (field) => {
      for (const [stored, malformed] of [
        [id, claim('id.k8s.io', value('Not_A_Label'))],
        [property('cluster.clusterset.k8s.io', value('a')), property('cluster.clusterset.k8s.io', value('A_B'))],
      ] as const) {
        await field.store(stored);
        forbids(await field.keeps(stored, () => force(field, malformed)), /claim\/id-syntax/);
      }
    },
  ),
  up(
    '`force: true`, an InventoryCluster with another `spec.clusterManager`',
    'refused (403); uid and status stay',
    async (field) => {
      const object = storedInventory(field);
      await field.store(object);
      const other = { ...inventoryManifest(field), spec: { clusterManager: { name: 'another' } } };
      forbids(await field.keeps(object, () => force(field, other)), /inventory\/cluster-manager-immutable/);
    },
  ),
  up(
    'prune of the id of a member, then of both claims in two commits',
    'refused (403) while a member; passes in two commits, the membership first',
    async (field) => {
      allPass(await apply(field, id));
      allPass(await apply(field, membership));
      const { steps } = await field.keeps(id, () => prune(field, id));
      // Flux joins the errors of all its deletions to one text.
      assert.match(steps.at(-1)?.message ?? '', /claim\/id-present-in-clusterset/);
      allPass(await prune(field, membership));
      allPass(await prune(field, id));
      assert.equal(await field.read(id), undefined);
    },
  ),
  restarting('reconciling a changed object all the time', 'passes', async (field) => {
    await field.store(storedProfile(field));
    const objects = [profileManifest(field, 'round {round}')];
    allPass(await field.during((until) => field.write('flux', { write: 'flux-apply', until, objects })));
  }),
  away(
    'reconciling objects that are as in Git, and a changed label of one',
    'passes: the dry run and the apply find nothing that a rule reads',
    {
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
  ),
  away('a new ClusterProfile', 'refused (500) until muster is back; Flux tries again by itself', async (field) => {
    isUnanswered(await apply(field, profileManifest(field)));
  }),
];

function verb(step: string): string {
  return step.split(' ')[0] ?? '';
}
