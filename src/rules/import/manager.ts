import { at, type Json, listAt, type Path, same } from '../../base/json.ts';
import { notInCel } from '../cel/expressions.ts';
import { changesOwners, OWNERS } from '../ownership.ts';
import { isAmong, reportCaller } from '../principal.ts';
import { type Context, defineRule, NO_CALLER_STORED } from '../rule.ts';

export const rule = defineRule({
  id: 'import/manager',
  on: ['CREATE', 'UPDATE', 'DELETE'],
  subresources: ['', 'status'],
  dialects: ['service-import'],
  checksOwnerReferences: true,
  ratchets: false,
  scan: NO_CALLER_STORED,
  meta: {
    summary: 'Only the configured import managers create, change or delete a ServiceImport.',
    fix:
      'Leave the ServiceImport to the controller of your multi-cluster services. If the user is that controller, add ' +
      'it to services.importManagers.',
    level: 'SHOULD',
    basis: 'upstream',
    source: 'multi-cluster services of KEP-1645 #importing-services',
    quote:
      'Because of the potential wide impact a `ServiceImport` may have within a cluster, non-cluster-admin users ' +
      'should not be allowed to create or modify `ServiceImport` resources. The mcs-controller should be solely ' +
      'responsible for the lifecycle of a `ServiceImport`.',
    needs: ['object', 'oldObject', 'identity'],
    why: 'CEL in a CRD does not see the user; RBAC warns nobody, and a broad role such as edit may include the kind.',
    inertUntil: 'services.importManagers',
    messages: {
      stranger:
        'only the configured import managers write a ServiceImport, not "{{user}}"; leave it to the controller of ' +
        'your multi-cluster services, or add the user to services.importManagers',
      owner:
        'deleting an owner deletes the ServiceImport, which only the configured import managers may do, not ' +
        '"{{user}}"; leave the ownerReferences unchanged, or add the user to services.importManagers',
    },
  },
  cel: notInCel.identity,
  enabled: ({ services }) => services.importManagers !== undefined,
  check(context) {
    const path = touched(context);
    if (path === undefined) return [];
    if (isAmong(context.identity, context.settings.services.importManagers)) return [];
    return reportCaller(context, { path, messageId: changesOwners(context) ? 'owner' : 'stranger' });
  },
});

/** Returns the guarded part that the request changes. Anyone may remove finalizers, so that a deletion can finish. */
function touched(context: Context): Path | undefined {
  const { operation, subresource, object, oldObject } = context;
  if (operation !== 'UPDATE') return ['metadata', 'name'];
  if (changesOwners(context)) return OWNERS;
  const changed = (subresource === 'status' ? [STATUS] : PLACES).find(
    ([path, none]) => !same(at(object, path) ?? none, at(oldObject, path) ?? none),
  );
  if (changed !== undefined) return changed[0];
  const before = new Set(listAt(oldObject, FINALIZERS));
  return listAt(object, FINALIZERS).some((one) => !before.has(one)) ? FINALIZERS : undefined;
}

/** A guarded part, and the value that counts as equal to its absence. */
type ManagedPart = readonly [path: Path, none: Json];
const STATUS: ManagedPart = [['status'], {}];
const PLACES: readonly ManagedPart[] = [
  [['spec'], {}],
  STATUS,
  [['metadata', 'labels'], {}],
  [['metadata', 'annotations'], {}],
  [OWNERS, []],
];
const FINALIZERS: Path = ['metadata', 'finalizers'];
