/** Objects of every kind, sound, odd and hostile, and what a write might make of a stored one. */
import fc from 'fast-check';
import type { Json, JsonObject } from '../../../src/rules/rule.ts';

/** A stored object, and writes upon it. */
export interface Life {
  readonly old: JsonObject;
  readonly next: readonly JsonObject[];
}

/** What no schema would let in, and a loose CRD does. */
export const junk: fc.Arbitrary<Json> = fc.constantFrom<Json[]>(
  null,
  true,
  0,
  -1.5,
  '',
  'x',
  [],
  [null],
  [[]],
  ['x', 1],
  {},
  { a: null },
  { name: {} },
  { value: [] },
);

/** Mostly of the good ones; now and then something else, or nothing. */
function mostly(good: fc.Arbitrary<Json>): fc.Arbitrary<Json | undefined> {
  return fc.oneof(
    { weight: 12, arbitrary: good },
    { weight: 2, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: junk },
  );
}

const values = fc.constantFrom(
  ...[
    'north-1',
    'north-2',
    '',
    'A_b',
    'a.b',
    'a..b',
    '-a',
    'x'.repeat(63),
    'x'.repeat(64),
    `${'x'.repeat(60)}.y`.repeat(3),
    'blue',
    'red',
  ],
  ...[
    'é',
    '😀'.repeat(63),
    'x'.repeat(127),
    'x'.repeat(128),
    'x'.repeat(1024),
    '😀'.repeat(1025),
    'y'.repeat(128_000),
    'y'.repeat(128_001),
    'line\nbreak',
  ],
);

export const claimSpec: fc.Arbitrary<Json | undefined> = mostly(record({ value: mostly(values) }));

const times = fc.constantFrom(
  ...[
    '2026-05-30T08:15:00Z',
    '2026-05-31T08:15:00Z',
    '2026-07-01T00:00:00.5+02:00',
    '2026-07-01T00:00:00.5004Z',
    '2026-07-01T00:00:00.5Z',
  ],
  ...[
    '2026-02-29T00:00:00Z',
    '2024-02-29T00:00:00Z',
    '2026-05-30T08:15:00',
    'soon',
    '9999-12-31T23:59:59-24:00',
    '0000-01-01T00:00:00Z',
    '2026-05-30t08:15:00z',
  ],
);

const manager = fc.constantFrom('harbour', 'north', '', 'a b', 'A_1.b', 'x'.repeat(63), 'x'.repeat(64));
const property = mostly(
  record({
    name: mostly(fc.constantFrom('id.k8s.io', 'cluster.clusterset.k8s.io', 'clusterset.k8s.io', 'zone', 'size', '')),
    value: mostly(
      fc.oneof(
        values.filter((text) => text.length < 200),
        fc.constantFrom<Json[]>(7, true),
      ),
    ),
  }),
);
const condition = mostly(
  record({
    type: mostly(fc.constantFrom('Joined', 'ControlPlaneHealthy', 'a.example/Odd', 'not so', '', 'x'.repeat(317))),
    status: mostly(fc.constantFrom<Json[]>('True', 'False', 'Unknown', 'true', true)),
    observedGeneration: mostly(fc.constantFrom<Json[]>(1, 0, -1, 1.5, 2.0, 1e30)),
    lastTransitionTime: mostly(times),
    reason: mostly(fc.constantFrom('Moored', 'Ad rift', '', 'x'.repeat(1025))),
    message: mostly(fc.constantFrom('', 'fine', 'line\nbreak', 'm'.repeat(32_769))),
  }),
);

export const inventorySpec: fc.Arbitrary<Json | undefined> = mostly(
  record({
    displayName: mostly(fc.constant('North')),
    clusterManager: mostly(record({ name: mostly(manager), note: mostly(fc.constant('x')) })),
  }),
);

export const labels: fc.Arbitrary<Json | undefined> = record({
  'x-k8s.io/cluster-manager': fc.option(fc.constantFrom('harbour', 'north', ''), { nil: undefined }),
  'multicluster.x-k8s.io/inventory-member-id': fc.option(fc.constantFrom('m1', 'm2', ''), { nil: undefined }),
});

export const inventoryStatus: fc.Arbitrary<Json | undefined> = mostly(
  record({
    version: mostly(
      record({
        kubernetes: mostly(
          fc.constantFrom<Json[]>('1.31.2', 'v1.31.2-gke.100', '1.30+', '1.30-', '1', 'v1.2.3+k3s1', '1.2~', 7),
        ),
      }),
    ),
    properties: mostly(fc.array(property, { maxLength: 5 }).map(definite)),
    conditions: mostly(fc.array(condition, { maxLength: 4 }).map(definite)),
  }),
);

const enabled = fc.constantFrom('Enabled', 'Disabled');
const tasks = fc.constantFrom<Json[]>(
  ...[
    [],
    ['WaitForUses'],
    ['Migrate', 'WaitForUses'],
    ['Drain', 'Migrate', 'WaitForUses'],
    ['Migrate'],
    ['WaitForUses', 'Migrate'],
    ['WaitForUses', 'WaitForUses'],
    [1],
  ],
);
const use = mostly(
  record({ version: mostly(fc.constantFrom('1.35.0', '1.36.0')), enabled: mostly(enabled), reportTime: mostly(times) }),
);

export const featureSpec: fc.Arbitrary<Json | undefined> = mostly(record({ desired: mostly(enabled) }));
export const featureStatus: fc.Arbitrary<Json | undefined> = mostly(
  record({
    class: mostly(fc.constantFrom('kube-system', 'example.com', 'Example.COM', 'fleet-a', 'x'.repeat(300))),
    name: mostly(fc.constantFrom('FastLane', 'fastlane', 'other')),
    stability: mostly(fc.constantFrom('Beta', 'Unavailable', 'beta')),
    version: mostly(fc.constantFrom('1.40.0', '1.41.0')),
    default: mostly(enabled),
    source: mostly(fc.constantFrom('Default', 'CommandLine', 'Dynamic')),
    state: mostly(fc.constantFrom('Off', 'TurningOn', 'On', 'TurningOff')),
    transitionTasks: mostly(tasks),
    uses: mostly(fc.array(use, { maxLength: 3 }).map(definite)),
    useEvaluationTime: mostly(times),
  }),
);

/** What is there of it: members that are undefined are none. */
function record(members: Readonly<Record<string, fc.Arbitrary<Json | undefined>>>): fc.Arbitrary<Json> {
  return fc
    .record(members)
    .map((whole) => Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== undefined)) as JsonObject);
}

function definite(list: readonly (Json | undefined)[]): Json {
  return list.map((entry) => entry ?? null);
}
