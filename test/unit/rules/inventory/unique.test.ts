/** What objects share that none should share, among all that is stored: by the ids that they list, or by a label. */
import { describe, expect, test } from '@jest/globals';
import { clusterProfile } from '../../../../src/api/dialects.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import { createRunView } from '../../../../src/input/view.ts';
import { rule as memberIdUnique } from '../../../../src/rules/inventory/member-id-unique.ts';
import { checkUnique, type Uniqueness, uniqueBy } from '../../../../src/rules/inventory/unique.ts';
import { rule } from '../../../../src/rules/inventory/unique-cluster-id.ts';
import type { ClusterView, Context } from '../../../../src/rules/rule.ts';
import { inventory, profile } from '../../../support/bases.ts';
import { testComparison } from '../../../support/compared.ts';
import { randomOf } from '../../../support/random.ts';
import { tweaked } from '../../../support/rule-tester.ts';

const SET = 'clusterset.k8s.io';
const ID = 'cluster.clusterset.k8s.io';

const listing = (name: string, ids: readonly string[], more: Record<string, string> = {}, base = profile): JsonObject =>
  tweaked(base, {
    '/metadata/name': name,
    '/status/properties': [{ name: SET, value: 'blue' }, ...ids.map((value) => ({ name: ID, value }))],
    ...more,
  });
const elsewhere = { '/metadata/namespace': 'elsewhere' };
const two = { hub: [listing('a', ['x']), listing('b', ['x'])] };
const across = { isAcross: true };

testComparison(rule, {
  // At check each write was compared before.
  points: ['scan'],
  options: { isAcross: false },
  // `NAME INDEX` of the property with a finding, and `  NAME INDEX` of the one that it shares.
  line: (finding) => {
    const [, indent, name, index] = /^( *)(\w) (\d)$/.exec(finding) ?? [];
    return indent === ''
      ? `hub ClusterProfile fleet-a/${name}: warn ${rule.id} status.properties[${index}].value`
      : `  hub ClusterProfile fleet-a/${name} status.properties.${index}.value`;
  },
  findings: ['a 1', '  b 1', 'b 1', '  a 1'],
  reports: [
    ['each of two', two],
    [
      'each of three, with the first of the others',
      { hub: [listing('a', ['x']), listing('b', ['x']), listing('c', ['x'])] },
      ['a 1', '  b 1', 'b 1', '  a 1', 'c 1', '  a 1'],
    ],
    [
      'each once, with the object that came first',
      { hub: [listing('a', ['x']), listing('b', ['y']), listing('c', ['y', 'x'])] },
      ['b 1', '  c 1', 'c 2', '  a 1', 'a 1', '  c 2'],
    ],
    [
      'at the first of the ids that two share',
      { hub: [listing('a', ['x', 'y']), listing('b', ['y', 'x'])] },
      ['a 1', '  b 2', 'b 1', '  a 2'],
    ],
    [
      'beside one in two files',
      { hub: [listing('a', ['x']), listing('a', ['x']), listing('b', ['x'])] },
      ['a 1', '  b 1', 'a 1', '  b 1', 'b 1', '  a 1'],
    ],
  ],
  silent: [
    ['two ids', { hub: [listing('a', ['x']), listing('b', ['y'])] }],
    ['objects without ids', { hub: [listing('a', []), listing('b', [])] }],
    ['one id in two namespaces', { hub: [listing('a', ['x']), listing('b', ['x'], elsewhere)] }],
    [
      'one id with two managers',
      { hub: [listing('a', ['x']), listing('b', ['x'], { '/spec/clusterManager/name': 'm' })] },
    ],
    ['one id in two clusters', { hub: [listing('a', ['x'])], west: [listing('b', ['x'])] }, across],
    ['one id in two kinds', { hub: [listing('a', ['x']), listing('b', ['x'], {}, inventory)] }],
    ['one object in two files', { hub: [listing('a', ['x']), listing('a', ['x'])] }],
    ['one id twice in one object', { hub: [listing('a', ['x', 'x'])] }],
  ],
  messages: [
    [
      'has the value and the other',
      two,
      ['b', 'a'].flatMap((other) => [
        expect.stringMatching(`^the id "x" is already listed in the same ClusterSet by "${other}"`),
        '  the other object with the same value',
      ]),
    ],
  ],
});

const labelled = (name: string, value: string) =>
  listing(name, [], { '/metadata/labels/multicluster.x-k8s.io~1inventory-member-id': value });
const sharing = { hub: [labelled('a', 'm'), labelled('b', 'm')] };

testComparison(memberIdUnique, {
  points: ['scan'],
  options: { isAcross: false },
  findings: [
    'hub ClusterProfile fleet-a/a: warn inventory/member-id-unique metadata.labels[multicluster.x-k8s.io/inventory-member-id]',
    '  hub ClusterProfile fleet-a/b metadata.labels.multicluster.x-k8s.io/inventory-member-id',
    'hub ClusterProfile fleet-a/b: warn inventory/member-id-unique metadata.labels[multicluster.x-k8s.io/inventory-member-id]',
    '  hub ClusterProfile fleet-a/a metadata.labels.multicluster.x-k8s.io/inventory-member-id',
  ],
  reports: [['one label of two profiles, each at its own', sharing]],
  silent: [
    ['an empty label', { hub: [labelled('a', ''), labelled('b', '')] }],
    ['one label in two clusters', { hub: [labelled('a', 'm')], west: [labelled('b', 'm')] }, across],
  ],
  messages: [
    [
      'has the value and the other',
      sharing,
      ['b', 'a'].flatMap((other) => [
        expect.stringMatching(`^the id "m" is already that of "${other}" in the same namespace`),
        '  the other object with the same value',
      ]),
    ],
  ],
});

describe('in a run of many objects', () => {
  const dialect = clusterProfile;
  const namespace = 'fleet-a';
  const checked = (unique: Uniqueness, view: Partial<ClusterView>, object: JsonObject, name: string) =>
    checkUnique(unique, { view, object, name, namespace, dialect } as unknown as Context);

  test('the keys of an object are read a few times, and not for each of the others', () => {
    const view = createRunView({ known: [dialect] });
    let reads = 0;
    const unique = uniqueBy(({ metadata }) => {
      reads += 1;
      return [{ parts: [JSON.stringify(metadata)], path: [] }];
    });
    for (let index = 0; index < 100; index += 1) {
      const object = listing(`c${index}`, [`c${index}`]);
      expect(checked(unique, view, object, `c${index}`)).toEqual([]);
      view.store({ dialect, namespace, name: `c${index}` }, object);
    }
    expect(reads).toBeLessThan(400);
  });

  test('the same other object is found as in a list of all', () => {
    const view = createRunView({ known: [dialect] });
    const unique = uniqueBy((object) => {
      const { properties = [] } = (object['status'] ?? {}) as { properties?: readonly { value: string }[] };
      return properties.map(({ value }, index) => ({ parts: [value], path: ['status', index] }));
    });
    const random = randomOf(7);
    const some = () => Array.from({ length: random.below(4) }, () => `k${random.below(12)}`);
    let taken = 0;
    for (let step = 0; step < 2000; step += 1) {
      const name = `c${random.below(40)}`;
      const object = listing(name, some());
      const found = checked(unique, view, object, name);
      expect(found).toEqual(checked(unique, { list: view.list }, object, name));
      taken += (found as readonly unknown[]).length;
      const elsewhere = random.oneIn(8);
      const reference = { dialect, namespace: elsewhere ? 'fleet-b' : namespace, name };
      view.store(reference, random.oneIn(5) ? undefined : object);
    }
    expect(taken).toBeGreaterThan(500);
  });
});
