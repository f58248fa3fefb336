import type { Json, JsonObject } from '../../../../src/base/json.ts';
import { rule } from '../../../../src/rules/inventory/unique-cluster-id.ts';
import { inventory, profile, profileAlpha } from '../../../support/bases.ts';
import { finds, type RuleCase, testRule, tweaked } from '../../../support/rule-tester.ts';

const SET = 'clusterset.k8s.io';
const NEWER = 'cluster.clusterset.k8s.io';
const OLDER = 'id.k8s.io';
const MANAGER = '/spec/clusterManager/name';
const PROPERTIES = '/status/properties';

const listing = (...pairs: [name: string, value: Json | undefined][]): RuleCase['set'] => ({
  [PROPERTIES]: pairs.map(([name, value]) => (value === undefined ? { name } : { name, value })),
});
const blue = listing([SET, 'blue'], [OLDER, 'north']) ?? {};
const other = (base: JsonObject, tweak: RuleCase['set'] = {}): JsonObject =>
  tweaked(base, { '/metadata/name': 'harbour-zz9', ...blue, ...tweak });
/** A write of the status that lists these. */
const reports = (...pairs: [string, Json | undefined][]): Pick<RuleCase, 'subresource' | 'old' | 'set'> => ({
  subresource: 'status',
  old: {},
  set: listing(...pairs) ?? {},
});
/** … a ClusterSet and an id by its older name. */
const pair = (set: Json, id: Json) => reports([SET, set], [OLDER, id]);
const north = pair('blue', 'north');
const taken = (index = 1, value = 'north') =>
  finds(
    `status.properties[${index}].value`,
    `the id "${value}" is already listed in the same ClusterSet by "harbour-zz9"; correct the id, or delete the duplicate object`,
    'warn',
  );
const twin = [other(inventory)];
const twinListing = (...pairs: [string, Json | undefined][]): JsonObject[] => [other(inventory, listing(...pairs))];
const twinPair = (set: Json, id: Json) => twinListing([SET, set], [OLDER, id]);
const twinWith = (tweak: RuleCase['set'], base = inventory): JsonObject[] => [other(base, tweak)];

testRule(rule, inventory, {
  allow: [
    { name: 'no properties', state: twin, subresource: 'status', old: {}, set: { '/status': {} } },
    { name: 'itself', state: [tweaked(inventory, blue)], ...north },
    {
      name: 'itself, with a namespace that means nothing',
      state: [tweaked(inventory, { ...blue, '/metadata/namespace': 'x' })],
      ...north,
    },
    { name: 'an id alone', state: twin, ...reports([OLDER, 'north']) },
    { name: 'one that lists a ClusterSet alone', state: twinListing([SET, 'blue']), ...north },
    { name: 'two in a ClusterSet without a name', state: twinPair('', 'north'), ...pair('', 'north') },
    { name: 'ids of the wrong type', state: twinPair('blue', 7), ...pair('blue', 7) },
    {
      name: 'properties that are an object',
      state: twin,
      subresource: 'status',
      old: {},
      set: { [PROPERTIES]: { [SET]: 'blue', [OLDER]: 'north' } },
    },
    { name: 'another manager, which may list the same cluster', state: twinWith({ [MANAGER]: 'pier' }), ...north },
    { name: 'no manager where nothing is known', state: 'unknown', ...north, old: { '/spec': undefined } },
    { name: 'an object of another kind', state: [other(profile)], ...north },
    {
      name: 'another namespace, which may list the same cluster',
      base: profile,
      state: twinWith({ '/metadata/namespace': 'fleet-b' }, profile),
      ...north,
    },
  ],
  deny: [
    {
      name: 'one by both names, the other way round',
      state: twinListing([SET, 'blue'], [NEWER, 'north']),
      ...north,
      ...taken(),
    },
    { name: 'an empty id beside', state: twin, ...reports([SET, 'blue'], [NEWER, ''], [OLDER, 'north']), ...taken(2) },
    {
      name: 'after one that has not',
      state: [other(inventory, { '/metadata/name': 'a', [PROPERTIES]: [] }), ...twin],
      ...north,
      ...taken(),
    },
    {
      name: 'one that is not well formed',
      state: [{ ...inventory, metadata: null, status: other(inventory)['status'] ?? null }],
      ...north,
      findings: [
        [
          'warn',
          'status.properties[1].value',
          'the id "north" is already listed in the same ClusterSet by nothing; correct the id, or delete the duplicate object',
        ],
      ],
    },
    {
      name: 'a bad manager that is the same',
      state: twinWith({ [MANAGER]: 'no good' }),
      ...north,
      old: { [MANAGER]: 'no good' },
      ...taken(),
    },
    { name: 'versions of one kind', base: profileAlpha, state: [other(profile)], ...north, ...taken() },
    {
      name: 'a twin that becomes another twin',
      state: twinPair('blue', 'south'),
      ...pair('blue', 'south'),
      old: blue,
      ...taken(1, 'south'),
    },
    { name: 'nothing is known', state: 'unknown', ...north, unknown: 'silent' },
  ],
});
