/**
 * Finds the ids with which a cluster is a member of a ClusterSet: those that are stored, and those that a write adds.
 */
import type { Dialect } from '../../api/dialects.ts';
import { type JsonObject, same } from '../../base/json.ts';
import { isBlank } from '../../base/syntax.ts';
import type { Answer, ClusterIdentity, ClusterView, Context, Subject } from '../rule.ts';
import { claimValue, isId, isMembership, mapAnswer, readIds, readMembership } from './claim-fields.ts';

/** Whether the write may add an id to a ClusterSet: it creates an id or a membership, or changes the value of one. */
export function mayJoin(write: Subject): boolean {
  const { operation, subresource, object, oldObject } = write;
  if (subresource !== '' || operation === 'DELETE' || (!isId(write) && !isMembership(write))) return false;
  return operation === 'CREATE' || !same(claimValue(object), claimValue(oldObject));
}

/** Returns the ids that a write for which `mayJoin` holds adds to a ClusterSet. */
export async function identitiesJoined(context: Context): Promise<Answer<readonly ClusterIdentity[]>> {
  const { dialect, object, view } = context;
  if (isMembership(context)) return mapAnswer(await readIds(dialect, view), (ids) => combined(dialect, object, ids));
  return mapAnswer(await readMembership(dialect, view), (membership) => combined(dialect, membership, [object]));
}

/** Returns the ids with which the cluster is a member: more than one only if its two names hold different values. */
export async function identitiesOf(dialect: Dialect, view: ClusterView): Promise<Answer<readonly ClusterIdentity[]>> {
  const membership = await readMembership(dialect, view);
  if (!membership.known || membership.value === undefined) return mapAnswer(membership, () => []);
  return mapAnswer(await readIds(dialect, view), (ids) => combined(dialect, membership.value, ids));
}

function combined(
  { group }: Dialect,
  membership: JsonObject | undefined,
  ids: readonly JsonObject[],
): readonly ClusterIdentity[] {
  const clusterSet = claimValue(membership);
  if (typeof clusterSet !== 'string' || isBlank(clusterSet)) return [];
  const values = new Set(ids.map(claimValue).filter((value) => typeof value === 'string' && value !== ''));
  return [...values].map((id) => ({ apiGroup: group, clusterSet, id: String(id) }));
}
