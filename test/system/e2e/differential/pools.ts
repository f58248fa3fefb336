/**
 * Values and list entries by the name of the member that holds them: those of the rules' own examples, right and wrong
 * ones.
 */
import type { Json, JsonObject } from '../../../../src/base/json.ts';
import { examples } from '../../../support/examples.ts';
import type { Random } from '../../../support/random.ts';

/** What no published schema lets in, and a loose CRD does. */
const JUNK: readonly Json[] = [true, 0, 7, -1.5, 'x', '', [], [null], {}, { a: null }, { name: {} }];

/** Minutes from the start of the run; nothing is so near that the run itself could reach it. */
const MINUTES = [-100_000, -1440, -60, -2, 20, 60, 1440];
const ODD_TIMES = ['soon', '2026-02-29T00:00:00Z', '2026-07-01T00:00:00.5+02:00', '2026-05-30T08:15:00', ''];

/** By the name of the member; entries of a list by the name of the list and `[]`. */
const pools = new Map<string, Json[]>();
for (const { object, old } of examples) for (const one of [object, old]) collect(one ?? {}, '');

/** Another value for the member of that name, mostly one that belongs there. `now` in milliseconds. */
export function valueFor(random: Random, now: number, member: string): Json {
  if (random.oneIn(12)) return random.oneIn(3) ? null : random.of(JUNK);
  if (member.endsWith('Time')) return timeFor(random, now);
  const pool = pools.get(member);
  return pool === undefined ? random.of(JUNK) : near(random.of(pool), random, now);
}

/**
 * An entry for the list of that name. Now and then a member is missing or null, as objects older than the webhook have
 * it.
 */
export function entryFor(random: Random, now: number, list: string): Json {
  const entry = valueFor(random, now, `${list}[]`);
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry) || !random.oneIn(6)) return entry;
  const keys = Object.keys(entry);
  if (keys.length === 0) return entry;
  const key = random.of(keys);
  const { [key]: _, ...others } = entry as JsonObject;
  return random.oneIn(3) ? { ...others, [key]: null } : others;
}

/** Moves the times in a value near to `now`: those of the examples are long past. */
export function near<T extends Json>(value: T, random: Random, now: number): T {
  if (typeof value !== 'object' || value === null) return value;
  const moved = Object.entries(value).map(([key, member]: [string, Json]) => {
    const isTime = key.endsWith('Time') && typeof member === 'string' && key !== 'lastTransitionTime';
    return [key, isTime && random.oneIn(2) ? timeFor(random, now) : near(member, random, now)];
  });
  return (Array.isArray(value) ? moved.map(([, member]) => member) : Object.fromEntries(moved)) as T;
}

/** An RFC 3339 time some way from `now`, or no time at all. */
function timeFor(random: Random, now: number): string {
  if (random.oneIn(20)) return random.of(ODD_TIMES);
  return new Date(now + random.of(MINUTES) * 60_000).toISOString().replace(random.oneIn(8) ? '' : /\.\d+/, '');
}

function collect(value: Json, name: string): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value) as [string, Json][]) {
    const pool = Array.isArray(value) ? `${name}[]` : key;
    pools.set(pool, [...(pools.get(pool) ?? []), member]);
    collect(member, Array.isArray(value) ? name : key);
  }
}
