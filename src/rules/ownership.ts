/**
 * Whoever may add an ownerReference can have the garbage collector delete the object: an owner that does not exist is
 * enough. So the rules that guard a DELETE guard such a write too.
 */
import { at, listOf, same } from './json.ts';
import type { Context, Json, JsonObject, Path } from './rule.ts';

/** Where an object says who owns it. */
export const OWNERS: Path = ['metadata', 'ownerReferences'];
/** Beyond this many references they are compared as text: comparing each with each would take too long. */
const FEW = 64;

/** Whether an UPDATE of the main resource adds or changes an ownerReference. Taking one away is free. */
export function gainsOwner({ operation, subresource, object, oldObject }: Context): boolean {
  if (operation !== 'UPDATE' || subresource !== '') return false;
  const now = ownersOf(object);
  if (now.length === 0) return false;
  const before = ownersOf(oldObject);
  if (now.length <= FEW) return now.some((owner) => !before.some((other) => same(owner, other)));
  const known = new Set(before.map(textOf));
  return now.some((owner) => !known.has(textOf(owner)));
}

/** What is no list the API server refuses itself; it counts as one reference. */
function ownersOf(object: JsonObject | undefined): readonly Json[] {
  const owners = at(object, OWNERS);
  return owners === undefined || Array.isArray(owners) ? listOf(owners) : [owners];
}

/** Members in one order, none that is null. */
function textOf(owner: Json): string {
  return JSON.stringify(owner, (_, value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(
          Object.entries(value)
            .filter(([, member]) => member !== null)
            .sort(([a], [b]) => (a < b ? -1 : 1)),
        )
      : value,
  );
}
