/** kubectl, while muster is away. */
import assert from 'node:assert/strict';
import type { Json } from '../../harness/index.ts';
import type { Field } from '../field.ts';
import {
  claim,
  id,
  membership,
  otherId,
  storedInventory,
  storedProfile,
  turningOn,
  value,
  withMetadata,
} from '../objects.ts';
import { passes, refuses } from '../outcome.ts';
import type { Scenario } from '../scenario.ts';

const tool = 'kubectl';
const force = (field: Field, object: Json) => field.kubectl('deployer', ['apply', '--force', '-f', '-'], object);

export const kubectlAway: readonly Scenario[] = [
  {
    tool,
    title: 'labels, annotations and finalizers are written',
    pattern: '`label`, `annotate`, `patch` of finalizers, on claims and profiles',
    muster: 'away',
    result: 'passes',
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
  },
  {
    tool,
    title: 'a finalizer comes off what is being deleted',
    pattern: '`patch` that removes a finalizer of a deleted claim, ClusterProfile and Feature',
    muster: 'away',
    result: 'passes; the object goes',
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
  },
  {
    tool,
    title: 'profiles and Features are deleted',
    pattern: '`delete` of an InventoryCluster, a ClusterProfile and a Feature',
    muster: 'away',
    result: 'passes: by default no rule refuses it',
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
  },
  {
    tool,
    title: 'the id of a member is not deleted, nor is its value changed',
    pattern: '`delete` of an id, `apply` of another value',
    muster: 'away',
    result: 'refused (500) until muster is back',
    async run(field) {
      const named = ['clusterclaims.multicluster.x-k8s.io', 'id.k8s.io'];
      refuses(await field.keeps(id, () => field.kubectl('deployer', ['delete', ...named])), /failed calling webhook/);
      refuses(await field.keeps(id, () => force(field, otherId)), /failed calling webhook/);
    },
  },
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
