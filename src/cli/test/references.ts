/** Resolves the objects of a suite: written out, referred to by name, or in files. */
import { type Dialect, dialectOf, dialects } from '../../api/dialects.ts';
import { type JsonObject, same, textAt } from '../../base/json.ts';
import { didYouMean } from '../../base/suggest.ts';
import { type InputObject, keyOf, referenceTo } from '../../cluster/files/index.ts';
import { found, oneOf, type Reporter } from '../../config/schema-reader.ts';
import { pathFrom, type SuiteContext } from './files.ts';

/** What the references of a suite are resolved by. */
export interface Scope extends SuiteContext {
  /** The suite's file. */
  readonly file: string;
  /** The objects by their names in the suite; undefined for one that was refused. */
  readonly named: ReadonlyMap<string, JsonObject | undefined>;
}

type Written = string | JsonObject | undefined;

const FILE = /^(.+\.(?:yaml|yml|json))(?:#(.+))?$/s;

/** Returns one object; undefined where it is absent or refused. */
export function resolveObject(object: Written, scope: Scope, at: Reporter): JsonObject | undefined {
  if (typeof object !== 'string') return object && dialectAt(object, at) && object;
  if (scope.named.has(object)) return scope.named.get(object);
  const [, file, name] = FILE.exec(object) ?? [];
  if (file === undefined) return at.refuse(unknownName(object, scope));
  const objects = objectsFrom(file, scope, at);
  return objects && onlyObject(objects, file, name, at);
}

/** Returns all objects of a state; undefined where it is absent. */
export function resolveState(
  state: 'unknown' | readonly Written[] | undefined,
  scope: Scope,
  at: Reporter,
): readonly JsonObject[] | 'unknown' | undefined {
  if (state === undefined || state === 'unknown') return state;
  const known = new Map<string, JsonObject>();
  return state.flatMap((entry, index) => {
    const here = at.below(index);
    const objects = resolveEntry(entry, scope, here);
    for (const object of objects) refuseDuplicate(object, known, here);
    return objects;
  });
}

/** Returns the objects of each cluster. */
export function resolveClusters(
  clusters: ReadonlyMap<string, readonly Written[] | undefined>,
  scope: Scope,
  at: Reporter,
): ReadonlyMap<string, readonly JsonObject[]> {
  const resolved = [...clusters].map(([name, objects]) => [name, resolveState(objects ?? [], scope, at.below(name))]);
  return new Map(resolved as [string, readonly JsonObject[]][]);
}

/** Returns the dialect of an object that a suite writes out. A kind without rules is a mistake there. */
export function dialectAt(object: JsonObject, at: Reporter): Dialect | undefined {
  const [apiVersion, kind] = [textAt(object, ['apiVersion']), textAt(object, ['kind'])];
  if (!apiVersion || !kind) return at.refuse('expected an object with apiVersion and kind');
  const dialect = dialectIn(apiVersion, kind);
  if (dialect) return dialect;
  const known = dialects.map((each) => `${each.group}/${each.versions.at(-1)} ${each.kind}`);
  const near = didYouMean(`${apiVersion} ${kind}`, known) || `; it evaluates ${oneOf(known)}`;
  return at.refuse(`muster evaluates no ${found(kind)} of ${found(apiVersion)}${near}`);
}

function dialectIn(apiVersion: string, kind: string): Dialect | undefined {
  const [group = '', version, ...rest] = apiVersion.split('/');
  return version && rest.length === 0 ? dialectOf(group, kind) : undefined;
}

/** Resolves an entry of a state, which may also be a whole file, or a folder. */
function resolveEntry(entry: Written, scope: Scope, at: Reporter): readonly JsonObject[] {
  const isPath = typeof entry === 'string' && !scope.named.has(entry);
  if (isPath && /(\/|\.(yaml|yml|json))$/.test(entry)) {
    return objectsFrom(entry, scope, at)?.map(({ object }) => object) ?? [];
  }
  const object = resolveObject(entry, scope, at);
  return object ? [object] : [];
}

/** A cluster has an object once. */
function refuseDuplicate(object: JsonObject, known: Map<string, JsonObject>, at: Reporter): void {
  const dialect = dialectIn(textAt(object, ['apiVersion']) ?? '', textAt(object, ['kind']) ?? '');
  if (!dialect) return;
  const key = keyOf(referenceTo(dialect, object));
  const earlier = known.get(key);
  const name = found(textAt(object, ['metadata', 'name']));
  if (earlier && !same(earlier, object)) at.refuse(`${dialect.kind} ${name} is in the state already, and differs`);
  known.set(key, object);
}

/** Returns the objects of a file or folder that muster evaluates; undefined if it can't be read. */
function objectsFrom(path: string, { file, files, boundary }: Scope, at: Reporter): readonly InputObject[] | undefined {
  const objects = files.objects(pathFrom(file, path), boundary, (problem) => at.refuse(problem));
  return objects?.filter(({ apiVersion, kind }) => dialectIn(apiVersion, kind));
}

function onlyObject(objects: readonly InputObject[], file: string, name: string | undefined, at: Reporter) {
  const matching = name === undefined ? objects : objects.filter((object) => namesOf(object).includes(name));
  if (matching.length === 1) return matching[0]?.object;
  if (objects.length === 0) return at.refuse(`${file} has no object that muster evaluates`);
  const names = objects.slice(0, 10).map((object) => namesOf(object).at(-1) ?? '');
  const named = name === undefined ? '' : ` named ${found(name)}`;
  const count = matching.length === 0 ? 'no object' : `${matching.length} objects`;
  return at.refuse(`${file} has ${count}${named}; write FILE#NAME with one of: ${names.join(', ')}`);
}

/** The names by which a suite may refer to an object of a file, the full one last. */
function namesOf({ kind, object }: InputObject): readonly string[] {
  const name = textAt(object, ['metadata', 'name']) ?? textAt(object, ['metadata', 'generateName']) ?? '';
  const namespace = textAt(object, ['metadata', 'namespace']);
  const names = [name, `${kind}/${name}`];
  return namespace === undefined ? names : [...names, `${namespace}/${name}`, `${kind}/${namespace}/${name}`];
}

function unknownName(name: string, { named }: Scope): string {
  const near = didYouMean(name, named.keys());
  const none = named.size === 0 ? '; there are none: write the object out, or name a file' : '';
  return `no object ${found(name)} in objects${near || none}`;
}
