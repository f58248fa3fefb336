/** KEP-2149, id.k8s.io, Uniqueness: "must be unique within the ClusterSet to which its cluster belongs". */
import { absent } from '../cel/cel.ts';
import { textAt } from '../json.ts';
import { after, defineRule, type JsonObject, NOTHING, type Yielded } from '../rule.ts';
import {
  ID_PROPERTIES,
  isItself,
  MEMBERSHIP_PROPERTY,
  managerNameOf,
  NAME,
  neverFreezesStatus,
  propertiesNamed,
} from './reading.ts';

type Named = ReturnType<typeof propertiesNamed>[number];
const MEMBERSHIP_PROPERTIES: readonly string[] = [MEMBERSHIP_PROPERTY];

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
    const manager = managerNameOf(context.object);
    const ids = named(context.object, ID_PROPERTIES);
    const [first] = ids;
    if (typeof manager !== 'string' || first === undefined) return NOTHING;
    const sets = named(context.object, MEMBERSHIP_PROPERTIES);
    if (sets.length === 0) return NOTHING;
    return after(context.view.list(context.dialect, context.namespace), (listed) => {
      if (!listed.known) return [{ path: first.path, unknown: listed.reason }];
      const others = listed.value.filter((other) => managerNameOf(other) === manager && !isItself(context, other));
      return others.length === 0 ? NOTHING : collision(others, sets, ids);
    });
  },
});

function collision(others: readonly JsonObject[], sets: readonly Named[], ids: readonly Named[]): readonly Yielded[] {
  for (const other of others) {
    if (shared(sets, named(other, MEMBERSHIP_PROPERTIES)) === undefined) continue;
    const id = shared(ids, named(other, ID_PROPERTIES));
    if (id === undefined) continue;
    return [{ path: id.path, messageId: 'taken', data: { value: id.value, other: textAt(other, NAME) } }];
  }
  return NOTHING;
}

/** The first of ours whose value is one of theirs. */
function shared(ours: readonly Named[], theirs: readonly Named[]): Named | undefined {
  const values = new Set(theirs.map(({ value }) => value));
  return ours.find(({ value }) => values.has(value));
}

/** The properties of these names; one with an empty value names no ClusterSet and no cluster. */
function named(object: JsonObject, names: readonly string[]): readonly Named[] {
  return propertiesNamed(object, names).filter(({ value }) => value !== '');
}
