/** Small cluster states and changes to them, of claims and inventory. */
import fc from 'fast-check';
import type { Json } from '../harness/index.ts';

export interface Change {
  readonly stored: readonly Json[];
  readonly applied: readonly Json[];
  readonly file: Json;
  readonly deleted: boolean;
}

const LABEL = 'x-k8s.io/cluster-manager';

function labels(values: readonly (string | null)[]): fc.Arbitrary<Json> {
  const some = fc.dictionary(fc.constantFrom(LABEL, 'example.com/a'), fc.constantFrom(...values), { maxKeys: 2 });
  return fc.option(some, { nil: undefined });
}

const claims = (values: readonly (string | null)[]) =>
  fc
    .record({
      type: fc.constantFrom(
        ['multicluster.x-k8s.io/v1alpha1', 'ClusterClaim'],
        ['about.k8s.io/v1alpha1', 'ClusterProperty'],
        ['about.k8s.io/v1beta1', 'ClusterProperty'],
      ),
      name: fc.constantFrom(
        'id.k8s.io',
        'clusterset.k8s.io',
        'cluster.clusterset.k8s.io',
        'plain.example.com',
        'mine.k8s.io',
      ),
      labels: labels(values),
      value: fc.constantFrom('one', 'two', 'Not valid', undefined),
    })
    .map(({ type: [apiVersion, kind], name, labels: own, value }) => ({
      apiVersion,
      kind,
      metadata: { name, labels: own },
      spec: { value },
    }));

const inventories = (values: readonly (string | null)[]) =>
  fc
    .record({
      name: fc.constantFrom('a', 'b'),
      labels: labels(values),
      manager: fc.constantFrom('depot', 'other', undefined),
      displayName: fc.constantFrom('A', undefined),
    })
    .map(({ name, labels: own, manager, displayName }) => ({
      apiVersion: 'multicluster.x-k8s.io/v1alpha1',
      kind: 'InventoryCluster',
      metadata: { name, labels: own },
      spec: { displayName, ...(manager && { clusterManager: { name: manager } }) },
    }));

const plain = (object: unknown): Json => JSON.parse(JSON.stringify(object));
const texts = ['depot', 'other', ''];
const objects = fc.oneof(claims(texts), inventories(texts)).map(plain);

/** Each object is there once. */
const state = fc.uniqueArray(objects, {
  maxLength: 4,
  selector: ({ apiVersion, kind, metadata }) => `${apiVersion.split('/')[0]} ${kind} ${metadata.name}`,
});

export const changes: fc.Arbitrary<Change> = fc
  .record({
    state,
    before: fc.nat(4),
    file: fc.oneof(claims([...texts, null]), inventories([...texts, null])).map(plain),
    again: fc.boolean(),
    deleted: fc.constantFrom(false, false, false, true),
  })
  .map(({ state: all, before, file, again, deleted }) => {
    const [stored, applied] = [all.slice(0, before), all.slice(before)];
    const target = again ? all[0] : undefined;
    // Mostly an object that exists.
    const { apiVersion, kind, metadata } = target ?? file;
    const named = { ...file, apiVersion, kind, metadata: { ...file.metadata, name: metadata.name } };
    return { stored, applied, file: target && target.kind !== file.kind ? target : named, deleted };
  });
