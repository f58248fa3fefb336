/** Objects as large as the API server stores, in the shapes that cost a CEL expression most. */
import type { Json, JsonObject } from '../../../../src/base/json.ts';
import * as bases from '../../../support/bases.ts';
import type { Parts } from './write.ts';

interface Hostile {
  readonly name: string;
  readonly base: JsonObject;
  readonly stored: Parts;
  readonly next: readonly Parts[];
}

const many = (count: number, entry: (index: number) => Json): Json =>
  Array.from({ length: count }, (_, index) => entry(index));
const spec = { clusterManager: { name: 'harbour' } };
const labels = { 'x-k8s.io/cluster-manager': 'harbour' };
const bad = { type: 'x'.repeat(316), status: 'True', reason: `${'r'.repeat(1000)} r`, message: 'm'.repeat(2000) };

const inventory = (name: string, ...statuses: readonly Json[]): Hostile => ({
  name,
  base: bases.inventory,
  stored: { spec, labels, status: statuses[0] },
  next: statuses.slice(1).map((status) => ({ spec, labels, status })),
});

const feature = (name: string, ...statuses: readonly Json[]): Hostile => ({
  name,
  base: bases.feature,
  stored: { spec: {}, status: statuses[0] },
  next: statuses.slice(1).map((status) => ({ spec: {}, status })),
});

const serviceImport = (name: string, ...specs: readonly Json[]): Hostile => ({
  name,
  base: bases.serviceImport,
  stored: { spec: specs[0] },
  next: specs.slice(1).map((one) => ({ spec: one })),
});
const ports = (letter: string) =>
  many(64, (index) => ({
    name: `${letter.repeat(4000)}${index}`,
    protocol: letter.repeat(4000),
    port: 80.5,
    ...wide(8),
  }));
const addresses = (letter: string, count: number) => many(count, (index) => `${letter.repeat(4000)}${index}`);

const use = (enabled: string) => (index: number) => ({
  version: `1.${index}`,
  enabled,
  reportTime: '2026-05-30T08:15:00Z',
});
const tasks = (count: number) => [...(many(count, (index) => `Step${index}`) as string[]), 'WaitForUses'];
const moving = (uses: number, left: number): Json => ({
  state: 'TurningOn',
  transitionTasks: tasks(left),
  uses: many(uses, use('Enabled')),
});

export const hostile: readonly Hostile[] = [
  inventory(
    '64 conditions, all wrong',
    { conditions: many(64, (index) => ({ ...bad, message: `a${index}` })) },
    { conditions: many(64, (index) => ({ ...bad, message: `b${index}` })) },
  ),
  inventory(
    '64 conditions, all wrong, the other way round, and edited',
    { conditions: many(64, (index) => ({ ...bad, type: `${'x'.repeat(314)} ${index}` })) },
    { conditions: many(64, (index) => ({ ...bad, type: `${'x'.repeat(314)} ${63 - index}`, message: `b${index}` })) },
    { conditions: many(64, (index) => ({ ...bad, type: `${'x'.repeat(314)} ${63 - index}`, status: index })) },
  ),
  inventory('100,000 conditions', { conditions: many(100_000, () => 1) }, { conditions: many(100_001, () => 2) }),
  inventory(
    '64 entries of many members',
    { properties: many(64, () => wide(8)) },
    { properties: many(64, (index) => ({ ...wide(8), k0: index })) },
    { properties: many(64, () => wide(500)) },
  ),
  inventory(
    '64 properties with wrong values, the other way round',
    { properties: many(64, (index) => ({ name: 'id.k8s.io', value: `${'x'.repeat(4000)}${index}` })) },
    { properties: many(64, (index) => ({ name: 'id.k8s.io', value: `${'x'.repeat(4000)}${63 - index}` })) },
    { properties: many(64, (index) => ({ name: 'clusterset.k8s.io', value: [[index]] })) },
  ),
  {
    name: 'a manager of many members',
    base: bases.profile,
    stored: { spec: { clusterManager: wide(20_000) }, labels },
    next: [
      { spec: { clusterManager: { ...wide(20_000), name: 'harbour' } }, labels },
      { spec: { clusterManager: { ...wide(256), k1: 5 } } },
    ],
  },
  feature('as many uses and tasks as the CRD lets in', moving(4096, 1023), moving(4096, 1022), moving(4096, 1023), {
    state: 'On',
    transitionTasks: [],
    uses: many(4096, use('Disabled')),
  }),
  ...[64, 256, 4096].map((length) =>
    feature(`64 uses of versions of ${length} characters`, longVersions(length, 'a'), longVersions(length, 'b')),
  ),
  feature(
    '64 uses without a time, the other way round, in a transition',
    {
      state: 'TurningOn',
      transitionTasks: tasks(2),
      uses: many(64, (index) => ({ version: `${'1'.repeat(4000)}${index}` })),
    },
    {
      state: 'TurningOn',
      transitionTasks: tasks(2),
      uses: many(64, (index) => ({ version: `${'1'.repeat(4000)}${63 - index}` })),
    },
    { state: 'TurningOn', transitionTasks: tasks(2), uses: many(64, (index) => use('Enabled')(index)) },
  ),
  feature('the last task, and many uses', moving(4096, 0), {
    state: 'On',
    transitionTasks: [],
    uses: many(4096, use('Enabled')),
  }),
  feature(
    '100,000 tasks',
    { state: 'TurningOn', transitionTasks: many(100_000, () => 'a') },
    { state: 'TurningOn', transitionTasks: many(100_000, () => 'b') },
  ),
  feature(
    '100,000 uses',
    { state: 'TurningOn', transitionTasks: [], uses: many(100_000, () => 1) },
    { state: 'On', transitionTasks: [], uses: many(100_000, () => 2) },
  ),
  feature('a status that is no map', 'Off', ['On'], 7),
  serviceImport(
    '64 ports, all wrong, and edited',
    { ports: ports('A') },
    { ports: ports('B') },
    { ports: many(64, () => 7) },
  ),
  serviceImport(
    '64 ports of one name, the other way round',
    { ports: many(64, (index) => ({ name: 'http', port: index + 1 })) },
    { ports: many(64, (index) => ({ name: 'http', port: 64 - index })) },
    { ports: many(64, () => ({ name: 'http', port: 1 })) },
  ),
  serviceImport(
    'addresses that are none, and families',
    { ips: addresses('a', 8), ipFamilies: addresses('f', 8) },
    { ips: addresses('b', 8), ipFamilies: addresses('g', 8) },
    { ips: addresses('b', 64), ipFamilies: addresses('g', 64) },
    { type: 'Headless', ips: addresses('b', 8), sessionAffinity: ['x'] },
    { ips: many(64, (index) => `10.0.0.${index}`), ipFamilies: many(64, () => 'IPv6') },
  ),
  serviceImport('ports of another kind', { ports: 'http', ips: 7 }, { ports: { a: 1 }, ips: [[]], ipFamilies: 'IPv4' }),
];

function longVersions(length: number, letter: string): Json {
  const uses = many(64, (index) => ({
    ...use('Enabled')(index),
    version: `${letter}${index}`.padStart(length, 'x'),
  }));
  return { state: 'TurningOn', transitionTasks: ['WaitForUses'], uses };
}

function wide(count: number): JsonObject {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]));
}
