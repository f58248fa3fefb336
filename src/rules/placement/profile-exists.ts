import { clusterProfile, placementDecision } from '../../api/dialects.ts';
import type { JsonObject } from '../../base/json.ts';
import type { MaybePromise } from '../../base/promise.ts';
import { notInCel } from '../cel/expressions.ts';
import { type Answer, type Context, defineRule, type ObjectComparison, type RuleResult } from '../rule.ts';
import { distinct, entriesIn, keyOf, type ProfileReference, shown } from './placement-fields.ts';

/** The most objects that are read for one write: as many as upstream's CRD allows an object to name. */
const MOST_READS = 100;

type ProfileAnswer = Answer<JsonObject | undefined>;
const NONE: ProfileAnswer = { known: true, value: undefined };

/** What is kept of a profile. */
const PROFILE = 'profile';

/** Keeps the references of a decision, and for a profile only that it exists. */
const comparison: ObjectComparison<readonly ProfileReference[] | typeof PROFILE> = {
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
      const answer = reason === undefined ? NONE : { known: false as const, reason };
      const results = withOneUnknown(lacking.flatMap((reference) => resultOf(reference, answer)));
      return results.map((problem) => ({ object, problem, related: [] }));
    });
  },
};

export const rule = defineRule({
  id: 'placement/profile-exists',
  on: ['CREATE', 'UPDATE'],
  dialects: ['placement-decision'],
  comparison,
  atEndOfRun: true,
  ratchets: false,
  meta: {
    level: 'MUST†',
    pointLevels: { check: 'MUST', scan: 'MUST' },
    source: 'KEP-5313 #goals',
    quote:
      'Guarantee that every (`clusterNamespace`, `clusterName`) pair matches a `ClusterProfile` in the fleet ' +
      '(enforced via admission).',
    summary: 'Every ClusterProfile that a PlacementDecision names exists.',
    fix: 'Create the ClusterProfile first, or correct its name and namespace in the decision.',
    needs: ['object', 'oldObject', 'cluster'],
    why: 'CEL in a CRD sees one object; this rule reads the ClusterProfiles that it names.',
    messages: {
      missing:
        'names the ClusterProfile "{{value}}", which does not exist; create the profile first, or correct the ' +
        'name and the namespace',
      unnamed: 'names no ClusterProfile; set it to the name of one, or remove the entry',
    },
  },
  cel: notInCel.others,
  check(context) {
    const wanted = newReferences(context);
    if (wanted.length === 0) return [];
    let reads = 0;
    const answers = wanted.map(({ namespace, name }): MaybePromise<ProfileAnswer> => {
      if (name === '') return NONE;
      reads += 1;
      return reads > MOST_READS ? TOO_MANY : context.view.get({ dialect: clusterProfile, namespace, name });
    });
    return Promise.all(answers).then((known) =>
      withOneUnknown(wanted.flatMap((reference, index) => resultOf(reference, known[index] ?? NONE))),
    );
  },
});

const TOO_MANY: ProfileAnswer = {
  known: false,
  reason: `more than ${MOST_READS} ClusterProfiles would have to be read`,
};

/** Returns the first reference to each profile, and the first to none, that the stored object has nowhere. */
function newReferences({ object, oldObject, namespace }: Context): readonly ProfileReference[] {
  const stored = new Set(entriesIn(oldObject, namespace).map(keyOf));
  return distinct(entriesIn(object, namespace)).filter((reference) => !stored.has(keyOf(reference)));
}

/** Reports a reference to a profile that does not exist. A profile that is being deleted still exists. */
function resultOf(reference: ProfileReference, answer: ProfileAnswer): readonly RuleResult[] {
  const { path, name } = reference;
  if (name === '') return [{ path, messageId: 'unnamed' }];
  if (!answer.known) return [{ path, unknown: answer.reason }];
  return answer.value === undefined ? [{ path, messageId: 'missing', data: { value: shown(reference) } }] : [];
}

/** Returns the results with at most one `unknown`: one reason is enough, however many profiles can't be read. */
function withOneUnknown(results: readonly RuleResult[]): readonly RuleResult[] {
  const first = results.find((result) => 'unknown' in result);
  return results.filter((result) => !('unknown' in result) || result === first);
}
