/** Finds ClusterProfiles that two slices of a decision name. */
import { placementDecision } from '../../api/dialects.ts';
import { textAt } from '../../base/json.ts';
import type { Conflict, ObjectComparison, ObjectFact } from '../rule.ts';
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

export interface SharingSlice extends Slice {
  readonly references: readonly ProfileReference[];
}

/** Reports `elsewhere` for a profile that another slice of the decision names too; `other` is for that slice. */
export const sharedProfiles: ObjectComparison<SharingSlice> = {
  kinds: [placementDecision],
  acrossOnly: false,
  factOf(object, { namespace }) {
    const decisionKey = textAt(object, DECISION_KEY);
    const references = referencesIn(object, namespace);
    return decisionKey && references.length > 0 ? { decisionKey, references } : undefined;
  },
  conflicts: (kept) => decisionsAmong(kept).flatMap(sharedIn),
};

/** Returns a conflict for each slice that names a profile which another slice of the decision names, too. */
function sharedIn(slices: readonly ObjectFact<SharingSlice>[]): readonly Conflict[] {
  if (slices.length < 2) return [];
  const holders = Map.groupBy(
    slices.flatMap(({ object, fact }) => {
      // If one object names a profile twice, the check of the rule reports it.
      return distinct(fact.references).map((reference) => ({ object, reference }));
    }),
    ({ reference }) => keyOf(reference),
  );
  return [...holders.values()].flatMap((sharing) =>
    sharing.length < 2
      ? []
      : sharing.map(({ object, reference }) => {
          const other = sharing.find((one) => one.object !== object);
          const data = { value: shown(reference), other: other?.object.name };
          const related = other ? [{ object: other.object, path: other.reference.path, messageId: 'other' }] : [];
          return { object, problem: { path: reference.path, messageId: 'elsewhere', data }, related };
        }),
  );
}
