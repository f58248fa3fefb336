/** The check of rules on names and ids that no two objects may share. */
import { metadataOf, textAt } from '../json.ts';
import type { Answer, Context, JsonObject, MaybePromise, Path, RuleResult, UniqueKey, Uniqueness } from '../rule.ts';
import { isItself } from './reading.ts';

/** That no two objects have the same text at a path. An empty one counts as none. */
export function uniqueAt(path: Path, within: Uniqueness['within']): Uniqueness {
  const keysOf = (object: JsonObject) => {
    const value = textAt(object, path);
    return value ? [{ parts: [value], path }] : [];
  };
  return { within, keysOf };
}

/** Reports `taken` for the first other object that shares a key, at the first of the keys that it shares. */
export function checkUnique({ within, keysOf }: Uniqueness) {
  return (context: Context): MaybePromise<readonly RuleResult[]> => {
    const keys = keysOf(context.object);
    const [first] = keys;
    if (first === undefined) return [];
    const compare = (listed: Answer<readonly JsonObject[]>): readonly RuleResult[] => {
      if (!listed.known) return [{ path: first.path, unknown: listed.reason }];
      for (const other of listed.value) {
        if (isItself(context, other)) continue;
        const theirs = new Set(keysOf(other).map(({ parts }) => JSON.stringify(parts)));
        const shared = keys.find(({ parts }) => theirs.has(JSON.stringify(parts)));
        if (shared) return [taken(shared, nameOf(other))];
      }
      return [];
    };
    const listed = context.view.list(context.dialect, within === 'namespace' ? context.namespace : undefined);
    return 'then' in listed ? listed.then(compare) : compare(listed);
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
