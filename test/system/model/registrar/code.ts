/** The code under test, with or without a planted fault. */
import type { createHub } from '../../../../src/cluster/registrar/hub.ts';
import type { createRegistrar, syncOnce } from '../../../../src/cluster/registrar/registrar.ts';
import type { newReservation, reservationIn } from '../../../../src/cluster/registrar/reservation.ts';
import { type Edit, type Code as LockCode, loadModules } from '../lock/code.ts';

/** What the model calls of it. */
export interface Code
  extends Pick<LockCode, 'createLiveClusterState' | 'createEngine' | 'defaultPolicy' | 'ClusterError' | 'statusError'> {
  readonly createHub: typeof createHub;
  readonly createRegistrar: typeof createRegistrar;
  readonly syncOnce: typeof syncOnce;
  readonly newReservation: typeof newReservation;
  readonly reservationIn: typeof reservationIn;
}

/** Loads the code, with the edits in it. @throws where the text of an edit does not occur once */
export function loadCode(edits: readonly Edit[] = []): Promise<Code> {
  return loadModules<Code>(
    [
      'cluster/live-cluster-state.ts',
      'cluster/live/errors.ts',
      'cluster/registrar/hub.ts',
      'cluster/registrar/registrar.ts',
      'cluster/registrar/reservation.ts',
      'engine/index.ts',
      'engine/policy.ts',
    ],
    edits,
  );
}
