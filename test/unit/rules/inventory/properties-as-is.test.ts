/** What is compared are the properties of inventory objects and the claims of the clusters that they stand for. */
import { expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../src/base/json.ts';
import { rule } from '../../../../src/rules/inventory/properties-as-is.ts';
import { custom, id, inventory, membership, ocm, profile, property } from '../../../support/bases.ts';
import { conflictsIn, testComparison } from '../../../support/compared.ts';
import { tweaked } from '../../../support/rule-tester.ts';

const REGION = 'region.example.org';
const listing = (base: JsonObject, properties: Readonly<Record<string, string>>, name = 'east'): JsonObject =>
  tweaked(base, {
    '/metadata/name': name,
    '/status/properties': Object.entries(properties).map(([key, value]) => ({ name: key, value })),
  });
const valued = (object: JsonObject, value: string | null): JsonObject => tweaked(object, { '/spec/value': value });
const region = (value: string, name?: string): JsonObject => listing(inventory, { [REGION]: value }, name);
const identity = { 'clusterset.k8s.io': 'blue-fleet', 'id.k8s.io': 'north-1' };
const member = [id, membership, custom];
const LONG = 'x'.repeat(1025);

const at = (kind: string, index: number) => `hub ${kind}: warn ${rule.id} status.properties[${index}].value`;

const CLAIM = '  the claim, which has another value';
const wrong = { name: REGION, value: 'south' };
const other = { name: 'b.example', value: 'y' };
const listed = (...properties: JsonObject[]) => ({
  east: [custom],
  hub: [tweaked(inventory, { '/metadata/name': 'east', '/status': { properties } })],
});

testComparison(rule, {
  reports: [
    [
      'another value',
      { east: [custom], hub: [region('south')] },
      [at('InventoryCluster east', 0), '  east ClusterClaim region.example.org spec.value'],
    ],
    [
      'a value that is missing',
      { east: [custom], hub: [tweaked(region('x'), { '/status/properties/0/value': null })] },
      [at('InventoryCluster east', 0), '  east ClusterClaim region.example.org spec.value'],
    ],
    [
      'the value of the member with the id, whatever its name',
      {
        west: member,
        east: [valued(custom, 'south')],
        hub: [listing(inventory, { ...identity, [REGION]: 'south' })],
      },
      [at('InventoryCluster east', 2), '  west ClusterClaim region.example.org spec.value'],
    ],
    [
      'the namesake, where no member has the id',
      {
        east: [id, membership],
        hub: [listing(inventory, { ...identity, 'id.k8s.io': 'gone' })],
      },
      [at('InventoryCluster east', 1), '  east ClusterClaim id.k8s.io spec.value'],
    ],
    [
      'a profile that a cluster is called after',
      {
        'fleet-a/east': [property.custom],
        hub: [listing(profile, { [REGION]: 'south' })],
      },
      [at('ClusterProfile fleet-a/east', 0), '  fleet-a/east ClusterProperty region.example.org spec.value'],
    ],
    [
      'a claim that no property can carry, once, at the claim',
      {
        east: [valued(custom, LONG)],
        hub: [region(LONG.slice(1))],
      },
      [`east ClusterClaim region.example.org: warn ${rule.id} spec.value`],
    ],
    [
      'another wrong value than before',
      listed({ ...wrong, value: 'west' }),
      [at('InventoryCluster east', 0), '  east ClusterClaim region.example.org spec.value'],
      { before: listed(wrong) },
    ],
  ],
  silent: [
    ['the value of the claim', { east: [custom], hub: [region('north')] }],
    ['a property that no claim holds', { east: [custom], hub: [listing(inventory, { location: 'apac' })] }],
    ['an object of no cluster of the run', { east: [custom], hub: [region('south', 'far')] }],
    ['a long claim in a run of one cluster', { east: [valued(custom, LONG)] }],
    ['a run of one cluster with its own inventory', { hub: [region('south')] }],
    ['the value of the claim in one of two APIs', { east: [valued(custom, 'x'), ocm.custom], hub: [region('north')] }],
    ['an empty property of a claim without a value', { east: [valued(ocm.custom, null)], hub: [region('')] }],
    [
      'the same where a third member has the name',
      {
        a: [...member],
        b: [valued(id, 'north-1'), membership],
        far: [valued(id, 'north-2'), membership, valued(custom, 'south')],
        hub: [listing(inventory, { ...identity, [REGION]: 'west' }, 'far')],
      },
    ],
    ['a long claim where its own limit is the same', { east: [valued(ocm.custom, LONG)], hub: [] }],
    ['a wrong value that was there before, at another place', listed(other, wrong), { before: listed(wrong) }],
  ],
  messages: [
    [
      'shows the property and not the claim',
      { east: [custom], hub: [region('south')] },
      [
        'must be the value of the claim region.example.org in the cluster "east", got "south"; copy the value unchanged',
        CLAIM,
      ],
    ],
    [
      'does not repeat a long property',
      { east: [custom], hub: [region(LONG)] },
      [
        'must be the value of the claim region.example.org in the cluster "east", got a longer one; copy the value unchanged',
        CLAIM,
      ],
    ],
    [
      'does not repeat a long claim',
      { east: [valued(custom, LONG)], hub: [region('south')] },
      ['must be at most 1024 characters to fit into a property of an inventory object, got more; shorten it'],
    ],
  ],
});

test('whatever a property or a claim is, nothing breaks', async () => {
  const odd = [null, 7, true, [], {}, [[]], 'x', [null], { name: {} }];
  for (const one of odd) {
    const hub = [
      tweaked(inventory, { '/status': { properties: one } }),
      tweaked(inventory, { '/status': { properties: [one, { name: REGION, value: one }, { name: one }] } }),
      tweaked(inventory, { '/status': one, '/spec': one }),
    ];
    const east = [tweaked(custom, { '/spec': one }), tweaked(id, { '/spec': { value: one } }), membership];
    await expect(conflictsIn({ 'harbour-7k2': east, hub })).resolves.toBeDefined();
  }
});
