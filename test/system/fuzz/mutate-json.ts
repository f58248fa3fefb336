/** Mutations of a JSON value: one location in it is replaced, removed, duplicated or extended. */

import type { Random } from '../../support/random.ts';
import type { Material } from './mutate-bytes.ts';

type Holder = Record<string | number, unknown>;
interface Place {
  readonly holder: Holder;
  readonly key: string | number;
}

const MOST_PLACES = 4000;
const ODD_VALUES: readonly unknown[] = [
  null, true, false, 0, -0, 1, -1, 2 ** 53, -(2 ** 63), 1e308, 0.1, '', ' ', '\u0000', '\ud800', '\u202e', 'x'.repeat(64), 'x'.repeat(254),
  'x'.repeat(1025), '-', 'a-', 'A', 'a.b', 'On', 'true', '1.30', 'v1.31.2-gke.100', '2026-06-01T00:00:00Z', '2027-01-31T12:00:00+02:00',
  '2026-02-30T00:00:00Z', '*', '*.k8s.io', [], {}, [[]], [null], { '': '' }, { constructor: {} },
]; // biome-ignore format: one table
const PLAIN_VALUES: readonly unknown[] = [null, true, 0, '', [], {}, 'a'];
const ODD_KEYS = ['', '__proto__', 'constructor', 'toString', 'x-k8s.io/cluster-manager', '0', 'length', '\ud800'];

/** Changes one location in the value at random, and returns the value; undefined where it has none. */
export function mutateJson(root: unknown, random: Random, { words, other }: Material): unknown {
  const places = placesIn(root);
  if (places.length === 0) return undefined;
  const place = random.of(places);
  random.of([
    () => put(place, valueByChance(random, words)),
    () => put(place, valueByChance(random, words)),
    () => remove(place),
    () => double(place, random),
    () => addMember(place, random, words),
    () => put(place, copyOf(valueAt(random.of(places)))),
    () => fromAnother(place, random, other()),
    () => put(place, alike(valueAt(place), random, words)),
  ])();
  return root;
}

/** The whole value of an input, or undefined where it is no JSON. */
export function parseInput(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

function placesIn(root: unknown): Place[] {
  const places: Place[] = [];
  const holders = [root];
  for (let holder = holders.pop(); holder !== undefined && places.length < MOST_PLACES; holder = holders.pop()) {
    if (typeof holder !== 'object' || holder === null) continue;
    for (const key of Object.keys(holder)) {
      places.push({ holder: holder as Holder, key: Array.isArray(holder) ? Number(key) : key });
      holders.push((holder as Holder)[key] ?? null);
    }
  }
  return places;
}

function valueByChance(random: Random, words: readonly string[]): unknown {
  if (random.oneIn(2)) return random.of(words);
  if (random.oneIn(2)) return copyOf(random.of(PLAIN_VALUES));
  if (random.oneIn(30)) return nested(random);
  return copyOf(random.of(ODD_VALUES));
}

function nested(random: Random): unknown {
  let value: unknown = random.oneIn(2) ? {} : 'x';
  for (let depth = random.below(260); depth > 0; depth--) value = depth % 3 === 0 ? { a: value } : [value];
  return value;
}

function remove({ holder, key }: Place): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
}

/** An entry of a list stands once more (or very often), else the value becomes a list of itself. */
function double({ holder, key }: Place, random: Random): void {
  const value = holder[key];
  const times = random.oneIn(15) ? random.below(120) : 1;
  if (Array.isArray(holder)) for (let turn = 0; turn < times; turn++) holder.push(copyOf(value));
  else holder[key] = [value, copyOf(value)];
}

function addMember({ holder, key }: Place, random: Random, words: readonly string[]): void {
  const target = isHolder(holder[key]) ? (holder[key] as Holder) : holder;
  const name = random.oneIn(4) ? random.of(ODD_KEYS) : random.of(words);
  const value = valueByChance(random, words);
  if (Array.isArray(target)) target.push(value);
  else put({ holder: target, key: name }, value);
}

function fromAnother(place: Place, random: Random, bytes: Buffer): void {
  const places = placesIn(parseInput(bytes.subarray(1)) ?? parseInput(bytes));
  const sameKey = places.filter(({ key }) => key === place.key);
  const from = sameKey.length > 0 && !random.oneIn(4) ? random.of(sameKey) : places[random.below(places.length)];
  if (from !== undefined) put(place, copyOf(valueAt(from)));
}

/** A little otherwise: the next number, a longer text, a list in another order. */
function alike(value: unknown, random: Random, words: readonly string[]): unknown {
  if (typeof value === 'number') return value + random.of([-1, 1, 0.5, 1e15]);
  if (Array.isArray(value)) return random.oneIn(2) ? [...value].reverse() : value.slice(1);
  if (typeof value !== 'string') return valueByChance(random, words);
  const at = random.below(value.length + 1);
  const piece = random.of(['-', '.', 'a', 'Z', '0', '/', ' ', '\n', '\u2028', '😀', random.of(words)]);
  return value.slice(0, at) + piece.repeat(random.oneIn(10) ? 70 : 1) + value.slice(random.oneIn(2) ? at : at + 1);
}

function valueAt({ holder, key }: Place): unknown {
  return holder[key];
}

function put({ holder, key }: Place, value: unknown): void {
  Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true });
}

function isHolder(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function copyOf(value: unknown): unknown {
  return isHolder(value) ? JSON.parse(JSON.stringify(value)) : value;
}
