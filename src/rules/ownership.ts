/**
 * A user who adds an ownerReference can have the garbage collector delete the object (an owner that does not exist is
 * enough), and so can a user who removes one of several: the collector deletes by those that stay, whatever it finds
 * (engine/verdict.ts). So the rules that guard a DELETE guard such a write too (`checksOwnerReferences`).
 */
import { at, canonical, type Json, type JsonObject, listOf, type Path } from '../base/json.ts';
import type { Context } from './rule.ts';

/** Where an object names its owners. */
export const OWNERS: Path = ['metadata', 'ownerReferences'];

/**
 * Whether an UPDATE of the main resource leaves the object with other owners than it had. Removing all of them is free.
 */
export function changesOwners({ operation, subresource, object, oldObject }: Context): boolean {
  if (operation !== 'UPDATE' || subresource !== '') return false;
  // As text: comparing each with each would take too long where there are thousands.
  const now = new Set(ownersOf(object).map(canonical));
  if (now.size === 0) return false;
  const before = new Set(ownersOf(oldObject).map(canonical));
  return now.size !== before.size || [...now].some((owner) => !before.has(owner));
}

/** Returns the owners. The API server refuses anything but a list; here it counts as one reference. */
function ownersOf(object: JsonObject | undefined): readonly Json[] {
  const owners = at(object, OWNERS);
  return owners === undefined || Array.isArray(owners) ? listOf(owners) : [owners];
}
