/** Reading a configuration value by value: each stands at a place, and whatever is wrong with it is reported there. */
import { quoted } from '../engine/text.ts';
import { isObject } from '../rules/json.ts';
import type { Path } from '../rules/rule.ts';
import { MOST_ENTRIES } from './configuration.ts';
import { didYouMean } from './suggest.ts';

/** Something wrong or doubtful in the configuration, and where. The message names neither file nor field. */
export interface ConfigProblem {
  readonly path: Path;
  readonly message: string;
  /** It is the last key of the path that is wrong, not the value under it. */
  readonly ofKey?: true;
}

/** What is found on the way; reading goes on after a problem, so that all of them come at once. */
export interface Report {
  readonly problems: ConfigProblem[];
  readonly warnings: ConfigProblem[];
}

export interface Place {
  /** `undefined` where the key is absent or null. */
  readonly value: unknown;
  readonly path: Path;
  readonly report: Report;
}

interface ClosedSchema {
  readonly properties: object;
  readonly required?: readonly PropertyKey[];
}
export type Members<S extends ClosedSchema> = { readonly [Key in keyof S['properties']]: Place };

export function refuse(place: Place, message: string): void {
  place.report.problems.push({ path: place.path, message });
}

/** Refuses a member of a map for its key. */
export function refuseKey(place: Place, message: string): void {
  place.report.problems.push({ path: place.path, message, ofKey: true });
}

export function warn(place: Place, message: string): void {
  place.report.warnings.push({ path: place.path, message });
}

/** Refuses a value of the wrong kind: what was expected, and what stands there. */
export function refuseFound(place: Place, expected: string, hint = ''): void {
  refuse(place, `expected ${expected}, found ${found(place.value)}${hint}`);
}

/** The members of a map of known keys; unknown keys are refused. Undefined: absent or no map. */
export function members<S extends ClosedSchema>(place: Place, schema: S, expected = 'a map'): Members<S> | undefined {
  const map = entries(place, expected);
  if (!map) return undefined;
  const known = Object.keys(schema.properties);
  for (const [key, member] of map) {
    if (!known.includes(key))
      refuseKey(member, `unknown key${didYouMean(key, known) || `; known here: ${known.join(', ')}`}`);
  }
  const absent = (key: string): Place => ({ value: undefined, path: [...place.path, key], report: place.report });
  const read = Object.fromEntries(known.map((key) => [key, map.get(key) ?? absent(key)]));
  return read as Members<S>;
}

/** The members of a map of any keys. A Map: names like `constructor` and `__proto__` are names. */
export function entries(place: Place, expected = 'a map'): Map<string, Place> | undefined {
  const { value, path, report } = place;
  if (value === undefined) return undefined;
  if (!isObject(value)) return void refuseFound(place, expected);
  const keys = Object.keys(value);
  if (keys.length > MOST_ENTRIES) return void refuse(place, tooMany('keys', keys.length));
  return new Map(keys.map((key) => [key, { value: value[key] ?? undefined, path: [...path, key], report }]));
}

/** What `read` makes of each entry of a list, without those it refuses. Undefined: absent or no list. */
export function list<T>(
  place: Place,
  expected: string,
  read: (entry: Place) => T | undefined,
): readonly T[] | undefined {
  const { value, path, report } = place;
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) return void refuseFound(place, expected);
  if (value.length > MOST_ENTRIES) return void refuse(place, tooMany('entries', value.length));
  const made: T[] = [];
  for (let index = 0; index < value.length; index++) {
    const entry = { value: value[index] ?? undefined, path: [...path, index], report };
    const item = entry.value === undefined ? missing(entry, 'an entry of the list') : read(entry);
    if (item !== undefined) made.push(item);
  }
  return made;
}

/** A text that is not empty and that `accepts`. Undefined: absent or refused. */
export function text(
  place: Place,
  expected: string,
  accepts: (text: string) => boolean = () => true,
): string | undefined {
  const { value } = place;
  if (value === undefined) return undefined;
  if (typeof value === 'string' && value !== '' && accepts(value)) return value;
  const isScalar = typeof value === 'number' || typeof value === 'boolean';
  refuseFound(place, expected, isScalar && accepts(String(value)) ? '; put it in quotes' : '');
  return undefined;
}

/** One of a few words. Undefined: absent or refused. */
export function word<const W extends string>(place: Place, words: readonly W[]): W | undefined {
  const { value } = place;
  if (value === undefined) return undefined;
  const chosen = words.find((each) => each === value);
  if (chosen === undefined) refuseFound(place, oneOf(words), typeof value === 'string' ? didYouMean(value, words) : '');
  return chosen;
}

/** Refuses a place where something has to stand and nothing does. */
export function missing(place: Place, expected: string): undefined {
  refuse(place, `missing; expected ${expected}`);
}

/** Words as a person lists them: `deny, warn or audit`. */
export function oneOf(words: readonly string[]): string {
  return [words.slice(0, -1).join(', '), words.at(-1)].filter(Boolean).join(' or ');
}

/** A value as a message shows it. */
export function found(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (typeof value === 'string') return `"${quoted(value)}"`;
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a map' : quoted(value);
}

function tooMany(what: string, count: number): string {
  return `has ${count} ${what}; at most ${MOST_ENTRIES} are read`;
}
