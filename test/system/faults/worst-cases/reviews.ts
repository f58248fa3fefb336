/** Reviews that are made to take long, each as large as it can be. None is larger than 8 MiB. */
import type { JsonObject } from '../../../../src/base/json.ts';
import type { Subresource } from '../../../../src/rules/rule.ts';
import { reviewOf } from '../../../support/writes.ts';

type Part = Record<string, unknown>;
/** Name and review. */
type Crafted = readonly [name: string, review: JsonObject];

/**
 * As much as the API server takes in a request; in a review an UPDATE has the stored object beside it, of up to 1.5
 * MiB.
 */
const LONG = 3_100_000;
/**
 * Members of one map, or entries of `[],`, that a review may have: two marks each (`MARKS_LIMIT`). `BOTH`: where the
 * stored object has as many.
 */
const MANY = 79_000;
const BOTH = 39_500;

const GROUPS: Readonly<Record<string, [string, string]>> = {
  ClusterClaim: ['multicluster.x-k8s.io', 'v1alpha1'],
  ClusterProperty: ['about.k8s.io', 'v1beta1'],
  InventoryCluster: ['multicluster.x-k8s.io', 'v1alpha1'],
  ClusterProfile: ['multicluster.x-k8s.io', 'v1alpha1'],
  Feature: ['features.x-k8s.io', 'v1alpha1'],
};

const JANE = { username: 'jane', groups: ['a'] };

/** A create, or with `old` an update. */
function review(kind: string, object: Part, old?: Part, subresource: Subresource = ''): JsonObject {
  const [group = '', version = ''] = GROUPS[kind] ?? [];
  const whole = ({ metadata, ...rest }: Part) => {
    return { apiVersion: `${group}/${version}`, kind, metadata: { name: 'harbour-7', ...(metadata as Part) }, ...rest };
  };
  const write = {
    operation: old ? 'UPDATE' : 'CREATE',
    subresource,
    name: '',
    user: JANE,
    object: whole(object),
  } as const;
  return reviewOf({ ...write, ...(old && { old: whole(old) }) });
}

const MANAGER = { name: 'harbour' };
const OF_A_CLUSTER = {
  metadata: { labels: { 'x-k8s.io/cluster-manager': 'harbour' } },
  spec: { clusterManager: MANAGER },
};

const claim = (name: string, value: unknown) => review('ClusterClaim', { metadata: { name }, spec: { value } });
const property = (name: string, value: unknown) => review('ClusterProperty', { metadata: { name }, spec: { value } });
const inventory = (spec: Part, labels: Part = {}) => review('InventoryCluster', { metadata: { labels }, spec });
/** Updates of a status; unless another is given, the stored one is the same. */
const cluster = (now: Part, old: Part = now) =>
  review('InventoryCluster', { ...OF_A_CLUSTER, status: now }, { ...OF_A_CLUSTER, status: old }, 'status');
/** Updates of a profile whose access providers, the same so many times, have the data far below the surface. */
const providers = (count: number, data: unknown, old: unknown = data) => {
  const one = (value: unknown) => ({ name: 'a', cluster: { extensions: buried(value) } });
  const status = (value: unknown) => ({ accessProviders: list(count, () => one(value)) });
  return review('ClusterProfile', { status: status(data) }, { status: status(old) }, 'status');
};
const buried = (value: unknown) => list(185, () => 0).reduce<unknown>((inner) => [inner], value);
const feature = (now: Part, old: Part = now) => review('Feature', { status: now }, { status: old }, 'status');

const list = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, index) => make(index));
const map = <T>(count: number, make: (index: number) => [string, T]) => Object.fromEntries(list(count, make));
const members = (value: (index: number) => unknown = (index) => index) =>
  map(BOTH, (index) => [`m${index}`, value(index)]);
const condition = (index: number, over: Part = {}) => {
  const time = { lastTransitionTime: '2026-01-01T00:00:00Z' };
  return { type: `T${index}`, status: 'True', reason: 'R', message: '', ...time, ...over };
};
const conditions = (count: number, over: (index: number) => Part = () => ({})) => ({
  conditions: list(count, (index) => condition(index, over(index))),
});
const badConditions = (count: number) => conditions(count, () => ({ status: true }));
const sameType = (count: number) => conditions(count, () => ({ type: 'Same' }));
const sameName = (count: number) => ({ properties: list(count, () => ({ name: 'a', value: 'b' })) });
const use = () => ({ version: 'v', enabled: 'Enabled', reportTime: '2026-01-01T00:00:00Z' });
const uses = (count: number, make: (index: number) => unknown = use) => ({ state: 'On', uses: list(count, make) });
const tasks = (from: number) => ({ state: 'TurningOn', transitionTasks: list(MANY, (index) => `t${index + from}`) });
const version = (kubernetes: string) => cluster({ version: { kubernetes } });
/** A text that almost matches: the body again and again, and then an end that does not belong there. */
const almost = (body: string, end: string, length = LONG) =>
  body.repeat(Math.ceil(length / body.length)).slice(0, length) + end;

/** The same review, whose caller is in as many groups as a review can name. */
function byGroups(whole: JsonObject): JsonObject {
  const groups = list(150_000, (index) => `team-${index}`);
  return { ...whole, request: { ...(whole['request'] as JsonObject), userInfo: { username: 'jane', groups } } };
}

/** For the regular expressions that a review reaches: long texts that almost match, and short ones in great number. */
export const expressions = (): Crafted[] => [
  ['a long id that is almost a label', claim('id.k8s.io', almost('a-', '-'))],
  ['an id of a million dots', property('cluster.clusterset.k8s.io', almost('a.', '-'))],
  ['a class of a million dots', feature({ class: almost('A.', '-') })],
  ['a long manager that is almost a label value', inventory({ clusterManager: { name: almost('a_.', '.') } })],
  ['a time with 3.1 MB of digits', feature({ useEvaluationTime: `2026-01-01T00:00:00.${'1'.repeat(LONG)}` })],
  ['a version of 3.1 MB', version(almost('1.', '!'))],
  ['a version of 256 digits and dots', version(almost('1.', '!', 255))],
  ['a version of 256 separators', version(`1.1${'-'.repeat(253)}`)],
  ['a condition type of 3.1 MB', cluster({ conditions: [condition(0, { type: almost('a-', '/') })] }, {})],
  [
    '9,000 of 256 characters',
    cluster(
      conditions(9000, (index) => ({ type: `${index}${almost('a-', '!', 250)}` })),
      {},
    ),
  ],
  ['a reason of 3.1 MB', cluster({ conditions: [condition(0, { reason: almost('a:', ':') })] }, {})],
  [
    '2,500 reasons of 1,024 characters',
    cluster(
      conditions(2500, () => ({ reason: almost('a:', '!', 1023) })),
      {},
    ),
  ],
  ['a field of 3.1 MB', cluster({ [almost('a-', ' ')]: 1, conditions: 7 }, {})],
  ['a member of a status of 3.1 MB, which strangers may not write', feature({ [almost('a-', ' ')]: 1 }, {})],
  ['a name of 3.1 MB of control characters', claim(almost('\u0001', '', 1_000_000), 7)],
  ['a name of 3.1 MB of lone surrogates', claim(`${almost('\ud800', '', 1_000_000)}.k8s.io`, 7)],
  ['a value of 3.1 MB of format characters', claim('id.k8s.io', almost('\u202e', '', 1_000_000))],
  ['a value of placeholders', claim('id.k8s.io', almost('"{{value}}"', ''))],
  ['a name of opened placeholders', claim(`${almost('{{', '')}.k8s.io`, 'x')],
  ['a value of another type', claim('a.b', { a: almost('a', '') })],
];

/** "uniqueItems": entries of which no two may share their keys. */
export const unique = (): Crafted[] => [
  ['14,000 conditions of one type', cluster(sameType(14_000), {})],
  ['21,000 properties of one name, half of them stored so', cluster(sameName(21_000), sameName(10_500))],
  ['15,000 uses of one key, half of them stored so', feature(uses(15_000), uses(7500))],
  [
    '22,000 uses, each of its own key',
    feature(
      uses(22_000, (index) => ({ ...use(), version: `v${index}` })),
      {},
    ),
  ],
];

/** What sees each entry of a list, each member of a map, or compares two objects. */
export const lists = (): Crafted[] => {
  const bad = badConditions(7000);
  const moved = { conditions: [...bad.conditions.slice(-1), ...bad.conditions.slice(0, -1)] };
  const numbers = (sign: number) => ({ conditions: list(MANY, (index) => sign * index) });
  const manager = { spec: { clusterManager: members() } };
  const large = (index: number) => condition(index, { status: 'x', message: 'm'.repeat(120_000) });
  const badIds = list(15_500, (index) => ({ name: 'id.k8s.io', value: `${index}-` }));
  return [
    [
      '79,000 labels',
      inventory(
        { clusterManager: MANAGER },
        map(MANY, (index) => [`l${index}`, 'v']),
      ),
    ],
    ['79,000 unknown members of a spec', review('Feature', { spec: map(MANY, (index) => [`m${index}`, 1]) })],
    ['14,000 sound conditions', cluster(conditions(14_000), {})],
    ['9,500 bad conditions, half of them stored so', cluster(badConditions(9500), badConditions(4700))],
    ['7,000 bad conditions, stored so in another order', cluster(moved, bad)],
    ['79,000 conditions that are no objects, stored otherwise', cluster(numbers(1), numbers(-1))],
    ['26,000 properties without a name', cluster({ properties: list(26_000, () => ({ value: 'b' })) })],
    ['15,500 properties that are bad ids, stored so', cluster({ properties: badIds })],
    ['39,500 empty conditions, stored so', cluster({ conditions: list(BOTH, () => ({})) })],
    ['a claim by a caller of 150,000 groups', byGroups(claim('clusterset.k8s.io', 'fleet'))],
    ['a status by a caller of 150,000 groups', byGroups(cluster({}))],
    ['a feature by a caller of 150,000 groups', byGroups(feature({ state: 'On' }, { state: 'Off' }))],
    ['12 bad conditions of 120 kB each, stored so', cluster({ conditions: list(12, large) })],
    ['one bad condition with 39,500 members, stored so', cluster({ conditions: [members(() => 1)] })],
    [
      '150,000 numbers in a provider, 185 levels deep',
      providers(
        1,
        list(150_000, () => 1),
        [],
      ),
    ],
    [
      '25,000 secrets in a provider, 185 levels deep, stored so',
      providers(
        1,
        list(25_000, () => ({ a: '--token=b' })),
      ),
    ],
    [
      '80 providers with 256 secrets each, 185 levels deep, stored so',
      providers(
        80,
        list(256, () => ({ a: '--token=b' })),
      ),
    ],
    ['79,000 uses that are null, stored so', feature(uses(MANY, () => null))],
    ['79,000 tasks in another order', feature(tasks(0), tasks(1))],
    [
      '39,500 members of a status, each changed',
      feature(
        members(),
        members((index) => -index),
      ),
    ],
    ['a manager with 39,500 members, the same twice', review('InventoryCluster', manager, manager)],
    [
      '79,000 empty lists',
      claim(
        'a.b',
        list(MANY, () => []),
      ),
    ],
  ];
};
