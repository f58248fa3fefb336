/** Small edits of a JSON value: what people, controllers and tools make of a stored object. */
import type { Json, JsonObject } from '../../../../src/base/json.ts';
import type { Random } from '../../../support/random.ts';
import { entryFor, valueFor } from './pools.ts';

type Path = readonly (string | number)[];

interface Chance {
  readonly random: Random;
  /** Milliseconds; times are near it. */
  readonly now: number;
}

/** The value with one edit at a random place under `path`; only members for which `isFree` holds are touched. */
export function edited(value: Json, chance: Chance, path: Path = [], isFree = (_: Path) => true): Json {
  const places = placesIn(value, path).filter(isFree);
  if (places.length === 0) return value;
  const place = chance.random.of(places);
  return changed(value, place.slice(path.length), (inner) => edit(inner, place, chance));
}

/** Lists weigh more than what they hold: their order and their copies are what differs most. */
function placesIn(value: Json, path: Path): Path[] {
  const own: Path[] = Array.isArray(value) && value.length > 1 ? [path, path, path, path] : [path];
  if (typeof value !== 'object' || value === null) return own;
  const members = Object.entries(value) as [string, Json][];
  const inner = members.flatMap(([key, member]) =>
    placesIn(member, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return [...(path.length > 1 ? own : []), ...inner];
}

/** The value with what stands at `path` replaced; undefined takes it away. */
function changed(value: Json, path: Path, change: (inner: Json) => Json | undefined): Json {
  const [step, ...rest] = path;
  if (step === undefined) return change(value) ?? null;
  const inner = (value as Record<string | number, Json>)[step] ?? null;
  const made = rest.length === 0 ? change(inner) : changed(inner, rest, change);
  if (Array.isArray(value))
    return made === undefined ? value.toSpliced(Number(step), 1) : value.with(Number(step), made);
  const { [String(step)]: _, ...others } = value as JsonObject;
  return made === undefined ? others : { ...(value as JsonObject), [step]: made };
}

function edit(value: Json, path: Path, chance: Chance): Json | undefined {
  const { random, now } = chance;
  const key = String(path.findLast((step) => typeof step === 'string'));
  if (random.oneIn(10)) return random.oneIn(2) ? undefined : null;
  if (Array.isArray(value)) return random.oneIn(15) ? valueFor(random, now, key) : editList(value, key, chance);
  if (typeof value === 'object' && value !== null) return editObject(value as JsonObject, path, key, chance);
  return valueFor(random, now, key);
}

function editList(list: readonly Json[], key: string, chance: Chance): Json {
  const { random, now } = chance;
  const at = random.below(list.length);
  const entry = list[at] ?? null;
  const edits: readonly (() => Json)[] = [
    () => shuffled(list, random),
    () => shuffled(list, random),
    () => list.toReversed(),
    () => shuffled(list.with(at, editEntry(entry, key, chance)), random),
    () => [...list.with(at, editEntry(entry, key, chance)), entry],
    () => [...list, entry],
    () => list.toSpliced(random.below(list.length + 1), 0, entry),
    () => list.toSpliced(at, 1),
    () => shuffled(list.toSpliced(at, 1), random),
    () => list.toSpliced(random.below(list.length + 1), 0, entryFor(random, now, key)),
    () => list.with(at, entryFor(random, now, key)),
    () => [],
  ];
  return list.length === 0 ? [entryFor(random, now, key)] : random.of(edits)();
}

function editEntry(entry: Json, key: string, chance: Chance): Json {
  if (typeof entry !== 'object' || entry === null) return entryFor(chance.random, chance.now, key);
  return edited(entry, chance, ['', key, 0]);
}

/** A member more, a member less. */
function editObject(object: JsonObject, path: Path, key: string, { random, now }: Chance): Json {
  const keys = Object.keys(object);
  if (typeof path.at(-1) === 'number' && random.oneIn(3)) return entryFor(random, now, key);
  if (keys.length === 0) return object;
  const { [random.of(keys)]: _, ...others } = object;
  return others;
}

function shuffled<T>(list: readonly T[], random: Random): T[] {
  const mixed = [...list];
  for (let end = mixed.length - 1; end > 0; end--) {
    const other = random.below(end + 1);
    [mixed[end], mixed[other]] = [mixed[other] as T, mixed[end] as T];
  }
  return mixed;
}
