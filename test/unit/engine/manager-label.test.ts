import { describe, expect, test } from '@jest/globals';
import { clusterClaim, clusterProfile, inventoryCluster } from '../../../src/api/dialects.ts';
import type { Json } from '../../../src/base/json.ts';
import { lostManagerLabel, missingManagerLabel } from '../../../src/engine/manager-label.ts';
import { inventory } from '../../support/bases.ts';
import { tweaked } from '../../support/rule-tester.ts';

describe('the manager label that a new object lacks', () => {
  const label = '/metadata/labels/x-k8s.io~1cluster-manager';
  test.each<[string, Record<string, Json | undefined>, string | undefined]>([
    ['there', {}, undefined],
    ['wrong', { [label]: 'other' }, undefined],
    ['labels of another kind', { '/metadata/labels': [] }, undefined],
  ])('%s', (_why, tweak, expected) => {
    expect(missingManagerLabel(inventoryCluster, tweaked(inventory, tweak))).toBe(expected);
    expect(missingManagerLabel(clusterProfile, tweaked(inventory, tweak))).toBe(expected);
    expect(missingManagerLabel(clusterClaim, tweaked(inventory, tweak))).toBeUndefined();
  });
});

describe('the manager label that an update lost', () => {
  const label = '/metadata/labels/x-k8s.io~1cluster-manager';
  const name = '/spec/clusterManager/name';
  type Change = Record<string, Json | undefined>;
  test.each<[string, Change, Change, string | undefined]>([
    ['lost', {}, { [label]: undefined }, 'harbour'],
    ['lost with all labels', {}, { '/metadata/labels': undefined }, 'harbour'],
    ['lost, and another added', {}, { '/metadata/labels': { env: 'x' } }, 'harbour'],
    ['labels of another kind', {}, { '/metadata/labels': [] }, undefined],
    ['never there', { [label]: undefined }, {}, undefined],
    ['stored as a number', { [label]: 5, [name]: '5' }, { [label]: undefined }, undefined],
    [
      'lost while the manager becomes the one of the stored label',
      { [name]: 'x' },
      { [label]: undefined, [name]: 'harbour' },
      undefined,
    ],
    ['lost while the manager is gained', { '/spec': {} }, { [label]: undefined, [name]: 'harbour' }, undefined],
  ])('%s', (_why, before, change, expected) => {
    const stored = tweaked(inventory, before);
    const written = tweaked(stored, change);
    expect(lostManagerLabel(inventoryCluster, written, stored)).toBe(expected);
    expect(lostManagerLabel(clusterProfile, written, stored)).toBe(expected);
    expect(lostManagerLabel(clusterClaim, written, stored)).toBeUndefined();
  });
});
