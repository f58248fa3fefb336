/** What the live view stands on: muster's namespace, its Leases, and the rights of user `muster`; as the manifests have them. */
import { leases, ownNamespace, serverAccess } from '../../../src/manifests/access.ts';
import { NAMESPACE } from '../../../src/manifests/names.ts';
import type { ControlPlane } from './control-plane.ts';

export async function grantAccess(controlPlane: ControlPlane): Promise<void> {
  await controlPlane.apply(ownNamespace(NAMESPACE), ...leases(NAMESPACE), ...serverAccess(NAMESPACE));
}
