import { placementDecision } from '../../api/dialects.ts';
import { textAt } from '../../base/json.ts';
import { noMoreDuplicates } from '../cel/expressions.ts';
import { forPlacement, MOST_DECISIONS } from '../cel/placement.ts';
import {
  type Conflict,
  type Context,
  defineRule,
  type ObjectComparison,
  type ObjectFact,
  type Problem,
} from '../rule.ts';
import {
  DECISION_KEY,
  decisionsAmong,
  distinct,
  keyOf,
  type ProfileReference,
  referencesIn,
  type Slice,
  shown,
} from './placement-fields.ts';

/** A slice with the profiles that it names. */
interface SharingSlice extends Slice {
  readonly references: readonly ProfileReference[];
}

/** Compares slices of one decision: two of them may not name one profile. */
const comparison: ObjectComparison<SharingSlice> = {
  kinds: [placementDecision],
  acrossOnly: false,
  factOf(object, { namespace }) {
    const decisionKey = textAt(object, DECISION_KEY);
    const references = referencesIn(object, namespace);
    return decisionKey && references.length > 0 ? { decisionKey, references } : undefined;
  },
  conflicts: (kept) => decisionsAmong(kept).flatMap(sharedIn),
};

export const rule = defineRule({
  id: 'placement/one-to-one',
  on: ['CREATE', 'UPDATE'],
  comparison,
  scan: 'object',
  ratchets: false,
  meta: {
    level: 'MUST',
    source: 'KEP-5313 #summary',
    quote: 'a namespaced list of chosen clusters whose referenced names must map one-to-one to `ClusterProfile`s',
    summary: 'A PlacementDecision names each ClusterProfile once, and so do all slices of one decision.',
    fix:
      'Remove the second entry of the profile. An entry without a namespace means the namespace of the ' +
      'PlacementDecision.',
    needs: ['object', 'oldObject'],
    why: 'The CRD belongs to another project, and its list has no keys by which the API server could find duplicates.',
    messages: {
      twice:
        'names the ClusterProfile "{{value}}" a second time; a decision lists each cluster once: remove one of ' +
        'the entries',
      elsewhere:
        'names the ClusterProfile "{{value}}", as the slice "{{other}}" of the same decision key does; a ' +
        'decision lists each cluster once: remove one of the entries',
      other: 'the same ClusterProfile in the same decision',
    },
  },
  cel: forPlacement(
    {
      expression: noMoreDuplicates('references'),
      field: 'decisions[].clusterProfileRef.name',
      messageId: 'twice',
      data: { value: '…' },
    },
    `lists of more than ${MOST_DECISIONS} entries, and other slices`,
  ),
  check: twiceIn,
});

/** Reports repeated entries of a profile. On an update, as many as the stored object has are allowed. */
function twiceIn({ object, oldObject, namespace }: Context): readonly Problem[] {
  const before = Map.groupBy(referencesIn(oldObject, namespace), keyOf);
  const entries = [...Map.groupBy(referencesIn(object, namespace), keyOf)];
  return entries.flatMap(([key, same]) => {
    const surplus = same.slice(Math.max(1, before.get(key)?.length ?? 0));
    return surplus.map((entry) => ({ path: entry.path, messageId: 'twice', data: { value: shown(entry) } }));
  });
}

/** Returns a conflict for each slice that names a profile which another slice of the decision names, too. */
function sharedIn(slices: readonly ObjectFact<SharingSlice>[]): readonly Conflict[] {
  const named = slices.flatMap(({ object, fact }) => {
    // If one object names a profile twice, the check of the rule reports it.
    return distinct(fact.references).map((reference) => ({ object, reference }));
  });
  const sharing = [...Map.groupBy(named, ({ reference }) => keyOf(reference)).values()];
  return sharing.flatMap((same) =>
    same.flatMap(({ object, reference }) => {
      const other = same.find((one) => one.object !== object);
      if (other === undefined) return [];
      const data = { value: shown(reference), other: other.object.name };
      const related = [{ object: other.object, path: other.reference.path, messageId: 'other' }];
      return { object, problem: { path: reference.path, messageId: 'elsewhere', data }, related };
    }),
  );
}
