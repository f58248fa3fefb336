/** When an intent counts no more: its write is committed, can never be committed, or has had its time. */

import type { Dialect } from '../../api/dialects.ts';
import { textAt } from '../../rules/json.ts';
import type { ClusterView } from '../../rules/rule.ts';
import { isWellKnown } from '../live/paths.ts';
import { type Intent, LAPSE_SECONDS } from './lock.ts';

const LAPSE_MS = LAPSE_SECONDS * 1000;

/** `unclear`: the read failed. */
export type Settlement = 'settled' | 'pending' | 'unclear';

/**
 * Whether a consistent read shows that the intent's write can't be committed after it. UPDATE and DELETE are decided within
 * the storage's compare-and-swap: what was decided of one resourceVersion is void once another is stored. A CREATE
 * that is committed shows its uid; one that is not may come at any time.
 */
export async function settlementOf(intent: Intent, dialect: Dialect, view: ClusterView): Promise<Settlement> {
  const { operation, object, uid, resourceVersion, contested } = intent;
  if (operation === undefined || object === undefined || uid === undefined || contested) return 'pending';
  if (!isWellKnown(dialect, object)) return 'pending';
  if (operation !== 'CREATE' && resourceVersion === undefined) return 'pending';
  const stored = await view.get({ dialect, name: object });
  if (!stored.known) return 'unclear';
  const sameObject = stored.value !== undefined && textAt(stored.value, ['metadata', 'uid']) === uid;
  if (operation === 'CREATE') return sameObject ? 'settled' : 'pending';
  const asDecided = sameObject && textAt(stored.value, ['metadata', 'resourceVersion']) === resourceVersion;
  return asDecided ? 'pending' : 'settled';
}

export interface LapseWatch {
  /**
   * Whether the intent has had its time: by its stamp against the API server's clock, or because this process has seen it
   * unchanged for that long, whatever the stamp says.
   * @param now the API server's clock, in milliseconds since the epoch
   */
  hasLapsed(lease: string, intent: Intent, now: number): boolean;
}

/** @param clock milliseconds that only ever grow */
export function createLapseWatch(clock: () => number = () => performance.now()): LapseWatch {
  /** By Lease, of which there are three. */
  const seen = new Map<string, { readonly print: string; readonly since: number }>();
  return {
    hasLapsed(lease, intent, now) {
      const print = JSON.stringify(intent);
      const before = seen.get(lease);
      if (before?.print !== print) seen.set(lease, { print, since: clock() });
      // The API server tells whole seconds, so that the difference of two may be a second too long.
      if (intent.renewed !== undefined && now - intent.renewed > LAPSE_MS) return true;
      return before?.print === print && clock() - before.since > LAPSE_MS;
    },
  };
}
