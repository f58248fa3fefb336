/** Which object a write is of, by name, and whether its version exists. The playground uses this, too: nothing here reads files. */
import { dialectsByKind } from '../../api/dialects.ts';
import { at, type JsonObject, type Path } from '../../base/json.ts';
import { nearest } from '../../base/suggest.ts';
import { plain, shorten } from '../../base/text.ts';
import type { InputObject } from '../../cluster/files/objects.ts';
import { dialectOfObject, referenceTo } from '../../cluster/files/reference.ts';
import type { SourceError } from '../../documents/index.ts';
import type { Reference } from '../../rules/rule.ts';

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
  { object }: Pick<InputObject, 'object'>,
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

/** Returns a warning if an object has a version that is not known. It is evaluated all the same, as one of the latest version. */
export function unknownVersion({ source, start, apiVersion, kind }: InputObject): SourceError | undefined {
  const [group = '', version = ''] = apiVersion.split('/');
  const versions = dialectsByKind.get(`${group}/${kind}`)?.versions;
  if (versions === undefined || versions.includes(version)) return undefined;
  const near = nearest(version, versions) ?? versions.at(-1);
  const written = plain(shorten(apiVersion, 64));
  const message = `there is no ${kind} in ${written}; did you mean "${group}/${near}"?`;
  return { source, line: start.line, column: start.column, message };
}
