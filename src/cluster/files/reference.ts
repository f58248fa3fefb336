/** Names and namespaces of objects, as kubectl assumes them. */
import { type Dialect, dialectOf } from '../../api/dialects.ts';
import { at, isObject, type JsonObject, textAt } from '../../base/json.ts';
import type { Reference } from '../../rules/rule.ts';

/** Returns the dialect, namespace and name of an object. */
export function referenceTo(dialect: Dialect, object: JsonObject): Reference {
  const namespace = namespaceOf(dialect, object);
  const name = textAt(object, ['metadata', 'name']) ?? '';
  return namespace === undefined ? { dialect, name } : { dialect, namespace, name };
}

/** Returns the namespace of an object: `default` where a namespaced one names none; undefined for cluster-scoped kinds. */
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
