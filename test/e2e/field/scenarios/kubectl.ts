/** kubectl, as people and pipelines call it. */
import assert from 'node:assert/strict';
import type { Json } from '../../harness/index.ts';
import type { Field } from '../field.ts';
import { claim, id, inventoryManifest, membership, otherId, storedInventory, value, withMetadata } from '../objects.ts';
import { passes, refuses } from '../outcome.ts';
import type { Scenario } from '../scenario.ts';
import { kubectlAway } from './kubectl-away.ts';

const tool = 'kubectl';
const force = (field: Field, object: Json) => field.kubectl('deployer', ['apply', '--force', '-f', '-'], object);
const labels = { app: 'fleet' };

function prune(field: Field, ...objects: readonly Json[]) {
  const kinds = ['--prune', '-l', 'app=fleet', '--prune-allowlist=multicluster.x-k8s.io/v1alpha1/ClusterClaim'];
  return field.kubectl('deployer', ['apply', ...kinds, '-f', '-'], objects);
}

export const kubectl: readonly Scenario[] = [
  {
    tool,
    title: 'apply --force does not delete the id of a member',
    pattern: '`apply --force`, the id of a member with another value',
    muster: 'up',
    result: 'refused (403, on which kubectl does not delete); the id stays',
    async run(field) {
      await field.store(id, membership);
      refuses(await field.keeps(id, () => force(field, otherId)), /claim\/id-immutable-in-clusterset/, /leave/i);
    },
  },
  {
    tool,
    title: 'apply --force does not delete an id for a value that is malformed',
    pattern: '`apply --force`, an id that is no DNS label',
    muster: 'up',
    result: 'refused (403 on an update, not 422); the id stays',
    async run(field) {
      await field.store(id);
      const malformed = claim('id.k8s.io', value('Not_A_Label'));
      refuses(await field.keeps(id, () => force(field, malformed)), /claim\/id-syntax/);
    },
  },
  {
    tool,
    title: 'apply --force does not delete a profile',
    pattern: '`apply --force`, an InventoryCluster with another `spec.clusterManager`',
    muster: 'up',
    result: 'refused (403); uid and status stay',
    async run(field) {
      const object = storedInventory(field);
      await field.store(object);
      const other = { ...inventoryManifest(field), spec: { clusterManager: { name: 'another' } } };
      refuses(await field.keeps(object, () => force(field, other)), /inventory\/cluster-manager-immutable/);
    },
  },
  {
    tool,
    title: 'apply --prune does not remove the id of a member',
    pattern: '`apply --prune`, the id of a member is missing from the manifests',
    muster: 'up',
    result: 'refused (403); the id stays, the rest is applied',
    async run(field) {
      const [own, joined] = [id, membership].map((object) => withMetadata(object, { labels }));
      passes(await prune(field, own, joined));
      refuses(await field.keeps(own, () => prune(field, joined)), /claim\/id-present-in-clusterset/, /leave/i);
    },
  },
  {
    tool,
    title: 'apply --prune removes a membership and a custom claim',
    pattern: '`apply --prune`, the membership is missing from the manifests',
    muster: 'up',
    result: 'passes: the cluster leaves its ClusterSet',
    async run(field) {
      const custom = claim(`${field.name}.example.com`, value('a'));
      const [own, joined, other] = [id, membership, custom].map((object) => withMetadata(object, { labels }));
      passes(await prune(field, own, joined, other));
      passes(await prune(field, own));
      assert.equal(await field.read(joined), undefined);
      assert.equal(await field.read(other), undefined);
    },
  },
  {
    tool,
    title: 'replace --force moves a cluster to another ClusterSet',
    pattern: '`replace --force`, the membership with another ClusterSet',
    muster: 'up',
    result: 'passes: it is a deletion and a creation, the way out that the refusal of a plain change names',
    async run(field) {
      await field.store(id, membership);
      const other = claim('clusterset.k8s.io', value('other'));
      const plain = await field.keeps(membership, () => field.kubectl('deployer', ['replace', '-f', '-'], other));
      refuses(plain, /claim\/clusterset-immutable/, /leave/i);
      passes(await field.kubectl('deployer', ['replace', '--force', '-f', '-'], other));
      assert.equal((await field.stored(membership)).spec.value, 'other');
    },
  },
  {
    tool,
    title: 'leave, change the id and join again in one script',
    pattern: '`delete` of the membership, `apply` of another id, `apply` of the membership, one after the other',
    muster: 'up',
    result: 'passes, without waiting',
    async run(field) {
      await field.store(id, membership);
      passes(await field.kubectl('deployer', ['delete', 'clusterclaims.multicluster.x-k8s.io', 'clusterset.k8s.io']));
      passes(await field.kubectl('deployer', ['apply', '-f', '-'], otherId));
      passes(await field.kubectl('deployer', ['apply', '-f', '-'], membership));
      assert.equal((await field.stored(id)).spec.value, 'b');
    },
  },
  {
    tool,
    title: 'the id of a member stays while the replicas are replaced',
    pattern: '`apply --force`, the id of a member with another value, again and again',
    muster: 'restarting',
    result: 'refused (403) every time; the id stays',
    async run(field) {
      await field.store(id, membership);
      await field.throughout(async () =>
        refuses(await field.keeps(id, () => force(field, otherId)), /claim\/id-immutable-in-clusterset/),
      );
    },
  },
  ...kubectlAway,
];
