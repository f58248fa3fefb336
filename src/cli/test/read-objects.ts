/** The objects of a suite: written out, named, or in files. */

import { type Dialect, dialectOf, dialects } from '../../api/dialects.ts';
import { type GivenObject, keyOf, referenceTo } from '../../cluster/files/index.ts';
import { entries, found, list, oneOf, type Place, refuse, refuseFound } from '../../config/place.ts';
import { didYouMean } from '../../config/suggest.ts';
import { isObject, same, textAt } from '../../rules/json.ts';
import type { JsonObject } from '../../rules/rule.ts';
import { type Library, pathFrom } from './library.ts';

/** What the references of a suite are looked up in. */
export interface Scope {
  /** The suite's file. */
  readonly file: string;
  readonly library: Library;
  /** The folder beyond which the suite may not look. */
  readonly boundary: string;
  /** By the names that the suite gives them; undefined: refused already. */
  readonly named: ReadonlyMap<string, JsonObject | undefined>;
}

const EXPECTED = 'an object, the name of one in objects, or a file (FILE.yaml or FILE.yaml#NAME)';
const FILE = /^(.+\.(?:yaml|yml|json))(?:#(.+))?$/s;

/** The section `objects`. */
export function readNamed(place: Place, scope: Omit<Scope, 'named'>): Scope['named'] {
  const named = new Map<string, JsonObject | undefined>();
  for (const [name, entry] of entries(place, 'a map from names to objects') ?? []) {
    if (entry.value === undefined) refuseFound(entry, EXPECTED);
    named.set(name, readObject(entry, { ...scope, named: new Map() }));
  }
  return named;
}

/** One object. Undefined: absent or refused. */
export function readObject(place: Place, scope: Scope): JsonObject | undefined {
  const { value } = place;
  if (value === undefined) return undefined;
  if (isObject(value)) return dialectAt(place, value) && value;
  if (typeof value !== 'string') return void refuseFound(place, EXPECTED);
  if (scope.named.has(value)) return scope.named.get(value);
  const [, file, name] = FILE.exec(value) ?? [];
  if (file === undefined) return void refuse(place, unknownName(value, scope));
  const objects = objectsFrom(place, scope.library.objects(pathFrom(scope.file, file), scope.boundary));
  return objects && theOne(place, objects, file, name);
}

/** What exists. Undefined: absent or refused. */
export function readState(place: Place, scope: Scope): readonly JsonObject[] | 'unknown' | undefined {
  if (place.value === 'unknown') return 'unknown';
  const seen = new Map<string, JsonObject>();
  return list(place, 'a list of objects, or unknown', (entry) => {
    const objects = readStateEntry(entry, scope);
    for (const object of objects ?? []) refuseTwins(entry, object, seen);
    return objects;
  })?.flat();
}

/** The dialect of an object that a suite writes out. A kind that no rule knows is a slip there. */
export function dialectAt(place: Place, object: JsonObject): Dialect | undefined {
  const [apiVersion, kind] = [textAt(object, ['apiVersion']), textAt(object, ['kind'])];
  if (!apiVersion || !kind) return void refuse(place, 'expected an object with apiVersion and kind');
  const dialect = dialectIn(apiVersion, kind);
  if (dialect) return dialect;
  const known = dialects.map((each) => `${each.group}/${each.versions.at(-1)} ${each.kind}`);
  const near = didYouMean(`${apiVersion} ${kind}`, known) || `; it judges ${oneOf(known)}`;
  return void refuse(place, `muster judges no ${found(kind)} of ${found(apiVersion)}${near}`);
}

/** The world holds an object once. */
function refuseTwins(place: Place, object: JsonObject, seen: Map<string, JsonObject>): void {
  const dialect = dialectIn(textAt(object, ['apiVersion']) ?? '', textAt(object, ['kind']) ?? '');
  if (!dialect) return;
  const key = keyOf(referenceTo(dialect, object));
  const known = seen.get(key);
  const name = found(textAt(object, ['metadata', 'name']));
  if (known && !same(known, object)) refuse(place, `${dialect.kind} ${name} stands in the state already, and differs`);
  seen.set(key, object);
}

function dialectIn(apiVersion: string, kind: string): Dialect | undefined {
  const [group = '', version, ...rest] = apiVersion.split('/');
  return version && rest.length === 0 ? dialectOf(group, kind) : undefined;
}

function readStateEntry(place: Place, scope: Scope): readonly JsonObject[] | undefined {
  const { value } = place;
  const isName = typeof value !== 'string' || scope.named.has(value);
  const [, file, name] = isName ? [] : (FILE.exec(value) ?? []);
  if (!isName && value.endsWith('/')) {
    return objectsFrom(place, scope.library.folder(pathFrom(scope.file, value), scope.boundary))?.map(
      ({ object }) => object,
    );
  }
  if (file !== undefined && name === undefined) {
    return objectsFrom(place, scope.library.objects(pathFrom(scope.file, file), scope.boundary))?.map(
      ({ object }) => object,
    );
  }
  const object = readObject(place, scope);
  return object && [object];
}

function objectsFrom(place: Place, loaded: ReturnType<Library['objects']>): readonly GivenObject[] | undefined {
  if ('problems' in loaded) {
    for (const problem of loaded.problems) refuse(place, problem);
    return undefined;
  }
  return loaded.value.filter(({ apiVersion, kind }) => dialectIn(apiVersion, kind));
}

function theOne(
  place: Place,
  objects: readonly GivenObject[],
  file: string,
  name: string | undefined,
): JsonObject | undefined {
  const meant = name === undefined ? objects : objects.filter((object) => namesOf(object).includes(name));
  if (meant.length === 1) return meant[0]?.object;
  const has = objects.slice(0, 10).map((object) => namesOf(object).at(-1) ?? '');
  const which = name === undefined ? '' : ` called ${found(name)}`;
  if (has.length === 0) return void refuse(place, `${file} holds no object that muster judges`);
  const count = meant.length === 0 ? 'no object' : `${meant.length} objects`;
  return void refuse(place, `${file} holds ${count}${which}; write FILE#NAME with one of: ${has.join(', ')}`);
}

/** What an object of a file may be called, the full name last. */
function namesOf({ kind, object }: GivenObject): readonly string[] {
  const name = textAt(object, ['metadata', 'name']) ?? textAt(object, ['metadata', 'generateName']) ?? '';
  const namespace = textAt(object, ['metadata', 'namespace']);
  const names = [name, `${kind}/${name}`];
  return namespace === undefined ? names : [...names, `${namespace}/${name}`, `${kind}/${namespace}/${name}`];
}

function unknownName(name: string, { named }: Scope): string {
  const near = didYouMean(name, named.keys());
  const known = named.size === 0 ? '; there are none: write the object out, or name a file' : '';
  return `no object ${found(name)} in objects${near || known}`;
}
