/**
 * Who may delete an object by way of the garbage collector. The collector and the namespace controller may delete whatever they find, and
 * findings on that are only recorded: a refused deletion blocks a namespace forever. `bindsCollectors` on a rule is the exception.
 * In return, whoever adds an ownerReference can have the collector delete the object (an owner that does not exist is enough), so the
 * rules that guard a DELETE guard such a write too (`guardsOwners`).
 */
import { at, canonical, listOf, same } from './json.ts';
import { serviceAccountUser } from './principal.ts';
import type { Context, Json, JsonObject, Path } from './rule.ts';

/** Where an object names its owners. */
export const OWNERS: Path = ['metadata', 'ownerReferences'];

const COLLECTORS: ReadonlySet<string> = new Set(
  ['generic-garbage-collector', 'namespace-controller'].map((name) => serviceAccountUser(`kube-system/${name}`)),
);

type Write = Pick<Context, 'identity' | 'operation' | 'object' | 'oldObject'>;

/** Whether the garbage collector or the namespace controller deletes the object, or changes metadata only. */
export function isCollecting(write: Write): boolean {
  if (write.identity === undefined || !COLLECTORS.has(write.identity.username)) return false;
  return write.operation === 'DELETE' || (write.operation === 'UPDATE' && changesMetadataOnly(write));
}

/** Whether an update leaves spec and status as they are stored. */
export function changesMetadataOnly({ object, oldObject }: Pick<Write, 'object' | 'oldObject'>): boolean {
  return same(object['spec'], oldObject?.['spec']) && same(object['status'], oldObject?.['status']);
}

/** Whether an UPDATE of the main resource adds or changes an ownerReference. Removing one is free. */
export function gainsOwner({ operation, subresource, object, oldObject }: Context): boolean {
  if (operation !== 'UPDATE' || subresource !== '') return false;
  const now = ownersOf(object);
  if (now.length === 0) return false;
  // As text: comparing each with each would take too long where there are thousands.
  const before = new Set(ownersOf(oldObject).map(canonical));
  return now.some((owner) => !before.has(canonical(owner)));
}

/** What is no list the API server refuses itself; it counts as one reference. */
function ownersOf(object: JsonObject | undefined): readonly Json[] {
  const owners = at(object, OWNERS);
  return owners === undefined || Array.isArray(owners) ? listOf(owners) : [owners];
}
