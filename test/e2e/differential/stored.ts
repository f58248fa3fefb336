/** Stored objects to update: mostly sound, now and then with faults older than the webhook. */

import type { Dialect } from '../../../src/api/dialects.ts';
import type { Json, JsonObject } from '../../../src/rules/rule.ts';
import type { Random } from '../../fuzz/random.ts';
import { edited } from './edits.ts';
import { condition, entryFor, property, use } from './entries.ts';
import { MANAGERS, timeFor, valueFor } from './values.ts';

const NAMESPACES: readonly string[] = ['kube-system', 'fleet-a', 'fleet-a', 'estuary'];
const OTHER_CLAIMS = ['region.example.org', 'mine.k8s.io', 'bare'];

/** A stored object of the dialect; `index` keeps its name apart, but for the claims that have one name in every cluster. */
export function stored(dialect: Dialect, random: Random, now: number, index: number): JsonObject {
  const version = random.of(dialect.versions);
  const name = nameFor(dialect, random, index);
  const sound: JsonObject = {
    apiVersion: `${dialect.group}/${version}`,
    kind: dialect.kind,
    metadata: metadata(dialect, random, name),
    ...partsOf(dialect, random, now, name),
  };
  const chance = { random, now };
  const isFree = (path: readonly (string | number)[]) => path[0] === 'spec' || path[0] === 'status';
  let object = sound;
  for (let faults = random.of([0, 0, 1, 2, 3]); faults > 0; faults--)
    object = edited(object, chance, [], isFree) as JsonObject;
  return object;
}

function nameFor({ claim }: Dialect, random: Random, index: number): string {
  if (claim === undefined) return `u-${index}`;
  if (random.oneIn(3)) return `u-${index}.${random.of(OTHER_CLAIMS)}`;
  return random.of([...claim.idNames, ...claim.idNames, claim.membershipName]);
}

function metadata({ concept, scope }: Dialect, random: Random, name: string): JsonObject {
  const isGoing = random.oneIn(12);
  const labels = concept === 'inventory' ? inventoryLabels(random) : random.oneIn(6) ? { team: 'a' } : undefined;
  return {
    name,
    ...(scope === 'Namespaced' ? { namespace: random.of(NAMESPACES) } : {}),
    ...(labels === undefined ? {} : { labels }),
    ...(random.oneIn(4) ? { annotations: { 'example.org/note': 'a' } } : {}),
    ...(random.oneIn(8) ? { ownerReferences: [entryFor('ownerReferences', random, 0)] } : {}),
    ...(isGoing || random.oneIn(8) ? { finalizers: ['example.org/hold', 'example.org/keep'] } : {}),
    ...(isGoing ? { deletionTimestamp: '2026-05-31T23:59:00Z', deletionGracePeriodSeconds: 0 } : {}),
  };
}

function inventoryLabels(random: Random): JsonObject {
  return {
    ...(random.oneIn(10) ? {} : { 'x-k8s.io/cluster-manager': random.oneIn(10) ? 'north' : 'harbour' }),
    ...(random.oneIn(3) ? { 'multicluster.x-k8s.io/inventory-member-id': random.of(['m1', 'm2', '']) } : {}),
    ...(random.oneIn(6) ? { team: 'a' } : {}),
  };
}

function partsOf({ concept, name, claim }: Dialect, random: Random, now: number, called: string): JsonObject {
  if (claim !== undefined) {
    const value = random.oneIn(3) ? valueFor(random, now, 'value', 'spec') : random.of(['north-1', 'blue']);
    return { spec: { value } };
  }
  if (concept === 'feature') return { spec: desired(random), status: featureStatus(random, now, called) };
  const manager = random.oneIn(8) ? random.of(MANAGERS) : 'harbour';
  const spec = { displayName: 'North', clusterManager: { name: manager } };
  return { spec, ...(random.oneIn(8) ? {} : { status: inventoryStatus(name, random, now) }) };
}

function inventoryStatus(dialect: Dialect['name'], random: Random, now: number): JsonObject {
  const providers = random.oneIn(2) ? 'accessProviders' : 'credentialProviders';
  return {
    ...(random.oneIn(3) ? { version: { kubernetes: valueFor(random, now, 'kubernetes', 'version') } } : {}),
    conditions: listOf(random, () => condition(random, now)),
    properties: listOf(random, () => property(random, now)),
    ...(dialect === 'cluster-profile' ? { [providers]: listOf(random, () => entryFor(providers, random, now)) } : {}),
  };
}

function desired(random: Random): JsonObject {
  return random.oneIn(2) ? {} : { desired: random.of(['Enabled', 'Disabled']) };
}

/** A state with the tasks and uses that mostly go with it. */
export function featureStatus(random: Random, now: number, called: string): JsonObject {
  const state = random.of(['Off', 'TurningOn', 'TurningOn', 'On', 'TurningOff', 'TurningOff']);
  const list = random.of([['WaitForUses'], ['Migrate', 'WaitForUses'], ['Drain', 'Migrate', 'WaitForUses'], []]);
  const tasks: Json = state.startsWith('Turning') ? list : [];
  const time = random.oneIn(2) ? { useEvaluationTime: timeFor(random, now) } : {};
  return {
    class: random.oneIn(8) ? 'example.com' : random.of(['kube-system', 'fleet-a']),
    name: random.oneIn(8) ? 'Other' : called.toUpperCase(),
    stability: random.of(['Alpha', 'Beta', 'GA', 'Unavailable']),
    version: '1.40.0',
    default: random.of(['Enabled', 'Disabled']),
    source: random.of(['Default', 'Dynamic', 'CommandLine']),
    ...(random.oneIn(15) ? {} : { state }),
    transitionTasks: tasks,
    uses: listOf(random, () => use(random, now)),
    ...time,
  };
}

function listOf(random: Random, entry: () => Json): Json[] {
  return Array.from({ length: random.of([0, 1, 2, 2, 3, 3, 4]) }, entry);
}
