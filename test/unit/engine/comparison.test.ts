/** The comparison of many objects: what counts, and what the policy makes of it. */
import { describe, expect, test } from '@jest/globals';
import { inventoryCluster } from '../../../src/api/dialects.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import { createComparison, defaultPolicy, type Policy } from '../../../src/engine/index.ts';
import type { Action } from '../../../src/rules/rule.ts';
import { id, inventory, membership, profile } from '../../support/bases.ts';
import { type Clusters, conflictsIn } from '../../support/compared.ts';
import { tweaked } from '../../support/rule-tester.ts';

const RULE = 'claim/id-unique-in-clusterset';
const east = [id, membership];
const two: Clusters = { east, west: east };
const policyOf = (more: Partial<Policy>): Policy => ({ ...defaultPolicy, ...more });
const set = (action: Action, point: 'check' | 'scan' = 'scan') =>
  policyOf({ actions: new Map([[RULE, { [point]: action }]]) });
const heads = async (...input: Parameters<typeof conflictsIn>) =>
  (await conflictsIn(...input)).filter((line) => !line.startsWith(' '));
const finding = (cluster: string, action = 'deny') => `${cluster} ClusterClaim id.k8s.io: ${action} ${RULE} spec.value`;

describe('the policy', () => {
  const exception = {
    rules: new Set([RULE]),
    apiGroup: 'multicluster.x-k8s.io',
    kind: 'ClusterClaim',
    name: 'id.k8s.io',
  };
  test.each<[string, Parameters<typeof conflictsIn>[1], string[]]>([
    ['the default is to deny', {}, [finding('east'), finding('west')]],
    ['an action at the enforcement point', { policy: set('warn') }, [finding('east', 'warn'), finding('west', 'warn')]],
    ['an action at another one', { policy: set('warn', 'check') }, [finding('east'), finding('west')]],
    ['ignored', { policy: set('ignore') }, []],
    ['the mode caps', { policy: policyOf({ mode: 'warn' }) }, [finding('east', 'warn'), finding('west', 'warn')]],
    [
      'an exception',
      { policy: policyOf({ exceptions: [{ ...exception, expires: 5, reason: '' }] }), clock: () => 4 },
      [finding('east', 'audit'), finding('west', 'audit')],
    ],
    [
      'an exception that has expired',
      { policy: policyOf({ exceptions: [{ ...exception, expires: 5, reason: '' }] }), clock: () => 5 },
      [finding('east'), finding('west')],
    ],
    [
      'a user who is exempt',
      {
        policy: policyOf({ exemptions: { ...defaultPolicy.exemptions, users: new Set(['jane']) } }),
        identity: { username: 'jane', groups: [] },
      },
      [],
    ],
  ])('%s', async (_, options, expected) => expect(await heads(two, options)).toEqual(expected));
});

describe('what was there before is left out', () => {
  test.each<[string, Clusters, Clusters, string[]]>([
    ['the same conflict', two, two, []],
    ['of more clusters', { ...two, north: east }, two, [finding('east'), finding('north'), finding('west')]],
    ['of fewer', two, { ...two, north: east }, []],
    [
      'another value',
      two,
      { east: east.map((one) => tweaked(one, { '/spec/value': 'x' })), west: east },
      [finding('east'), finding('west')],
    ],
    ['a cluster that was no member', two, { east, west: [id] }, [finding('east'), finding('west')]],
    ['no cluster', two, {}, [finding('east'), finding('west')]],
  ])('%s', async (_, clusters, before, expected) => expect(await heads(clusters, { before })).toEqual(expected));

  test('an entry of a list is the same wherever it stands', async () => {
    const region = (...properties: JsonObject[]) => [
      tweaked(inventory, { '/metadata/name': 'east', '/status': { properties } }),
    ];
    const claim = tweaked(id, { '/metadata/name': 'a.example' });
    const [wrong, other] = [
      { name: 'a.example', value: 'x' },
      { name: 'b.example', value: 'y' },
    ];
    const before = { east: [claim], hub: region(wrong) };
    expect(await heads({ east: [claim], hub: region(other, wrong) }, { before })).toEqual([]);
    const changed = { ...wrong, value: 'z' };
    expect(await heads({ east: [claim], hub: region(changed) }, { before })).toHaveLength(1);
  });
});

test('a part that is not committed does not count', async () => {
  const comparison = createComparison<string>({ point: 'scan', isAcross: false });
  const [dropped, part] = [comparison.begin(''), comparison.begin('')];
  const object = tweaked(inventory, {
    '/status': {
      properties: [
        { name: 'clusterset.k8s.io', value: 'a' },
        { name: 'id.k8s.io', value: 'b' },
      ],
    },
  });
  dropped.add(inventoryCluster, object, 'dropped');
  part.add(inventoryCluster, tweaked(object, { '/metadata/name': 'other' }), 'kept');
  part.commit();
  expect(await comparison.finish()).toEqual([]);
  dropped.commit();
  expect((await comparison.finish()).map(({ handle }) => handle)).toEqual(['kept', 'dropped']);
});

test('in a run of one cluster, rules that compare clusters keep nothing', async () => {
  expect(await conflictsIn(two, { isAcross: false })).toEqual([]);
});

describe('inventories', () => {
  const named = (name: string, namespace = 'fleet-a', label?: string) =>
    tweaked(profile, {
      '/metadata/name': name,
      '/metadata/namespace': namespace,
      '/metadata/labels/multicluster.x-k8s.io~1inventory-member-id': label,
    });
  const MEMBER = 'inventory/member-id-unique metadata.labels[multicluster.x-k8s.io/inventory-member-id]';
  const LABEL = 'metadata.labels.multicluster.x-k8s.io/inventory-member-id';
  const [x, y, z] = [named('x', 'fleet-a', 'm'), named('y', 'fleet-a', 'm'), named('z', 'fleet-a', 'm')];

  test('each stands by itself', async () => {
    expect(await conflictsIn({ a: [x], b: [x] })).toEqual([]);
    expect(await conflictsIn({ a: [x], b: [y] })).toEqual([]);
  });

  test('an id of two names in one namespace is found, with the other', async () => {
    expect(await conflictsIn({ a: [x, y], b: [z] })).toEqual([
      `a ClusterProfile fleet-a/x: warn ${MEMBER}`,
      `  a ClusterProfile fleet-a/y ${LABEL}`,
      `a ClusterProfile fleet-a/y: warn ${MEMBER}`,
      `  a ClusterProfile fleet-a/x ${LABEL}`,
    ]);
  });

  test('at check, it is left to the evaluation of each write', async () => {
    expect(await conflictsIn({ a: [x, y] }, { point: 'check' })).toEqual([]);
  });
});
