import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { applyPatch } from 'rfc6902';
import type { Json } from '../../../src/base/json.ts';
import { createEngine } from '../../../src/engine/index.ts';
import { type AddOperation, findMutation, type Mutation } from '../../../src/engine/manager-label.ts';
import { readAdmissionReview } from '../../../src/engine/review.ts';
import { policyFrom } from '../../support/configuration.ts';
import { claim, type Fields, inventory, inventoryRequest, reviewWith } from '../../support/reviews.ts';

const LABEL = 'x-k8s.io/cluster-manager';

function patchOf(object: unknown, over: Fields = {}): readonly AddOperation[] {
  return mutated(object, over).operations;
}

function mutated(object: unknown, over: Fields, configuration: object = {}): Mutation {
  const reading = readAdmissionReview({ ...reviewWith(), request: inventoryRequest(object, over) } as Json);
  if (reading.kind !== 'evaluate') throw new Error(`not evaluated: ${JSON.stringify(reading)}`);
  return findMutation(reading.subject, createEngine({ point: 'webhook', policy: policyFrom(configuration) }));
}

function apply(object: unknown, patch: readonly AddOperation[]): unknown {
  const target: unknown = structuredClone(object);
  expect(applyPatch(target, structuredClone([...patch]))).toEqual(patch.map(() => null));
  return target;
}

const withMetadata = (metadata: unknown): Fields => ({ ...inventory, metadata });
const withLabels = (labels: unknown): Fields => withMetadata({ name: 'fleet-1', labels });
const profile = {
  kind: { group: 'multicluster.x-k8s.io', version: 'v1alpha2', kind: 'ClusterProfile' },
  namespace: 'fleet',
};

describe('the label is added', () => {
  test.each<[string, Fields, Fields, Fields]>([
    ['no labels', withMetadata({ name: 'fleet-1' }), {}, { [LABEL]: 'some-manager' }],
    ['labels null', withLabels(null), {}, { [LABEL]: 'some-manager' }],
    ['labels empty', withLabels({}), {}, { [LABEL]: 'some-manager' }],
    ['other labels', withLabels({ 'a/b': 'c~d' }), {}, { 'a/b': 'c~d', [LABEL]: 'some-manager' }],
    ['the label null', withLabels({ [LABEL]: null }), {}, { [LABEL]: 'some-manager' }],
    ['a generated name', withMetadata({ generateName: 'c-' }), { name: '' }, { [LABEL]: 'some-manager' }],
    ['a ClusterProfile', withMetadata({ name: 'a', namespace: 'fleet' }), profile, { [LABEL]: 'some-manager' }],
    ['dry run', withMetadata({ name: 'fleet-1' }), { dryRun: true }, { [LABEL]: 'some-manager' }],
  ])('%s', (_, object, over, labels) => {
    const patch = patchOf(object, over);
    const metadata = object['metadata'] as Fields;
    expect(apply(object, patch)).toEqual({ ...object, metadata: { ...metadata, labels } });
    expect(patch.map(({ op }) => op)).toEqual(['add']);
  });
});

describe('nothing is patched', () => {
  const bare = { name: 'fleet-1' };
  const ofClaims = { group: 'multicluster.x-k8s.io', version: 'v1alpha1', kind: 'ClusterClaim' };
  const managed = (name: unknown): Fields => ({ ...withMetadata(bare), spec: { clusterManager: { name } } });
  test.each<[string, unknown, Fields]>([
    ['the label is right', inventory, {}],
    ['the label is wrong', withLabels({ [LABEL]: 'other' }), {}],
    ['the label is empty, which is wrong', withLabels({ [LABEL]: '' }), {}],
    ['the label is no text', withLabels({ [LABEL]: 5 }), {}],
    ['labels are a list', withLabels([]), {}],
    ['labels are a text', withLabels('x'), {}],
    ['no metadata', { ...inventory, metadata: undefined }, {}],
    ['metadata is a list', withMetadata([]), {}],
    ['no manager', { ...withMetadata(bare), spec: {} }, {}],
    ['the manager is a text', { ...withMetadata(bare), spec: { clusterManager: 'some-manager' } }, {}],
    ['its name is a number', managed(5), {}],
    ['its name is empty', managed(''), {}],
    ['its name is no label value', managed('a/b'), {}],
    ['its name is too long for a label', managed('a'.repeat(64)), {}],
    ['an UPDATE of one that never had it', withMetadata(bare), { operation: 'UPDATE', oldObject: withMetadata(bare) }],
    [
      'an UPDATE of one whose label was wrong',
      withMetadata(bare),
      { operation: 'UPDATE', oldObject: withLabels({ [LABEL]: 'other' }) },
    ],
    [
      'an UPDATE that makes the label wrong',
      withLabels({ [LABEL]: 'other' }),
      { operation: 'UPDATE', oldObject: inventory },
    ],
    ['an UPDATE that changes the manager too', managed('other'), { operation: 'UPDATE', oldObject: inventory }],
    [
      'an UPDATE that makes the manager the one of the stored label',
      withMetadata(bare),
      { operation: 'UPDATE', oldObject: { ...inventory, spec: { clusterManager: { name: 'x' } } } },
    ],
    [
      'an UPDATE that gains the manager',
      withMetadata(bare),
      { operation: 'UPDATE', oldObject: { ...inventory, spec: {} } },
    ],
    [
      'an UPDATE of one whose label was a number',
      managed('5'),
      { operation: 'UPDATE', oldObject: { ...managed('5'), metadata: { ...bare, labels: { [LABEL]: 5 } } } },
    ],
    ['an UPDATE to labels that are a list', withLabels([]), { operation: 'UPDATE', oldObject: inventory }],
    [
      'an UPDATE of the status',
      withMetadata(bare),
      { operation: 'UPDATE', oldObject: inventory, subResource: 'status' },
    ],
    ['DELETE', null, { operation: 'DELETE', oldObject: withMetadata(bare) }],
    ['the status', withMetadata(bare), { subResource: 'status' }],
    ['a claim', { ...claim, spec: { clusterManager: { name: 'some-manager' } } }, { kind: ofClaims }],
    ['an UPDATE of a claim', withMetadata(bare), { operation: 'UPDATE', oldObject: inventory, kind: ofClaims }],
  ])('%s', (_, object, over) => {
    expect(patchOf(object, over)).toEqual([]);
  });
});

test.each<[string, Fields, Fields?]>([
  ['with all labels', withMetadata({ name: 'fleet-1' })],
  ['labels null', withLabels(null)],
  ['the label null', withLabels({ [LABEL]: null })],
  ['and another added', withLabels({ zone: 'a' })],
  ['of a ClusterProfile', withMetadata({ name: 'fleet-1', namespace: 'fleet' }), profile],
])('an UPDATE that lost the label gets it back, with a warning: %s', (_, object, over = {}) => {
  const stored = withLabels({ [LABEL]: 'some-manager', env: 'prod' });
  const { operations, warnings } = mutated(object, { operation: 'UPDATE', oldObject: stored, ...over });
  const { labels } = object['metadata'] as { labels?: Fields | null };
  const after = apply(object, operations) as { metadata: { labels: Fields } };
  expect(after.metadata.labels).toEqual({ ...labels, [LABEL]: 'some-manager' });
  expect(warnings).toEqual([
    `[inventory/cluster-manager-label] metadata.labels[${LABEL}]: was missing in this update and is put back as stored ("some-manager"); add it to the manifest`,
  ]);
});

describe('the configuration', () => {
  const rule = 'inventory/cluster-manager-label';
  const bare = withMetadata({ name: 'fleet-1' });
  const by = { userInfo: { username: 'jane' } };
  const update = { ...by, operation: 'UPDATE', oldObject: inventory };

  test('exempts the caller: the label is neither added nor put back', () => {
    const configuration = { exemptions: { users: ['jane'] } };
    expect(mutated(bare, by, configuration)).toEqual({ operations: [], warnings: [] });
    expect(mutated(bare, update, configuration)).toEqual({ operations: [], warnings: [] });
  });

  test.each<[string, object, number]>([
    ['ignores the rule', { rules: { [rule]: 'ignore' } }, 0],
    ['only audits the rule', { rules: { [rule]: 'audit' } }, 0],
    ['has the mode audit', { mode: 'audit' }, 0],
    ['has the mode warn', { mode: 'warn' }, 1],
    ['exempts another caller', { exemptions: { users: ['bob'] } }, 1],
  ])('%s: the label is put back, with a warning where the rule has one', (_, configuration, warnings) => {
    expect(mutated(bare, by, configuration).operations).toHaveLength(1);
    const restored = mutated(bare, update, configuration);
    expect([restored.operations, restored.warnings].map(({ length }) => length)).toEqual([1, warnings]);
  });
});

test('whatever the object: a patch applies, adds the one label, and changes nothing else', () => {
  const labels = fc.oneof(
    fc.jsonValue(),
    fc.dictionary(fc.constantFrom(LABEL, 'a/b', '__proto__', 'c~d'), fc.jsonValue()),
  );
  const metadata = fc.oneof(fc.record({ labels }), fc.jsonValue());
  const manager = fc.oneof(fc.constantFrom('some-manager', 'a/b', '~'), fc.jsonValue());
  fc.assert(
    fc.property(metadata, manager, (meta, name) => {
      const object = JSON.parse(JSON.stringify({ metadata: meta, spec: { clusterManager: { name } } })) as Fields;
      const patch = patchOf(object);
      if (patch.length === 0) return;
      const labelsBefore = ((object['metadata'] as Fields)['labels'] ?? {}) as Fields;
      const after = apply(object, patch) as { metadata: { labels: Fields } };
      expect(after.metadata.labels).toEqual({ ...labelsBefore, [LABEL]: name });
      expect({ ...after, metadata: { ...after.metadata, labels: undefined } }).toEqual({
        ...object,
        metadata: { ...(object['metadata'] as Fields), labels: undefined },
      });
    }),
  );
});
