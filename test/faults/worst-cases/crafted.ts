/** Reviews made to take long: the worst there is for each place that works through what was sent. None is larger than 8 MiB. */
import type { JsonObject } from '../../../src/rules/rule.ts';

export interface Crafted {
  readonly name: string;
  readonly review: JsonObject;
}

/** As much as the API server takes in a request; in a review an UPDATE has the stored object beside it, of up to 1.5 MiB. */
const LONG = 3_100_000;
const MANY = 100_000;
/** Entries of a list, or members of a map: as many as 8 MiB hold, at most so many. */
const list = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const map = <T>(count: number, make: (index: number) => [string, T]): Record<string, T> =>
  Object.fromEntries(list(count, make));

type Part = Record<string, unknown>;
interface Write {
  readonly kind: string;
  readonly operation?: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly subresource?: string;
  readonly object: Part;
  readonly old?: Part;
}

const GROUPS: Readonly<Record<string, [string, string]>> = {
  ClusterClaim: ['multicluster.x-k8s.io', 'v1alpha1'],
  ClusterProperty: ['about.k8s.io', 'v1beta1'],
  InventoryCluster: ['multicluster.x-k8s.io', 'v1alpha1'],
  ClusterProfile: ['multicluster.x-k8s.io', 'v1alpha2'],
  Feature: ['features.x-k8s.io', 'v1alpha1'],
};

function review({ kind, operation = 'CREATE', subresource = '', object, old }: Write): JsonObject {
  const [group = '', version = ''] = GROUPS[kind] ?? [];
  const whole = (part: Part) => {
    const { metadata, ...rest } = part;
    return { apiVersion: `${group}/${version}`, kind, metadata: { name: 'harbour-7', ...(metadata as Part) }, ...rest };
  };
  const request = {
    uid: '6d9f1c3e-1d7c-4c8e-9f57-1f3c2c1f0a11',
    kind: { group, version, kind },
    subResource: subresource,
    operation,
    userInfo: { username: 'jane', groups: ['a'] },
    object: operation === 'DELETE' ? null : whole(object),
    oldObject: old ? whole(old) : null,
  };
  return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request } as unknown as JsonObject;
}

/** The same twice: an update of a status in which the stored object is as bad. */
function status(kind: string, now: Part, before: Part = now): JsonObject {
  const rest =
    kind === 'Feature'
      ? {}
      : {
          metadata: { labels: { 'x-k8s.io/cluster-manager': 'harbour' } },
          spec: { clusterManager: { name: 'harbour' } },
        };
  return review({
    kind,
    operation: 'UPDATE',
    subresource: 'status',
    object: { ...rest, status: now },
    old: { ...rest, status: before },
  });
}

const claim = (name: string, value: unknown): JsonObject =>
  review({ kind: 'ClusterClaim', object: { metadata: { name }, spec: { value } } });
const property = (name: string, value: unknown): JsonObject =>
  review({ kind: 'ClusterProperty', object: { metadata: { name }, spec: { value } } });
const inventory = (spec: Part, labels: Part = {}): JsonObject =>
  review({ kind: 'InventoryCluster', object: { metadata: { labels }, spec } });
const condition = (index: number, over: Part = {}): Part => ({
  type: `T${index}`,
  status: 'True',
  reason: 'R',
  message: '',
  lastTransitionTime: '2026-01-01T00:00:00Z',
  ...over,
});
/** Five at a time, so that 8 MiB hold as many as can be. */
const conditions = (count: number, over: (index: number) => Part): Part => ({
  conditions: list(count, (index) => condition(index, over(index))),
});
const uses = (count: number, make: (index: number) => unknown): Part => ({ state: 'On', uses: list(count, make) });
const almost = (body: string, end: string, length = LONG) =>
  body.repeat(Math.ceil(length / body.length)).slice(0, length) + end;

/** For the regular expressions that a review reaches: long texts that almost match, and short ones in great number. */
export const forExpressions: readonly Crafted[] = [
  { name: 'a long id that is almost a label', review: claim('id.k8s.io', almost('a-', '-')) },
  { name: 'an id of 63 dashes', review: claim('id.k8s.io', `a${'-'.repeat(62)}`) },
  { name: 'an id of a million dots', review: property('cluster.clusterset.k8s.io', almost('a.', '-')) },
  { name: 'a class of a million dots', review: status('Feature', { class: almost('A.', '-') }) },
  {
    name: 'a long manager that is almost a label value',
    review: inventory({ clusterManager: { name: almost('a_.', '.') } }),
  },
  { name: 'a manager of 63 dots', review: inventory({ clusterManager: { name: `a${'.'.repeat(62)}` } }) },
  {
    name: 'a time with 3.1 MB of digits',
    review: status('Feature', { useEvaluationTime: `2026-01-01T00:00:00.${'1'.repeat(LONG)}` }),
  },
  {
    name: 'a time of 64 characters without its zone',
    review: status('Feature', { useEvaluationTime: `2026-01-01T00:00:00.${'1'.repeat(44)}` }),
  },
  { name: 'a version of 3.1 MB', review: status('InventoryCluster', { version: { kubernetes: almost('1.', '!') } }) },
  {
    name: 'a version of 256 digits and dots',
    review: status('InventoryCluster', { version: { kubernetes: almost('1.', '!', 255) } }),
  },
  {
    name: 'a version of 256 separators',
    review: status('InventoryCluster', { version: { kubernetes: `1.1${'-'.repeat(253)}` } }),
  },
  {
    name: 'a condition type of 3.1 MB',
    review: status('InventoryCluster', { conditions: [condition(0, { type: almost('a-', '/') })] }, {}),
  },
  {
    name: 'a condition type of 316 characters that could end anywhere',
    review: status('InventoryCluster', { conditions: [condition(0, { type: almost('a.', '!', 315) })] }, {}),
  },
  {
    name: '9,000 of 256 characters',
    review: status(
      'InventoryCluster',
      conditions(9000, (index) => ({ type: `${index}${almost('a-', '!', 250)}` })),
      {},
    ),
  },
  {
    name: 'a reason of 3.1 MB',
    review: status('InventoryCluster', { conditions: [condition(0, { reason: almost('a:', ':') })] }, {}),
  },
  {
    name: '2,500 reasons of 1,024 characters',
    review: status(
      'InventoryCluster',
      conditions(2500, () => ({ reason: almost('a:', '!', 1023) })),
      {},
    ),
  },
  { name: 'a field of 3.1 MB', review: status('InventoryCluster', { [almost('a-', ' ')]: 1, conditions: 7 }, {}) },
  {
    name: 'a member of a status of 3.1 MB, which strangers may not write',
    review: status('Feature', { [almost('a-', ' ')]: 1 }, {}),
  },
  { name: 'a name of 3.1 MB of control characters', review: claim(almost('\u0001', '', 1_000_000), 7) },
  { name: 'a name of 3.1 MB of lone surrogates', review: claim(`${almost('\ud800', '', 1_000_000)}.k8s.io`, 7) },
  { name: 'a value of 3.1 MB of format characters', review: claim('id.k8s.io', almost('\u202e', '', 1_000_000)) },
  { name: 'a value of placeholders', review: claim('id.k8s.io', almost('"{{value}}"', '')) },
  { name: 'a name of opened placeholders', review: claim(`${almost('{{', '')}.k8s.io`, 'x') },
  { name: 'a value of another type', review: claim('a.b', { a: almost('a', '') }) },
];

/** What sees each entry of a list, each member of a map, or compares two objects. */
export const forLists: readonly Crafted[] = [
  {
    name: '100,000 labels',
    review: inventory(
      { clusterManager: { name: 'harbour' } },
      map(MANY, (index) => [`l${index}`, 'v']),
    ),
  },
  {
    name: '100,000 unknown members of a spec',
    review: review({ kind: 'Feature', object: { spec: map(MANY, (index) => [`m${index}`, 1]) } }),
  },
  {
    name: '25,000 sound conditions',
    review: status(
      'InventoryCluster',
      conditions(25_000, () => ({})),
      {},
    ),
  },
  {
    name: '25,000 bad conditions, half of them stored so',
    review: status('InventoryCluster', bad(25_000), bad(12_000)),
  },
  {
    name: '12,000 bad conditions, stored so in another order',
    review: status('InventoryCluster', moved(12_000), bad(12_000)),
  },
  {
    name: '100,000 conditions that are no objects',
    review: status('InventoryCluster', { conditions: list(MANY, (index) => index) }, {}),
  },
  {
    name: '100,000 conditions that are no objects, stored otherwise',
    review: status(
      'InventoryCluster',
      { conditions: list(MANY, (index) => index) },
      { conditions: list(MANY, (index) => -index) },
    ),
  },
  {
    name: '50,000 properties without a name',
    review: status('InventoryCluster', { properties: list(50_000, () => ({ value: 'b' })) }),
  },
  {
    name: '30,000 properties that are bad ids, stored so',
    review: status('InventoryCluster', {
      properties: list(30_000, (index) => ({ name: 'id.k8s.io', value: `${index}-` })),
    }),
  },
  {
    name: '12 bad conditions of 120 kB each, stored so',
    review: status('InventoryCluster', {
      conditions: list(12, (index) => condition(index, { status: 'x', message: 'm'.repeat(120_000) })),
    }),
  },
  {
    name: 'one bad condition with 100,000 members, stored so',
    review: status('InventoryCluster', { conditions: [map(MANY, (index) => [`m${index}`, 1])] }),
  },
  {
    name: '100,000 uses that are null, stored so',
    review: status(
      'Feature',
      uses(MANY, () => null),
    ),
  },
  {
    name: '100,000 tasks in another order',
    review: status(
      'Feature',
      { state: 'TurningOn', transitionTasks: list(MANY, (index) => `t${index}`) },
      { state: 'TurningOn', transitionTasks: list(MANY, (index) => `t${index + 1}`) },
    ),
  },
  {
    name: '100,000 members of a status, each changed',
    review: status(
      'Feature',
      map(MANY, (index) => [`m${index}`, index]),
      map(MANY, (index) => [`m${index}`, -index]),
    ),
  },
  { name: 'a manager with 100,000 members, the same twice', review: managed() },
  // As many as a review may hold that is decoded at all: see src/server/weight.ts.
  {
    name: '370,000 empty lists',
    review: claim(
      'a.b',
      list(370_000, () => []),
    ),
  },
  {
    name: '700,000 numbers',
    review: claim(
      'a.b',
      list(700_000, () => 1),
    ),
  },
];

/** "uniqueItems": entries of which no two may share their keys. */
export const forUnique: readonly Crafted[] = [
  {
    name: '25,000 conditions of one type',
    review: status(
      'InventoryCluster',
      conditions(25_000, () => ({ type: 'Same' })),
      {},
    ),
  },
  {
    name: '12,000 conditions of one type, stored so',
    review: status(
      'InventoryCluster',
      conditions(12_000, () => ({ type: 'Same' })),
    ),
  },
  {
    name: '45,000 properties of one name, half of them stored so',
    review: status(
      'InventoryCluster',
      { properties: list(45_000, () => ({ name: 'a', value: 'b' })) },
      { properties: list(22_000, () => ({ name: 'a', value: 'b' })) },
    ),
  },
  {
    name: '30,000 uses of one key, half of them stored so',
    review: status('Feature', uses(30_000, use), uses(15_000, use)),
  },
  {
    name: '30,000 uses, each of its own key',
    review: status(
      'Feature',
      uses(30_000, (index) => ({ ...use(), version: `v${index}` })),
      {},
    ),
  },
];

function use(): Part {
  return { version: 'v', enabled: 'Enabled', reportTime: '2026-01-01T00:00:00Z' };
}

function bad(count: number): Part {
  return conditions(count, () => ({ status: true }));
}

function managed(): JsonObject {
  const object = { spec: { clusterManager: map(MANY, (index) => [`m${index}`, index]) } };
  return review({ kind: 'InventoryCluster', operation: 'UPDATE', object, old: object });
}

function moved(count: number): Part {
  const { conditions: all } = bad(count) as { conditions: Part[] };
  return { conditions: [...all.slice(-1), ...all.slice(0, -1)] };
}
