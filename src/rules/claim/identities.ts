/**
 * Finds the ids with which a cluster is a member of a ClusterSet: those that are stored, and those that a write adds.
 */
import type { Dialect } from '../../api/dialects.ts';
import { type JsonObject, same } from '../../base/json.ts';
import { isBlank } from '../../base/syntax.ts';
import type { Answer, ClusterIdentity, ClusterView, Context, Subject } from '../rule.ts';
import { claimValue, readIds } from './claim-fields.ts';

/** Whether the write may add an id to a ClusterSet: it creates an id or a membership, or changes the value of one. */
export function mayJoin({ dialect, operation, subresource, name, object, oldObject }: Subject): boolean {
  const { claim } = dialect;
  if (claim === undefined || subresource !== '' || operation === 'DELETE') return false;
  if (name !== claim.membershipName && !claim.idNames.includes(name)) return false;
  return operation === 'CREATE' || !same(claimValue(object), claimValue(oldObject));
}

/** Returns the ids that a write for which `mayJoin` holds adds to a ClusterSet. */
export async function identitiesJoined({
  dialect,
  name,
  object,
  view,
}: Context): Promise<Answer<readonly ClusterIdentity[]>> {
  if (name !== dialect.claim?.membershipName) {
    const membership = await view.get({ dialect, name: dialect.claim?.membershipName ?? '' });
    if (!membership.known) return membership;
    return { known: true, value: combined(dialect, membership.value, [object]) };
  }
  return withIds(dialect, view, object);
}

/** Returns the ids with which the cluster is a member: more than one only if its two names hold different values. */
export async function identitiesOf(dialect: Dialect, view: ClusterView): Promise<Answer<readonly ClusterIdentity[]>> {
  const membership = await view.get({ dialect, name: dialect.claim?.membershipName ?? '' });
  if (!membership.known) return membership;
  if (membership.value === undefined) return { known: true, value: [] };
  return withIds(dialect, view, membership.value);
}

async function withIds(
  dialect: Dialect,
  view: ClusterView,
  membership: JsonObject,
): Promise<Answer<readonly ClusterIdentity[]>> {
  const ids = await readIds(dialect, view);
  return ids.known ? { known: true, value: combined(dialect, membership, ids.value) } : ids;
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
