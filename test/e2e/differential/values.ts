/** Values worth a try, by the name of the member that holds them: sound ones first, then what real objects get wrong. */
import type { Json } from '../../../src/rules/rule.ts';
import type { Random } from '../../fuzz/random.ts';

/** What no published schema lets in, and a loose CRD does. */
const JUNK: readonly Json[] = [true, 0, 7, -1.5, 'x', [], [null], {}, { a: null }, { name: {} }];

const ENABLED = ['Enabled', 'Disabled'];
const STATES = ['Off', 'TurningOn', 'On', 'TurningOff'];
const NAMES = ['id.k8s.io', 'cluster.clusterset.k8s.io', 'clusterset.k8s.io', 'zone.example.org', 'size', ''];
const TEXTS = ['north-1', 'north-2', 'a.b', 'A_b', '-a', ' ', 'x'.repeat(64), `${'x'.repeat(60)}.y`.repeat(3)];

/** Minutes from the start of the run; nothing is so near that the run itself could reach it. */
const MINUTES = [-100_000, -1440, -60, -2, 20, 60, 1440];
const ODD_TIMES = ['soon', '2026-02-29T00:00:00Z', '2026-07-01T00:00:00.5+02:00', '2026-05-30T08:15:00', ''];

const BY_MEMBER: Readonly<Record<string, readonly Json[]>> = {
  value: [...TEXTS, '', 'blue', 'x'.repeat(127), 'x'.repeat(128), 'x'.repeat(1025), 'é', 'a\nb'],
  displayName: ['North', ''],
  desired: [...ENABLED, 'On', ''],
  default: [...ENABLED, 'on'],
  enabled: [...ENABLED, ''],
  state: [...STATES, ...STATES, 'on', ''],
  source: ['Default', 'Dynamic', 'CommandLine', 'Default', 'Dynamic', ''],
  stability: ['Alpha', 'Beta', 'GA', 'Unavailable', 'Deprecated', 'beta'],
  version: ['1.40.0', '1.41.0', ''],
  kubernetes: ['1.31.2', 'v1.31.2-gke.100', 'v1.30+', '1', 'new', ''],
  class: ['kube-system', 'fleet-a', 'example.com', 'Example.COM', ''],
  type: ['Joined', 'ControlPlaneHealthy', 'AllNodesHealthy', 'a.example/Odd', 'not so', ''],
  status: ['True', 'False', 'Unknown', 'true', true],
  reason: ['Moored', 'Adrift', 'Ad rift', ''],
  message: ['fine', 'less fine', ''],
  observedGeneration: [1, 2, 0, -1, 1.5],
  server: ['https://10.0.0.1:6443', 'http://10.0.0.1', 'ftp://10.0.0.1', ''],
  'x-k8s.io/cluster-manager': ['harbour', 'north', ''],
  'multicluster.x-k8s.io/inventory-member-id': ['m1', 'm2', ''],
  transitionTasks: [
    [],
    ['WaitForUses'],
    ['Migrate', 'WaitForUses'],
    ['Drain', 'Migrate', 'WaitForUses'],
    ['Migrate'],
    ['WaitForUses', 'Migrate'],
    ['WaitForUses', 'WaitForUses'],
  ],
};

/** A name of a property, a provider or a cluster manager. */
export const PROPERTY_NAMES: readonly string[] = NAMES;
export const MANAGERS: readonly string[] = ['harbour', 'north', 'A_1.b', '', 'a b', 'x'.repeat(64)];

/** An RFC 3339 time some way from `now`, or no time at all. */
export function timeFor(random: Random, now: number, odd = 12): string {
  if (random.oneIn(odd)) return random.of(ODD_TIMES);
  return new Date(now + random.of(MINUTES) * 60_000).toISOString().replace(random.oneIn(8) ? '' : /\.\d+/, '');
}

/** Another value for the member of that name: mostly one that belongs there. `parent` is the member around it. */
export function valueFor(random: Random, now: number, key: string, parent: string): Json {
  if (random.oneIn(12)) return random.oneIn(3) ? null : random.of(JUNK);
  if (key.endsWith('Time')) return timeFor(random, now);
  if (key === 'name') return random.of(parent === 'clusterManager' ? MANAGERS : NAMES);
  const known = BY_MEMBER[key];
  return known === undefined ? random.of(TEXTS) : random.of(known);
}
