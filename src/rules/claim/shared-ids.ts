/** The ids of the members of ClusterSets, for the rules that compare clusters. */

import { isBlank } from '../../base/syntax.ts';
import { type ComparedObject, type Conflict, MOST_RELATED, type ObjectComparison, type ObjectFact } from '../rule.ts';
import { claimValue, isId, isMembership, VALUE } from './claim-fields.ts';

/** An id with the ClusterSet that its cluster is a member of. */
export interface ClusterSetMember extends ObjectFact<string> {
  readonly set: string;
}

/** In UTF-16 units. No id is longer; a longer claim is left out. */
const LONGEST = 1024;

/** Keeps the value of an id or a membership. */
export const identityFact: ObjectComparison<string>['factOf'] = (object, compared) => {
  if (!isMembership(compared) && !isId(compared)) return undefined;
  const value = claimValue(object);
  return typeof value === 'string' && value.length <= LONGEST ? value : undefined;
};

/** Returns the ids of members. An id that a cluster has under both of its names is one id, at the newer name. */
export function membersIn(kept: readonly ObjectFact<string>[]): readonly ClusterSetMember[] {
  const clusters = Map.groupBy(kept, ({ object }) => JSON.stringify([object.cluster, object.dialect.name]));
  return [...clusters.values()].flatMap((claims) => {
    const membership = claims.find(({ object }) => isMembership(object));
    if (membership === undefined || isBlank(membership.fact)) return [];
    const ids = claims.filter(({ object, fact }) => isId(object) && fact !== '');
    const newestFirst = ids.sort((a, b) => rankOf(a.object) - rankOf(b.object));
    const distinct = new Map(newestFirst.toReversed().map((id) => [id.fact, { ...id, set: membership.fact }]));
    return [...distinct.values()];
  });
}

function rankOf({ dialect, name }: ComparedObject): number {
  return dialect.claim?.idNames.indexOf(name) ?? 0;
}

/**
 * Returns the conflict of a member with others that have the same id.
 * @param some of the others: at least one, and as many as a finding lists
 * @param count the number of all others
 */
export function sharedWith(
  { object, fact }: ClusterSetMember,
  some: readonly ClusterSetMember[],
  count: number,
): Conflict {
  const others = some.slice(0, MOST_RELATED);
  const more = count - 1;
  const other = `${others[0]?.object.cluster ?? ''}${more > 0 ? ` (and ${more} more)` : ''}`;
  const data = { value: fact, other, membership: object.dialect.claim?.membershipName };
  const related = others.map((one) => ({ object: one.object, path: VALUE, messageId: 'other' }));
  return { object, problem: { path: VALUE, messageId: 'shared', data }, related };
}
