/** kubectl, as people and pipelines call it. */
import assert from 'node:assert/strict';
import type { Json } from '../../harness/index.ts';
import type { Field } from '../field.ts';
import {
  claim,
  id,
  inventoryManifest,
  membership,
  otherId,
  storedInventory,
  storedProfile,
  turningOn,
  value,
  withMetadata,
} from '../objects.ts';
import { passes, refuses } from '../outcome.ts';
import { away, restarting, type ToolScenario, up } from '../scenario.ts';

const force = (field: Field, object: Json) => field.kubectl('deployer', ['apply', '--force', '-f', '-'], object);
const labels = { app: 'fleet' };

function prune(field: Field, ...objects: readonly Json[]) {
  const kinds = ['--prune', '-l', 'app=fleet', '--prune-allowlist=multicluster.x-k8s.io/v1alpha1/ClusterClaim'];
  return field.kubectl('deployer', ['apply', ...kinds, '-f', '-'], objects);
}

export const kubectl: readonly ToolScenario[] = [
  up(
    '`apply --force`, the id of a member with another value',
    'refused (403, on which kubectl does not delete); the id stays',
    async (field) => {
      await field.store(id, membership);
      refuses(await field.keeps(id, () => force(field, otherId)), /claim\/id-immutable-in-clusterset/, /leave/i);
    },
  ),
  up(
    '`apply --force`, an id that is no DNS label',
    'refused (403 on an update, not 422); the id stays',
    async (field) => {
      await field.store(id);
      const malformed = claim('id.k8s.io', value('Not_A_Label'));
      refuses(await field.keeps(id, () => force(field, malformed)), /claim\/id-syntax/);
    },
  ),
  up(
    '`apply --force`, an InventoryCluster with another `spec.clusterManager`',
    'refused (403); uid and status stay',
    async (field) => {
      const object = storedInventory(field);
      await field.store(object);
      const other = { ...inventoryManifest(field), spec: { clusterManager: { name: 'another' } } };
      refuses(await field.keeps(object, () => force(field, other)), /inventory\/cluster-manager-immutable/);
    },
  ),
  up(
    '`apply --prune`, the id of a member is missing from the manifests',
    'refused (403); the id stays, the rest is applied',
    async (field) => {
      const [own, joined] = [id, membership].map((object) => withMetadata(object, { labels }));
      passes(await prune(field, own, joined));
      refuses(await field.keeps(own, () => prune(field, joined)), /claim\/id-present-in-clusterset/, /leave/i);
    },
  ),
  up(
    '`apply --prune`, the membership is missing from the manifests',
    'passes: the cluster leaves its ClusterSet',
    async (field) => {
      const custom = claim(`${field.name}.example.com`, value('a'));
      const [own, joined, other] = [id, membership, custom].map((object) => withMetadata(object, { labels }));
      passes(await prune(field, own, joined, other));
      passes(await prune(field, own));
      assert.equal(await field.read(joined), undefined);
      assert.equal(await field.read(other), undefined);
    },
  ),
  up(
    '`replace --force`, the membership with another ClusterSet',
    'passes: it is a deletion and a creation, the way out that the refusal of a plain change names',
    async (field) => {
      await field.store(id, membership);
      const other = claim('clusterset.k8s.io', value('other'));
      const plain = await field.keeps(membership, () => field.kubectl('deployer', ['replace', '-f', '-'], other));
      refuses(plain, /claim\/clusterset-immutable/, /leave/i);
      passes(await field.kubectl('deployer', ['replace', '--force', '-f', '-'], other));
      assert.equal((await field.stored(membership)).spec.value, 'other');
    },
  ),
  up(
    '`delete` of the membership, `apply` of another id, `apply` of the membership, one after the other',
    'passes, without waiting',
    async (field) => {
      await field.store(id, membership);
      passes(await field.kubectl('deployer', ['delete', 'clusterclaims.multicluster.x-k8s.io', 'clusterset.k8s.io']));
      passes(await field.kubectl('deployer', ['apply', '-f', '-'], otherId));
      passes(await field.kubectl('deployer', ['apply', '-f', '-'], membership));
      assert.equal((await field.stored(id)).spec.value, 'b');
    },
  ),
  restarting(
    '`apply --force`, the id of a member with another value, again and again',
    'refused (403) every time; the id stays',
    async (field) => {
      await field.store(id, membership);
      await field.throughout(async () =>
        refuses(await field.keeps(id, () => force(field, otherId)), /claim\/id-immutable-in-clusterset/),
      );
    },
  ),
  away('`label`, `annotate`, `patch` of finalizers, on claims and profiles', 'passes', {
    async before(field) {
      await field.store(storedProfile(field));
    },
    async run(field) {
      for (const object of [storedProfile(field), id, membership]) {
        const named = [
          '-n',
          field.namespace,
          `${object.kind.toLowerCase()}s.multicluster.x-k8s.io`,
          object.metadata.name,
        ];
        const patch = (finalizers: string) => `{"metadata":{"finalizers":${finalizers}}}`;
        await field.keeps(object, async () => {
          passes(await field.kubectl('deployer', ['label', ...named, `team-${field.name}=x`]));
          passes(await field.kubectl('deployer', ['annotate', ...named, 'note=x', '--overwrite']));
          passes(
            await field.kubectl('deployer', ['patch', ...named, '--type=merge', '-p', patch('["example.com/hold"]')]),
          );
          passes(await field.kubectl('deployer', ['patch', ...named, '--type=merge', '-p', patch('null')]));
        });
      }
    },
  }),
  away('`patch` that removes a finalizer of a deleted claim, ClusterProfile and Feature', 'passes; the object goes', {
    async before(field) {
      for (const object of held(field)) await field.store({ ...object, terminating: true });
    },
    async run(field) {
      for (const object of held(field)) {
        const plural = `${object.kind.toLowerCase()}s.${object.apiVersion.split('/')[0]}`;
        const patch = ['--type=json', '-p', '[{"op":"remove","path":"/metadata/finalizers"}]'];
        passes(
          await field.kubectl('deployer', ['patch', '-n', field.namespace, plural, object.metadata.name, ...patch]),
        );
        assert.equal(await field.read(object), undefined);
      }
    },
  }),
  away('`delete` of an InventoryCluster, a ClusterProfile and a Feature', 'passes: by default no rule refuses it', {
    async before(field) {
      await field.store(storedInventory(field), storedProfile(field), turningOn(field));
    },
    async run(field) {
      for (const object of [storedInventory(field), storedProfile(field), turningOn(field)]) {
        const named = [`${object.kind.toLowerCase()}s.${object.apiVersion.split('/')[0]}`, field.name];
        passes(await field.kubectl('deployer', ['delete', '-n', field.namespace, ...named]));
        assert.equal(await field.read(object), undefined);
      }
    },
  }),
  away('`delete` of an id, `apply` of another value', 'refused (500) until muster is back', async (field) => {
    const named = ['clusterclaims.multicluster.x-k8s.io', 'id.k8s.io'];
    refuses(await field.keeps(id, () => field.kubectl('deployer', ['delete', ...named])), /failed calling webhook/);
    refuses(await field.keeps(id, () => force(field, otherId)), /failed calling webhook/);
  }),
];

function held(field: Field): Json[] {
  const finalizers = ['example.com/hold'];
  return [
    claim(`${field.name}.example.com`, value('a'), { finalizers }),
    withMetadata(storedProfile(field), { finalizers }),
    {
      apiVersion: 'features.x-k8s.io/v1alpha1',
      kind: 'Feature',
      metadata: { name: field.name, namespace: field.namespace, finalizers },
    },
  ];
}
