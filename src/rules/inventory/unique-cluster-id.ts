/** KEP-2149, id.k8s.io, Uniqueness: "must be unique within the ClusterSet to which its cluster belongs". */
import { absent } from '../cel/cel.ts';
import { textAt } from '../json.ts';
import { after, type Context, defineRule, type JsonObject, NOTHING, type Path, type Yielded } from '../rule.ts';
import {
  ID_PROPERTIES,
  isItself,
  MANAGER_NAME,
  MEMBERSHIP_PROPERTY,
  NAME,
  neverFreezesStatus,
  propertiesNamed,
} from './reading.ts';

export const rule = defineRule({
  id: 'inventory/unique-cluster-id',
  concept: 'inventory',
  on: ['CREATE', 'UPDATE'],
  subresources: ['', 'status'],
  live: 'scan',
  meta: {
    // Another manager, or another namespace, may rightly list the same cluster.
    level: 'SHOULD',
    basis: 'kep',
    source: 'KEP-2149 #uniqueness',
    quote:
      'The identifier **must** be unique within the ClusterSet to which its cluster belongs for the duration of the cluster’s membership.',
    needs: ['object', 'cluster'],
    why: 'CEL in a CRD sees one object; here all of a manager are compared.',
    code: 403,
    messages: {
      taken:
        'the id "{{value}}" is listed in the same ClusterSet by "{{other}}" already; correct the one that is wrong (two clusters of a ClusterSet never share an id)',
    },
  },
  cel: absent.others,
  atMost: neverFreezesStatus,
  check(context) {
    // Whose the object is must be known: another manager may rightly list the same cluster.
    const manager = textAt(context.object, MANAGER_NAME);
    const sets = valuesOf(context.object, [MEMBERSHIP_PROPERTY]);
    const ids = propertiesNamed(context.object, ID_PROPERTIES).filter(({ value }) => value !== '');
    const [first] = ids;
    if (manager === undefined || sets.size === 0 || first === undefined) return NOTHING;
    return after(context.view.list(context.dialect, context.namespace), (listed) => {
      if (!listed.known) return [{ path: first.path, unknown: listed.reason }];
      return collision(context, of(listed.value, manager), sets, ids);
    });
  },
});

function* collision(
  context: Context,
  others: readonly JsonObject[],
  sets: ReadonlySet<string>,
  ids: readonly { path: Path; value: string }[],
): Iterable<Yielded> {
  for (const other of others) {
    if (isItself(context, other) || !shares(sets, valuesOf(other, [MEMBERSHIP_PROPERTY]))) continue;
    const theirs = valuesOf(other, ID_PROPERTIES);
    const shared = ids.find(({ value }) => theirs.has(value));
    if (shared === undefined) continue;
    yield { path: shared.path, messageId: 'taken', data: { value: shared.value, other: textAt(other, NAME) } };
    return;
  }
}

function shares(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return [...a].some((value) => b.has(value));
}

function of(objects: readonly JsonObject[], manager: string): readonly JsonObject[] {
  return objects.filter((object) => textAt(object, MANAGER_NAME) === manager);
}

/** The values of the properties of these names; an empty one names no ClusterSet and no cluster. */
function valuesOf(object: JsonObject, names: readonly string[]): ReadonlySet<string> {
  const values = propertiesNamed(object, names).map(({ value }) => value);
  return new Set(values.filter((value) => value !== ''));
}
