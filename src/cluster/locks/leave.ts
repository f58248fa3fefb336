/**
 * Leaving settles a join: a membership that is about to go is one that came. Who asks an API server to leave has one; whoever
 * sends us a review of his own making may have none, and a join that is still on its way. So that it is there is read, never
 * believed.
 */
import { type Deadline, isPast } from '../../engine/cluster-state.ts';
import type { Subject } from '../../engine/index.ts';
import type { ClusterView } from '../../rules/rule.ts';
import { onlyClusterErrors } from '../live/errors.ts';
import type { LiveObserver } from '../live/observer.ts';
import { noLongerThan } from '../live/patience.ts';
import type { Leases } from './leases.ts';
import { settlementOf } from './lock-state.ts';

/** A view whose reads end with this patience. */
export type ViewWithin = (patience: Deadline) => ClusterView;

interface Means {
  readonly leases: Leases;
  readonly observer: LiveObserver;
  readonly viewWithin: ViewWithin;
}

/** Who leaves may, whatever comes of it, and must not be refused for a Lease that is slow. */
const SETTLE_MS = 1000;
const LOOKS = 5;

/** Frees the Lease where it holds the join of the membership of this uid, and that is stored. Never rejects. */
export async function settleJoin(
  { leases, observer, viewWithin }: Means,
  { dialect }: Subject,
  uid: string | undefined,
  given: Deadline,
): Promise<void> {
  const patience = noLongerThan(SETTLE_MS, given);
  for (let look = 1; look <= LOOKS && !isPast(patience); look++) {
    try {
      const seen = await leases.look(dialect, patience);
      const { intent } = seen;
      const joins = intent?.operation === 'CREATE' && intent.object === dialect.claim?.membershipName;
      if (!joins || uid === undefined || intent.uid !== uid) return;
      const settlement = await settlementOf(intent, dialect, viewWithin(patience));
      if (settlement === 'pending') return;
      if (settlement === 'unclear') break;
      await leases.free(seen, patience);
      return observer.intent('settled');
    } catch (error) {
      if (onlyClusterErrors(error).code !== 'conflict') break;
    }
  }
  observer.intent('stuck');
}
