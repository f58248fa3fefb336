/** Builds what a rule sees of a write. */
import type { JsonObject } from '../base/json.ts';
import type { ClusterView, Context, Subject } from '../rules/rule.ts';

/** Returns the context of a write. Its view reads each object once, so that all rules see the same. */
export function createContext(
  subject: Subject,
  { point, now, settings, view }: Pick<Context, 'point' | 'now' | 'settings' | 'view'>,
): Context {
  const once = createMemory();
  return { ...subject, point, now, settings, view: readOnce(view, once), once };
}

/** Returns the context with another object: the same reads, but a new memory of what rules made of the object. */
export function withObject(context: Context, object: JsonObject): Context {
  return { ...context, object, once: createMemory() };
}

function createMemory(): Context['once'] {
  let known: Map<string, unknown> | undefined;
  return <T>(key: string, make: () => T): T => {
    known ??= new Map();
    const value = (known.get(key) as T | undefined) ?? make();
    known.set(key, value);
    return value;
  };
}

function readOnce(view: ClusterView, once: Context['once']): ClusterView {
  return {
    get(reference) {
      const { dialect, namespace, name } = reference;
      return once(`get ${dialect.name} ${namespace ?? ''}/${name}`, () => view.get(reference));
    },
    list: (dialect, namespace, label) =>
      once(`list ${dialect.name} ${namespace ?? ''} ${label ? JSON.stringify(label) : ''}`, () =>
        view.list(dialect, namespace, label),
      ),
  };
}
