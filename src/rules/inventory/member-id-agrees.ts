import { clusterProfile } from '../../api/dialects.ts';
import { firstOther } from '../../base/collections.ts';
import { textAt } from '../../base/json.ts';
import { longerThan } from '../../base/syntax.ts';
import { notInCel } from '../cel/expressions.ts';
import { type Conflict, defineRule, type ObjectComparison, type ObjectFact } from '../rule.ts';
import { MEMBER_ID_PATH } from './inventory-fields.ts';
import { identityText, LONGEST, listedIdentities, propertiesOf } from './member-clusters.ts';

/** As JSON: the facts of up to 100,000 objects are kept, and a text takes a third of the memory of the lists. */
type Fact = string;

/**
 * The most different lists of one member id that each of its profiles is compared with: comparing each with all takes
 * quadratic time.
 */
const MOST_LISTS = 100;

interface ListedProfile extends ObjectFact<Fact> {
  readonly memberId: string;
  /** Each ClusterSet with an id that the profile lists. */
  readonly identities: readonly string[];
}

/**
 * Keeps the member id of a profile and the members that its properties name. A profile without both agrees with all.
 */
const comparison: ObjectComparison<Fact> = {
  kinds: [clusterProfile],
  acrossOnly: false,
  factOf(object) {
    const memberId = textAt(object, MEMBER_ID_PATH);
    if (!memberId) return undefined;
    const properties = propertiesOf(object).filter(({ value }) => !longerThan(value, LONGEST));
    const identities = listedIdentities(properties).map(identityText);
    return identities.length > 0 ? JSON.stringify([memberId, identities]) : undefined;
  },
  conflicts: (kept) => [...Map.groupBy(kept, ({ object }) => object.cluster).values()].flatMap(conflictsIn),
};

export const rule = defineRule({
  id: 'inventory/member-id-agrees',
  // It compares the profiles of all namespaces, which no single write can be checked for.
  on: [],
  subresources: ['', 'status'],
  comparison,
  meta: {
    summary: 'Profiles of one member cluster have one member id; those of other clusters have others.',
    fix: 'Give the profiles of one member cluster the same id, and each cluster an id of its own.',
    level: 'SHOULD',
    source: 'KEP-4322 #uniqueness-of-the-clusterprofile-object (commit 3a8eb262)',
    quote:
      'objects representing the same member cluster use the same value, and objects representing different ' +
      'member clusters use different values',
    needs: ['object', 'cluster'],
    why: 'CEL in a CRD sees one object; this rule compares the profiles of all namespaces.',
    messages: {
      differs:
        'should be that of "{{other}}" in the namespace {{namespace}}, whose properties name the same member ' +
        'cluster, got "{{value}}"; give both the same id, or correct the properties',
      shared:
        'should differ from that of "{{other}}" in the namespace {{namespace}}, whose properties name another ' +
        'member cluster, got "{{value}}"; give each cluster an id of its own, or correct the properties',
      other: 'the other profile',
    },
  },
  cel: notInCel.others,
});

function conflictsIn(kept: readonly ObjectFact<Fact>[]): readonly Conflict[] {
  const profiles = kept.map((one): ListedProfile => {
    const [memberId, identities] = JSON.parse(one.fact) as [string, string[]];
    return { ...one, memberId, identities };
  });
  const found = new Map<ListedProfile, Conflict>();
  const add = (messageId: 'differs' | 'shared', one: ListedProfile, other: ListedProfile | undefined) => {
    if (other !== undefined && !found.has(one)) found.set(one, conflictOf(messageId, one, other));
  };
  const listing = profiles.flatMap((profile) => profile.identities.map((identity) => ({ identity, profile })));
  for (const group of Map.groupBy(listing, ({ identity }) => identity).values()) {
    const same = group.map(({ profile }) => profile);
    const other = firstOther(same, ({ memberId }) => memberId);
    for (const one of same) add('differs', one, other(one));
  }
  for (const same of Map.groupBy(profiles, ({ memberId }) => memberId).values()) {
    // Profiles with equal lists are alike, so one of each is compared.
    const byList = Map.groupBy(same, ({ identities }) => JSON.stringify(identities));
    const different = [...byList.values()].slice(0, MOST_LISTS).flatMap(([first]) => first ?? []);
    for (const one of same) {
      const isApart = ({ identities }: ListedProfile) => identities.every((each) => !one.identities.includes(each));
      add('shared', one, different.find(isApart));
    }
  }
  return [...found.values()];
}

function conflictOf(
  messageId: 'differs' | 'shared',
  { object, memberId }: ListedProfile,
  other: ListedProfile,
): Conflict {
  const data = { value: memberId, other: other.object.name, namespace: other.object.namespace };
  return {
    object,
    problem: { path: MEMBER_ID_PATH, messageId, data },
    related: [{ object: other.object, path: MEMBER_ID_PATH, messageId: 'other' }],
  };
}
