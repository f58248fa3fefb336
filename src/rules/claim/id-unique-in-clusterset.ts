import { absent } from '../cel/text.ts';
import { type Comparison, type Conflict, defineRule, type Kept, type StoredObject } from '../rule.ts';
import { isBlank } from '../syntax.ts';
import { claimValue, VALUE } from './reading.ts';

/** An id with the ClusterSet that its cluster is a member of. */
interface Member extends Kept<string> {
  readonly set: string;
}

/** The most other members that a finding lists. */
const MOST_LISTED = 8;

/** Characters. No id is so long, and of a claim this long nothing is kept. */
const LONGEST = 1024;

const comparison: Comparison<string> = {
  concepts: ['claim'],
  acrossOnly: true,
  factOf(object, { dialect: { claim }, name }) {
    if (claim?.membershipName !== name && !claim?.idNames.includes(name)) return undefined;
    const value = claimValue(object);
    return typeof value === 'string' && value.length <= LONGEST ? value : undefined;
  },
  conflicts(kept) {
    const groups = Map.groupBy(membersIn(kept), ({ of, fact, set }) => JSON.stringify([of.dialect.name, set, fact]));
    return [...groups.values()].filter(({ length }) => length > 1).flatMap((group) => group.map(sharedWith(group)));
  },
};

export const rule = defineRule({
  id: 'claim/id-unique-in-clusterset',
  // Another cluster's API server holds the other id, so no write can be refused for it.
  on: [],
  meta: {
    summary: 'No two clusters of one ClusterSet have the same id.',
    fix: 'Give one of the clusters another id. If it is a member already, delete its membership, change the id, then create the membership again.',
    level: 'MUST',
    source: 'KEP-2149 #uniqueness',
    quote:
      'The identifier **must** be unique within the ClusterSet to which its cluster belongs for the duration of the cluster’s membership.',
    needs: ['object', 'cluster'],
    why: 'Each API server sees the claims of its own cluster; check and scan compare those of several clusters.',
    messages: {
      shared:
        'must be unique within the ClusterSet, got "{{value}}", which is the id of the cluster {{other}} too; give one of them another id (a member leaves the ClusterSet first: delete {{membership}})',
      other: 'the same id in the same ClusterSet',
    },
  },
  cel: absent.clusters,
  comparison,
});

/** Returns the ids of members. An id that a cluster has under both of its names is one id, at the newer name. */
function membersIn(kept: readonly Kept<string>[]): readonly Member[] {
  const clusters = Map.groupBy(kept, ({ of }) => JSON.stringify([of.cluster, of.dialect.name]));
  return [...clusters.values()].flatMap((claims) => {
    const membership = claims.find(({ of }) => of.name === of.dialect.claim?.membershipName);
    if (membership === undefined || isBlank(membership.fact)) return [];
    const ids = claims.filter(({ of, fact }) => of.dialect.claim?.idNames.includes(of.name) && fact !== '');
    const newestFirst = ids.sort((a, b) => rankOf(a.of) - rankOf(b.of));
    const distinct = new Map(newestFirst.toReversed().map((id) => [id.fact, { ...id, set: membership.fact }]));
    return [...distinct.values()];
  });
}

function rankOf({ dialect, name }: StoredObject): number {
  return dialect.claim?.idNames.indexOf(name) ?? 0;
}

function sharedWith(group: readonly Member[]) {
  // A few more than are listed: the member itself is not among them.
  const listed = group.slice(0, MOST_LISTED + 1);
  return ({ of, fact }: Member): Conflict => {
    const others = listed.filter((other) => other.of !== of).slice(0, MOST_LISTED);
    const [first] = others;
    const more = group.length - 2;
    const other = `${first?.of.cluster ?? ''}${more > 0 ? ` (and ${more} more)` : ''}`;
    const data = { value: fact, other, membership: of.dialect.claim?.membershipName };
    const related = others.map((one) => ({ of: one.of, path: VALUE, messageId: 'other' }));
    return { of, problem: { path: VALUE, messageId: 'shared', data }, related };
  };
}
