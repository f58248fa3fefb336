import { describe, expect, test } from '@jest/globals';
import { missingManagerLabel } from '../../src/engine/manager-label.ts';
import type { Json } from '../../src/rules/rule.ts';
import { clusterClaim, clusterProfile, inventoryCluster } from '../../src/schemas/dialects.ts';
import { inventory } from '../rules/bases.ts';
import { tweaked } from '../rules/rule-tester.ts';

describe('the manager label that a new object lacks', () => {
  const label = '/metadata/labels/x-k8s.io~1cluster-manager';
  test.each<[string, Record<string, Json | undefined>, string | undefined]>([
    ['missing', { [label]: undefined }, 'harbour'],
    ['no labels at all', { '/metadata/labels': undefined }, 'harbour'],
    ['labels null', { '/metadata/labels': null }, 'harbour'],
    ['null', { [label]: null }, 'harbour'],
    ['there', {}, undefined],
    ['wrong', { [label]: 'other' }, undefined],
    ['empty', { [label]: '' }, undefined],
    ['labels of another kind', { '/metadata/labels': [] }, undefined],
    ['no manager', { [label]: undefined, '/spec/clusterManager': undefined }, undefined],
    ['a name that no label holds', { [label]: undefined, '/spec/clusterManager/name': '-' }, undefined],
  ])('%s', (_why, tweak, expected) => {
    expect(missingManagerLabel(inventoryCluster, tweaked(inventory, tweak))).toBe(expected);
    expect(missingManagerLabel(clusterProfile, tweaked(inventory, tweak))).toBe(expected);
    expect(missingManagerLabel(clusterClaim, tweaked(inventory, tweak))).toBeUndefined();
  });
});
