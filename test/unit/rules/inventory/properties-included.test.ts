/** What is compared are the properties of profiles with the ClusterProperties of the clusters that they stand for. */
import type { JsonObject } from '../../../../src/base/json.ts';
import { rule } from '../../../../src/rules/inventory/properties-included.ts';
import { custom, inventory, ocm, profile, property } from '../../../support/bases.ts';
import { testComparison } from '../../../support/compared.ts';
import { tweaked } from '../../../support/rule-tester.ts';

const claim = (name: string, value = 'x', base = property.custom): JsonObject =>
  tweaked(base, { '/metadata/name': name, '/spec/value': value });
const listing = (names: readonly string[], base = profile, name = 'east'): JsonObject =>
  tweaked(base, { '/metadata/name': name, '/status/properties': names.map((one) => ({ name: one, value: 'x' })) });
const ONE = claim('a.example');
const TWO = claim('b.example');
/** Of the same name as the older one of ClusterProperty. */
const OTHER_ID = claim('id.k8s.io', 'x', ocm.id);
const lacking = { east: [ONE], hub: [listing([])] };
const withStatus = (status: JsonObject | null | undefined) => ({
  east: [ONE],
  hub: [tweaked(listing([]), { '/status': status })],
});
const message = (lacks: string) =>
  `should include every ClusterProperty of the cluster "east", and lacks ${lacks}; have the cluster manager add name and value unchanged`;
const place = '  the ClusterProperty that is missing';

testComparison(rule, {
  related: false,
  findings: [`hub ClusterProfile fleet-a/east: warn ${rule.id} status.properties`],
  reports: [
    ['one that is missing', { east: [ONE, TWO], hub: [listing(['b.example'])] }],
    ['an empty list', lacking],
    ['a status without a list', withStatus({ version: { kubernetes: 'v1.36.3' } })],
    ['a value as long as can be carried', { east: [claim('a.example', 'x'.repeat(1024))], hub: [listing([])] }],
    ['several, once', { east: [ONE, TWO], hub: [listing([])] }],
    [
      'an id, where the listed one is that of another API',
      { east: [property.id, OTHER_ID], hub: [listing(['id.k8s.io'])] },
    ],
    ['one more that is missing', { ...lacking, east: [ONE, TWO] }, undefined, { before: lacking }],
  ],
  silent: [
    ['all of them', { east: [ONE, TWO], hub: [listing(['a.example', 'b.example', 'more'])] }],
    ['a profile of no cluster of the run', { east: [ONE], hub: [listing([], profile, 'far')] }],
    ['a profile without a status', withStatus(undefined)],
    ['a profile with a status that is null', withStatus(null)],
    ['a profile with an empty status', withStatus({})],
    ['a profile with the status that typed clients in Go write', withStatus({ conditions: null, version: {} })],
    ['a value too long to be carried', { east: [claim('a.example', 'x'.repeat(1025))], hub: [listing([])] }],
    ['claims of another API', { east: [custom, ocm.custom], hub: [listing([])] }],
    ['an InventoryCluster', { east: [ONE], hub: [listing([], inventory)] }],
    ['the id by its other name', { east: [property.id], hub: [listing(['id.k8s.io'])] }],
    [
      'the id by its other name, which another API has too',
      { east: [claim('cluster.clusterset.k8s.io'), OTHER_ID], hub: [listing(['id.k8s.io'])] },
    ],
    ['a run of one cluster', { east: [ONE, listing([])] }, { isAcross: false }],
    ['what was missing before', lacking, { before: lacking }],
  ],
  messages: [
    ['one that is missing, by name', lacking, [message('a.example'), place]],
    [
      'how many more there are',
      { east: Array.from({ length: 10 }, (_, index) => claim(`p${index}.example`)), hub: [listing([])] },
      [message('p0.example (and 9 more)'), ...Array.from({ length: 8 }, () => place)],
    ],
  ],
});
