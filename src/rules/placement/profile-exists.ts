import { clusterProfile } from '../../api/dialects.ts';
import { notInCel } from '../cel/expressions.ts';
import { type Context, defineRule } from '../rule.ts';
import { missingProfiles, type ProfileAnswer, resultOf, withOneUnknown } from './known-profiles.ts';
import { distinct, keyOf, type ProfileReference, referencesIn } from './placement-fields.ts';

/** The most objects that are read for one write: as many as upstream's CRD allows an object to name. */
const MOST_READS = 100;

export const rule = defineRule({
  id: 'placement/profile-exists',
  on: ['CREATE', 'UPDATE'],
  dialects: ['placement-decision'],
  comparison: missingProfiles,
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
    },
  },
  cel: notInCel.others,
  check(context) {
    const wanted = newReferences(context);
    if (wanted.length === 0) return [];
    const readable = wanted.slice(0, MOST_READS);
    const answers = readable.map(({ namespace, name }) =>
      context.view.get({ dialect: clusterProfile, namespace, name }),
    );
    const unread = wanted.slice(MOST_READS).map((reference) => resultOf(reference, TOO_MANY));
    return Promise.all(answers).then((known) => {
      const results = readable.flatMap((reference, index) => resultOf(reference, known[index] ?? TOO_MANY));
      return withOneUnknown([...results, ...unread.flat()]);
    });
  },
});

const TOO_MANY: ProfileAnswer = {
  known: false,
  reason: `more than ${MOST_READS} ClusterProfiles would have to be read`,
};

/** Returns the first reference to each profile that the stored object does not name anywhere. */
function newReferences({ operation, object, oldObject, namespace }: Context): readonly ProfileReference[] {
  const before = operation === 'UPDATE' ? referencesIn(oldObject, namespace) : [];
  const stored = new Set(before.map(keyOf));
  return distinct(referencesIn(object, namespace)).filter((reference) => !stored.has(keyOf(reference)));
}
