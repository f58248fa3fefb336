/** The check of rules on names and ids that no two objects may share. */
import { textAt } from '../json.ts';
import { metadataOf } from '../object.ts';
import type { Context, JsonObject, RuleResult, UniqueKey, Uniqueness } from '../rule.ts';
import { isItself } from './reading.ts';

/** Reports `taken` for the first other object that shares a key, at the first of the keys that it shares. */
export function checkUnique({ within, keysOf }: Uniqueness) {
  return async (context: Context): Promise<readonly RuleResult[]> => {
    const keys = keysOf(context.object);
    const [first] = keys;
    if (first === undefined) return [];
    const namespace = within === 'namespace' ? context.namespace : undefined;
    const listed = await context.view.list(context.dialect, namespace);
    if (!listed.known) return [{ path: first.path, unknown: listed.reason }];
    for (const other of listed.value) {
      if (isItself(context, other)) continue;
      const theirs = new Set(keysOf(other).map(({ parts }) => JSON.stringify(parts)));
      const shared = keys.find(({ parts }) => theirs.has(JSON.stringify(parts)));
      if (shared) return [taken(shared, nameOf(other))];
    }
    return [];
  };
}

/** The problem of an object whose key another object has. */
export function taken(
  { path, parts }: UniqueKey,
  other: { name?: string | undefined; namespace?: string | undefined },
) {
  return { path, messageId: 'taken', data: { value: parts.at(-1), other: other.name, namespace: other.namespace } };
}

function nameOf(object: JsonObject) {
  const metadata = metadataOf(object);
  return { name: textAt(metadata, ['name']), namespace: textAt(metadata, ['namespace']) };
}
