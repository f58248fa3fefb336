/** The Leases that hold intents: looked at, taken and given back, each under the Lease's resourceVersion. */

import { randomUUID } from 'node:crypto';
import type { Dialect } from '../../api/dialects.ts';
import { lockLeaseOf } from '../../api/dialects.ts';
import type { Deadline } from '../../engine/cluster-state.ts';
import { textAt } from '../../rules/json.ts';
import type { JsonObject } from '../../rules/rule.ts';
import { expectObject } from '../live/answer.ts';
import type { ApiClient } from '../live/client.ts';
import { ClusterError } from '../live/errors.ts';
import { leasePath } from '../live/paths.ts';
import { callWithin } from '../live/view.ts';
import { type Intent, intentIn, intentOf, withIntent, withoutIntent } from './lock.ts';
import type { IdentityWrite } from './writes.ts';

/** A Lease as it was found. */
export interface Seen {
  readonly dialect: Dialect;
  readonly lease: JsonObject;
  readonly intent: Intent | undefined;
  /** The API server's clock, in milliseconds since the epoch. */
  readonly now: number;
}

export interface Leases {
  /** NAMESPACE/NAME, for people. */
  nameOf(dialect: Dialect): string;
  /** @throws ClusterError */
  look(dialect: Dialect, patience: Deadline): Promise<Seen>;
  /**
   * Puts the write's intent in place of what was seen. `own`: one of the same owner that was seen there, not settled.
   * Returns how to give it back: it throws where it can't be, and changes nothing that was written since.
   * @throws ClusterError `conflict` where somebody else was first; for other codes it is not known whether it was taken
   */
  take(seen: Seen, write: IdentityWrite, own: Intent | undefined, patience: Deadline): Promise<GiveBack>;
  /** Frees the Lease, if it is as it was seen. @throws ClusterError */
  free(seen: Seen, patience: Deadline): Promise<void>;
}

export type GiveBack = (patience: Deadline) => Promise<void>;

export function createLeases(client: ApiClient): Leases {
  const put = async (dialect: Dialect, body: JsonObject, patience: Deadline): Promise<JsonObject> => {
    const path = leasePath(client.namespace, dialect);
    const answer = await callWithin(client, patience, { method: 'PUT', path, body });
    return expectWritten(expectObject(answer.body, askedFor(dialect)), body);
  };
  const look = async (dialect: Dialect, patience: Deadline): Promise<Seen> => {
    const path = leasePath(client.namespace, dialect);
    const { body, date } = await callWithin(client, patience, { method: 'GET', path });
    const lease = expectObject(body, askedFor(dialect));
    // Our own clock may be an hour off: by it, an intent that holds could have lapsed.
    if (date === undefined) throw new ClusterError('unreadable', 'the API server answered without a Date');
    return { dialect, lease, intent: intentIn(lease), now: date };
  };
  return {
    nameOf: (dialect) => `${client.namespace}/${lockLeaseOf(dialect)}`,
    look,
    async take(seen, write, own, patience) {
      const { dialect, lease, now } = seen;
      const attempt = randomUUID();
      // An earlier write of the same owner may still be committed: to give ours back is to leave that one in place.
      const before = (found: JsonObject) => (own === undefined ? withoutIntent(found) : withIntent(found, own));
      try {
        const written = await put(dialect, withIntent(lease, intentOf(write, own, now, attempt)), patience);
        return async (time) => void (await put(dialect, before(written), time));
      } catch (error) {
        if (!(error instanceof ClusterError) || error.code === 'conflict' || !mayHaveArrived(error)) throw error;
        throw new NotSure(error, async (time) => {
          const found = await look(dialect, time);
          if (found.intent?.attempt === attempt) await put(dialect, before(found.lease), time);
        });
      }
    },
    async free({ dialect, lease }, patience) {
      await put(dialect, withoutIntent(lease), patience);
    },
  };
}

/** The Lease may or may not have been written: the way to the API server broke. */
export class NotSure extends ClusterError {
  readonly giveBack: GiveBack;

  constructor(error: ClusterError, giveBack: GiveBack) {
    super(error.code, error.message, { cause: error });
    this.giveBack = giveBack;
  }
}

function askedFor(dialect: Dialect) {
  return { group: 'coordination.k8s.io', kind: 'Lease', name: lockLeaseOf(dialect) };
}

/** Only a Lease of a new version that holds our intent shows that it stands there. */
function expectWritten(answer: JsonObject, sent: JsonObject): JsonObject {
  const version = (lease: JsonObject) => textAt(lease, ['metadata', 'resourceVersion']);
  const same = intentIn(answer)?.attempt === intentIn(sent)?.attempt && version(answer) !== version(sent);
  if (same) return answer;
  throw new ClusterError('unreadable', 'the API server answered a write with something else than what was written');
}

function mayHaveArrived({ code }: ClusterError): boolean {
  return code === 'timeout' || code === 'unreachable' || code === 'unreadable' || code === 'unavailable';
}
