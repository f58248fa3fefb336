/**
 * Names and namespaces of objects, as kubectl assumes them, and whether a version exists. This module reads no files,
 * as the playground uses it, too.
 */
import { type Dialect, dialectOf, dialectsByKind } from '../../api/dialects.ts';
import { at, isObject, type JsonObject, type Path, textAt } from '../../base/json.ts';
import { nearest } from '../../base/suggest.ts';
import { plain, shorten } from '../../base/text.ts';
import type { Position, SourceError } from '../../documents/index.ts';
import type { Reference } from '../../rules/rule.ts';

/** An object that is read, and where it begins. */
interface ReadObject {
  readonly source: string;
  readonly start: Position;
  readonly apiVersion: string;
  readonly kind: string;
}

/** Returns the dialect, namespace and name of an object. */
export function referenceTo(dialect: Dialect, object: JsonObject): Reference {
  const namespace = namespaceOf(dialect, object);
  const name = textAt(object, ['metadata', 'name']) ?? '';
  return namespace === undefined ? { dialect, name } : { dialect, namespace, name };
}

/** Returns the namespace of an object: `default` if a namespaced one names none; undefined for cluster-scoped kinds. */
export function namespaceOf(dialect: Dialect, object: JsonObject): string | undefined {
  if (dialect.scope === 'Cluster') return undefined;
  return textAt(object, ['metadata', 'namespace']) || 'default';
}

/** Returns the object with the namespace of the reference; without one for cluster-scoped kinds. */
export function inNamespace({ namespace }: Reference, object: JsonObject): JsonObject {
  const metadata = at(object, ['metadata']);
  if (!isObject(metadata) || textAt(metadata, ['namespace']) === namespace) return object;
  const { namespace: _, ...rest } = metadata;
  return { ...object, metadata: namespace === undefined ? rest : { ...rest, namespace } };
}

/** Returns an object of a Helm release: a namespaced one without a namespace gets that of the release. */
export function inRelease(namespace: string | undefined, object: JsonObject): JsonObject {
  const dialect = dialectOfObject(object);
  if (namespace === undefined || dialect?.scope !== 'Namespaced') return object;
  return textAt(object, ['metadata', 'namespace']) ? object : inNamespace({ dialect, namespace, name: '' }, object);
}

/** Returns a key for a map. All versions of a group share one; none of the parts may contain a newline. */
export function keyOf({ dialect, namespace, name }: Reference): string {
  return [dialect.name, dialect.scope === 'Cluster' ? '' : (namespace ?? ''), name].join('\n');
}

/** Returns the dialect of an object; undefined: muster does not evaluate it. */
export function dialectOfObject(object: JsonObject): Dialect | undefined {
  const [group, version, ...rest] = (textAt(object, ['apiVersion']) ?? '').split('/');
  return version === undefined || rest.length > 0 ? undefined : dialectOf(group ?? '', textAt(object, ['kind']) ?? '');
}

/** Why an object can't be written at all. */
export interface InvalidInput {
  readonly problem: string;
  readonly at: Path;
}

/**
 * Returns the reference to an object, or why it has none; undefined for a kind that no rule applies to.
 * @param generate makes the name of an object that has only a `generateName`
 */
export function referenceOf(
  { object }: { readonly object: JsonObject },
  generate?: (object: JsonObject) => string | undefined,
): Reference | InvalidInput | undefined {
  const dialect = dialectOfObject(object);
  if (dialect === undefined) return undefined;
  for (const key of dialect.scope === 'Cluster' ? ['name'] : ['name', 'namespace']) {
    const value = at(object, ['metadata', key]) ?? '';
    const problem = `metadata.${key} must be a string, got ${typeof value}: quote it`;
    if (typeof value !== 'string') return { problem, at: ['metadata', key] };
  }
  const reference = referenceTo(dialect, object);
  const name = reference.name || generate?.(object);
  if (name) return { ...reference, name };
  return { problem: `the object has no metadata.name${generate ? ', nor generateName' : ''}`, at: ['metadata'] };
}

/** Returns a warning if an object has an unknown version. It is evaluated as one of the latest version. */
export function unknownVersion({ source, start, apiVersion, kind }: ReadObject): SourceError | undefined {
  const [group = '', version = ''] = apiVersion.split('/');
  const versions = dialectsByKind.get(`${group}/${kind}`)?.versions;
  if (versions === undefined || versions.includes(version)) return undefined;
  const near = nearest(version, versions) ?? versions.at(-1);
  const written = plain(shorten(apiVersion, 64));
  const message = `there is no ${kind} in ${written}; did you mean "${group}/${near}"?`;
  return { source, line: start.line, column: start.column, message };
}
