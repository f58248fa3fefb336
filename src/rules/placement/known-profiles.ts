/** Reports references to ClusterProfiles that do not exist: of one write, and among all objects of a cluster. */
import { clusterProfile, placementDecision } from '../../api/dialects.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Answer, ObjectComparison, RuleResult } from '../rule.ts';
import { distinct, entriesIn, keyOf, type ProfileReference, shown } from './placement-fields.ts';

export type ProfileAnswer = Answer<JsonObject | undefined>;

const PROFILE = 'profile';

/** Keeps the references of a decision, and for a profile only that it exists. */
export const missingProfiles: ObjectComparison<readonly ProfileReference[] | typeof PROFILE> = {
  kinds: [clusterProfile, placementDecision],
  acrossOnly: false,
  points: ['scan'],
  factOf(object, { dialect, namespace }) {
    return dialect.concept === 'placement' ? distinct(entriesIn(object, namespace)) : PROFILE;
  },
  conflicts(kept, { unread }) {
    const nameIn = (cluster: string, profile: { readonly namespace: string; readonly name: string }) =>
      JSON.stringify([cluster, keyOf(profile)]);
    const profiles = new Set(
      kept.flatMap(({ object, fact }) => (fact === PROFILE ? [nameIn(object.cluster, object)] : [])),
    );
    return kept.flatMap(({ object, fact }) => {
      if (fact === PROFILE) return [];
      const lacking = fact.filter((reference) => !profiles.has(nameIn(object.cluster, reference)));
      const reason = unread(object.cluster, clusterProfile);
      const answer: ProfileAnswer = reason === undefined ? { known: true, value: undefined } : { known: false, reason };
      const results = withOneUnknown(lacking.flatMap((reference) => resultOf(reference, answer)));
      return results.map((problem) => ({ object, problem, related: [] }));
    });
  },
};

/** Reports a reference to a profile that does not exist. A profile that is being deleted still exists. */
export function resultOf(reference: ProfileReference, answer: ProfileAnswer): readonly RuleResult[] {
  const { path, name } = reference;
  if (name === '') return [{ path, messageId: 'unnamed' }];
  if (!answer.known) return [{ path, unknown: answer.reason }];
  return answer.value === undefined ? [{ path, messageId: 'missing', data: { value: shown(reference) } }] : [];
}

/** Returns the results with at most one `unknown`: one reason is enough, however many profiles can't be read. */
export function withOneUnknown(results: readonly RuleResult[]): readonly RuleResult[] {
  const first = results.find((result) => 'unknown' in result);
  return results.filter((result) => !('unknown' in result) || result === first);
}
