/**
 * A user who adds an ownerReference can have the garbage collector delete the object (an owner that does not exist is
 * enough), and the collector may delete whatever it finds (engine/verdict.ts). So the rules that guard a DELETE guard
 * such a write too (`guardsOwners`).
 */
import { at, canonical, listOf } from './json.ts';
import type { Context, Json, JsonObject, Path } from './rule.ts';

/** Where an object names its owners. */
export const OWNERS: Path = ['metadata', 'ownerReferences'];

/** Whether an UPDATE of the main resource adds or changes an ownerReference. Removing one is free. */
export function gainsOwner({ operation, subresource, object, oldObject }: Context): boolean {
  if (operation !== 'UPDATE' || subresource !== '') return false;
  const now = ownersOf(object);
  if (now.length === 0) return false;
  // As text: comparing each with each would take too long where there are thousands.
  const before = new Set(ownersOf(oldObject).map(canonical));
  return now.some((owner) => !before.has(canonical(owner)));
}

/** Returns the owners. The API server refuses anything but a list; here it counts as one reference. */
function ownersOf(object: JsonObject | undefined): readonly Json[] {
  const owners = at(object, OWNERS);
  return owners === undefined || Array.isArray(owners) ? listOf(owners) : [owners];
}
