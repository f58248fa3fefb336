/** Reads, acquires and releases the locks in Leases. Each write is under the resourceVersion that was read. */
import { randomUUID } from 'node:crypto';
import { type Dialect, lockLeaseName } from '../../api/dialects.ts';
import { type JsonObject, textAt } from '../../base/json.ts';
import type { Deadline } from '../../engine/cluster-state.ts';
import { leasePath } from '../live/api-paths.ts';
import { type ApiClient, expectObject } from '../live/client.ts';
import { withDeadline } from '../live/client-wrappers.ts';
import { ClusterError, isRetryable } from '../live/errors.ts';
import type { IdentityWrite } from './find-identity-write.ts';
import { createLock, type Lock, lockIn, withLock, withoutLock } from './lock.ts';

/** A Lease as it was read. */
export interface LeaseState {
  readonly dialect: Dialect;
  readonly lease: JsonObject;
  /** Undefined if it is released. */
  readonly lock: Lock | undefined;
  /** The API server's clock, in milliseconds since the epoch. */
  readonly now: number;
}

export interface Leases {
  /** Returns NAMESPACE/NAME, for messages. */
  nameOf(dialect: Dialect): string;
  /** Reads the lock of a dialect. @throws ClusterError */
  read(dialect: Dialect, deadline: Deadline): Promise<LeaseState>;
  /**
   * Stores the lock of a write in place of the one that was read, and returns a function that releases it.
   * @param held the lock that was read, if it is one of the same writer whose write is not completed
   * @throws ClusterError `conflict` if another write was first; UncertainLock if it is not known whether the lock is
   * stored
   */
  acquire(
    state: LeaseState,
    identityWrite: IdentityWrite,
    held: Lock | undefined,
    deadline: Deadline,
  ): Promise<ReleaseLock>;
  /** Releases the lock, if the Lease is unchanged. @throws ClusterError */
  release(state: LeaseState, deadline: Deadline): Promise<void>;
}

/** Releases a lock, if the Lease is unchanged. @throws ClusterError */
export type ReleaseLock = (deadline: Deadline) => Promise<void>;

/**
 * The Lease was sent, but there was no usable answer: the connection broke, the time was up, the API server failed, or
 * its answer can't be read. The lock may or may not be stored.
 */
export class UncertainLock extends ClusterError {
  readonly release: ReleaseLock;

  constructor(error: ClusterError, release: ReleaseLock) {
    super(error.code, error.message, { cause: error });
    this.release = release;
  }
}

/** Creates the calls for the locks in the namespace of a client. */
export function createLeases(client: ApiClient): Leases {
  const write = async (dialect: Dialect, body: JsonObject, deadline: Deadline): Promise<JsonObject> => {
    const path = leasePath(client.namespace, dialect);
    const answer = await client.call(withDeadline({ method: 'PUT', path, body }, deadline));
    return expectWritten(expectLease(dialect, answer.body), body);
  };
  const read = async (dialect: Dialect, deadline: Deadline): Promise<LeaseState> => {
    const path = leasePath(client.namespace, dialect);
    const { body, date } = await client.call(withDeadline({ method: 'GET', path }, deadline));
    const lease = expectLease(dialect, body);
    // Without the API server's clock, a wrong clock of this machine could make a held lock look expired.
    if (date === undefined) throw new ClusterError('unreadable', 'the API server answered without a Date');
    return { dialect, lease, lock: lockIn(lease), now: date };
  };
  return {
    nameOf: (dialect) => `${client.namespace}/${lockLeaseName(dialect)}`,
    read,
    async acquire({ dialect, lease, now }, identityWrite, held, deadline) {
      const attempt = randomUUID();
      // An earlier write of the same writer may still be under way, so a release restores its lock.
      const before = (found: JsonObject) => (held === undefined ? withoutLock(found) : withLock(found, held));
      try {
        const lock = createLock(identityWrite, held, now, attempt);
        const written = await write(dialect, withLock(lease, lock), deadline);
        return async (until) => void (await write(dialect, before(written), until));
      } catch (error) {
        if (!(error instanceof ClusterError) || !mayBeStored(error)) throw error;
        throw new UncertainLock(error, async (until) => {
          const found = await read(dialect, until);
          if (found.lock?.attempt === attempt) await write(dialect, before(found.lease), until);
        });
      }
    },
    async release({ dialect, lease }, deadline) {
      await write(dialect, withoutLock(lease), deadline);
    },
  };
}

function expectLease(dialect: Dialect, answer: JsonObject): JsonObject {
  return expectObject(answer, ['coordination.k8s.io', 'Lease', lockLeaseName(dialect)]);
}

/** Returns the answer to a write if it proves that our lock is stored: it has the lock, and a new version. */
function expectWritten(answer: JsonObject, sent: JsonObject): JsonObject {
  const version = (lease: JsonObject) => textAt(lease, ['metadata', 'resourceVersion']);
  if (lockIn(answer)?.attempt === lockIn(sent)?.attempt && version(answer) !== version(sent)) return answer;
  throw new ClusterError('unreadable', 'the API server answered a write with another object than the written one');
}

function mayBeStored(error: ClusterError): boolean {
  return isRetryable(error) || error.code === 'timeout';
}
