import { clusterProfile } from '../../api/dialects.ts';
import { notInCel } from '../cel/expressions.ts';
import { type Context, defineRule } from '../rule.ts';
import { missingProfiles, type ProfileAnswer, resultOf, withOneUnknown } from './known-profiles.ts';
import { distinct, entriesIn, keyOf, type ProfileReference } from './placement-fields.ts';

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
      unnamed: 'names no ClusterProfile; set it to the name of one, or remove the entry',
    },
  },
  cel: notInCel.others,
  check(context) {
    const wanted = newReferences(context);
    if (wanted.length === 0) return [];
    let reads = 0;
    const answers = wanted.map(({ namespace, name }): ProfileAnswer | Promise<ProfileAnswer> => {
      if (name === '') return NONE;
      reads += 1;
      return reads > MOST_READS ? TOO_MANY : context.view.get({ dialect: clusterProfile, namespace, name });
    });
    return Promise.all(answers).then((known) =>
      withOneUnknown(wanted.flatMap((reference, index) => resultOf(reference, known[index] ?? NONE))),
    );
  },
});

const NONE: ProfileAnswer = { known: true, value: undefined };
const TOO_MANY: ProfileAnswer = {
  known: false,
  reason: `more than ${MOST_READS} ClusterProfiles would have to be read`,
};

/** Returns the first reference to each profile, and the first to none, that the stored object has nowhere. */
function newReferences({ object, oldObject, namespace }: Context): readonly ProfileReference[] {
  const stored = new Set(entriesIn(oldObject, namespace).map(keyOf));
  return distinct(entriesIn(object, namespace)).filter((reference) => !stored.has(keyOf(reference)));
}
