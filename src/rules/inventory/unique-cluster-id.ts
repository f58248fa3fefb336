/** KEP-2149, id.k8s.io, Uniqueness: "must be unique within the ClusterSet to which its cluster belongs". */
import { type Context, defineRule, type JsonObject, type Path, type Yielded } from '../rule.ts';
import {
  ID_PROPERTIES,
  isItself,
  MEMBERSHIP_PROPERTY,
  managerOf,
  neverFreezesStatus,
  propertiesNamed,
} from './reading.ts';

export const rule = defineRule({
  id: 'inventory/unique-cluster-id',
  concept: 'inventory',
  on: ['CREATE', 'UPDATE'],
  subresources: ['', 'status'],
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
        'the id "{{value}}" is listed in the same ClusterSet by {{other}} already; correct the one that is wrong (two clusters of a ClusterSet never share an id)',
    },
  },
  atMost: neverFreezesStatus,
  async *check(context): AsyncIterable<Yielded> {
    const sets = new Set(propertiesNamed(context.object, [MEMBERSHIP_PROPERTY]).map(({ value }) => value));
    const ids = propertiesNamed(context.object, ID_PROPERTIES);
    const [first] = ids;
    if (sets.size === 0 || first === undefined) return;
    const listed = await context.view.list(context.dialect, context.namespace);
    if (listed.known) yield* collision(context, listed.value, sets, ids);
    else yield { path: first.path, unknown: listed.reason };
  },
});

function* collision(
  context: Context,
  others: readonly JsonObject[],
  sets: ReadonlySet<string>,
  ids: readonly { path: Path; value: string }[],
): Iterable<Yielded> {
  const manager = managerOf(context.object);
  for (const other of others) {
    if (isItself(context, other) || managerOf(other) !== manager) continue;
    if (!propertiesNamed(other, [MEMBERSHIP_PROPERTY]).some(({ value }) => sets.has(value))) continue;
    const theirs = new Set(propertiesNamed(other, ID_PROPERTIES).map(({ value }) => value));
    const shared = ids.find(({ value }) => theirs.has(value));
    if (shared === undefined) continue;
    yield { path: shared.path, messageId: 'taken', data: { value: shared.value, other: nameOf(other) } };
    return;
  }
}

function nameOf(other: JsonObject): unknown {
  const { metadata } = other as { metadata?: { name?: unknown } };
  return metadata?.name;
}
