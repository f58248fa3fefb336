/** KEP-4322, Terminology: "Each cluster inventory resource SHOULD be managed by only one cluster manager." */
import { absent } from '../cel/cel.ts';
import { comparing, type Steps } from '../comparing.ts';
import { at } from '../json.ts';
import { caller, isAmong, whoAsks } from '../principal.ts';
import { type Context, defineRule, type Interruptible, type Path, type Principal, type Yielded } from '../rule.ts';
import { MANAGER, MANAGER_LABEL_PATH, MANAGER_NAME, managerOf, neverFreezesStatus } from './reading.ts';

export const rule = defineRule({
  id: 'inventory/sole-manager',
  concept: 'inventory',
  on: ['CREATE', 'UPDATE', 'DELETE'],
  subresources: ['', 'status'],
  meta: {
    level: 'SHOULD',
    basis: 'kep',
    source: 'KEP-4322 #terminology',
    quote: 'Each cluster inventory resource SHOULD be managed by only one cluster manager.',
    needs: ['object', 'oldObject', 'identity'],
    why: 'CEL in a CRD does not see who asks; RBAC cannot tell the objects of one manager from those of another.',
    code: 403,
    inertUntil: 'inventory.managers',
    messages: {
      stranger:
        'belongs to the cluster manager "{{manager}}", and "{{user}}" is none of its principals; leave it to the manager, or add the user to inventory.managers',
    },
  },
  cel: absent.identity,
  awake: (settings) => settings.inventory.managers !== undefined,
  atMost: neverFreezesStatus,
  *check(context): Iterable<Yielded | Interruptible> {
    const path = yield* touched(context);
    if (path === undefined) return;
    for (const manager of owners(context)) {
      const principals = context.settings.inventory.managers?.get(manager);
      // A manager nobody configured is inventory/known-manager's matter.
      if (principals === undefined || mayWrite(context, principals)) continue;
      yield whoAsks(context) ?? { path, messageId: 'stranger', data: { manager, user: caller(context) } };
      return;
    }
  },
});

/** What of the manager's own this request writes. Consumers' labels, annotations and `spec.displayName` stay theirs. */
function* touched({ operation, subresource, object, oldObject }: Context): Steps<Path | undefined> {
  if (operation !== 'UPDATE') return MANAGER_NAME;
  const places = subresource === 'status' ? [['status']] : [MANAGER, MANAGER_LABEL_PATH];
  for (const path of places) if (!(yield* comparing(at(object, path), at(oldObject, path)))) return path;
  return undefined;
}

/** Whose the object is, and whose it is to become. */
function owners({ object, oldObject }: Context): Set<string> {
  return new Set([managerOf(oldObject), managerOf(object)].filter((name) => name !== undefined));
}

function mayWrite(context: Context, principals: readonly Principal[]): boolean {
  return context.identity !== undefined && isAmong(context.identity, principals);
}
