import { listAt, type Path } from '../../base/json.ts';
import { notInCel } from '../cel/expressions.ts';
import { changesOwners, type GuardedPart, guardedChange, OWNERS } from '../ownership.ts';
import { isAmong, reportCaller } from '../principal.ts';
import { type Context, defineRule, NAME, NO_CALLER_STORED } from '../rule.ts';

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
  const { subresource, object, oldObject } = context;
  if (changesOwners(context)) return OWNERS;
  const path = guardedChange(context, NAME, subresource === 'status' ? [STATUS] : PARTS);
  if (path !== undefined) return path;
  const before = new Set(listAt(oldObject, FINALIZERS));
  return listAt(object, FINALIZERS).some((one) => !before.has(one)) ? FINALIZERS : undefined;
}

const STATUS: GuardedPart = [['status'], {}];
const PARTS: readonly GuardedPart[] = [
  [['spec'], {}],
  STATUS,
  [['metadata', 'labels'], {}],
  [['metadata', 'annotations'], {}],
  [OWNERS, []],
];
const FINALIZERS: Path = ['metadata', 'finalizers'];
