/** A lock as a Lease stores it: the writer, the write, and the version of the object that the decision is based on. */
import { asObject, at, type JsonObject, textAt } from '../../base/json.ts';
import { metadataOf } from '../../base/object.ts';
import { OPERATIONS, type Operation } from '../../rules/rule.ts';
import type { IdentityWrite } from './find-identity-write.ts';

export interface Lock {
  /** `IdentityWrite.writer`, or any other content of the Lease. */
  readonly writer: string;
  /** The write; undefined if the Lease does not name a valid one. */
  readonly operation: Operation | undefined;
  readonly object: string | undefined;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
  /** Whether several CREATEs of this writer may be under way: if one is stored, the others are not completed. */
  readonly ambiguous: boolean;
  /** Differs each time a lock is acquired, so that a release can't remove a lock that another write has acquired. */
  readonly attempt: string | undefined;
  /** Milliseconds since the epoch, by the API server's clock. */
  readonly renewed: number | undefined;
}

/** A lock expires after the longest time that a request to an API server can take. */
export const LOCK_SECONDS = 60;

const PREFIX = 'lock.muster/';

/** Returns the lock in a Lease; undefined if it is released. Never throws, whatever the Lease contains. */
export function lockIn(lease: JsonObject): Lock | undefined {
  const writer = at(lease, ['spec', 'holderIdentity']);
  if (writer === undefined || writer === '') return undefined;
  const annotation = (name: string) => textAt(lease, ['metadata', 'annotations', `${PREFIX}${name}`]) || undefined;
  const operation = annotation('operation');
  const renewed = Date.parse(textAt(lease, ['spec', 'renewTime']) ?? '');
  return {
    writer: String(writer),
    operation: OPERATIONS.find((each) => each === operation),
    object: annotation('object'),
    uid: annotation('uid'),
    resourceVersion: annotation('resource-version'),
    ambiguous: annotation('ambiguous') !== undefined,
    attempt: annotation('attempt'),
    renewed: Number.isNaN(renewed) ? undefined : renewed,
  };
}

/**
 * Returns the lock of a write.
 * @param held a lock of the same writer that is not completed. On UPDATE and DELETE, its uid and version are kept: a
 *   write of another version can't be stored anyway. With another CREATE, the lock is ambiguous: either may be stored
 */
export function createLock(write: IdentityWrite, held: Lock | undefined, now: number, attempt: string): Lock {
  const { writer, operation, name: object, uid, resourceVersion } = write;
  const fresh = { writer, operation, object, uid, resourceVersion, ambiguous: false, attempt, renewed: now };
  if (held === undefined) return fresh;
  if (operation === 'CREATE') return { ...fresh, ambiguous: held.ambiguous || held.uid !== uid };
  return { ...fresh, uid: held.uid, resourceVersion: held.resourceVersion };
}

/** Returns the Lease with this lock, to be written under the Lease's resourceVersion. */
export function withLock(lease: JsonObject, lock: Lock): JsonObject {
  // When a lock without a time is restored, it must not get one, which would change when it expires.
  const time = lock.renewed === undefined ? undefined : microTime(lock.renewed);
  const isSameWriter = lockIn(lease)?.writer === lock.writer;
  const acquireTime = (isSameWriter && textAt(lease, ['spec', 'acquireTime'])) || time;
  const spec = {
    holderIdentity: lock.writer,
    leaseDurationSeconds: LOCK_SECONDS,
    ...(acquireTime !== undefined && { acquireTime }),
    ...(time !== undefined && { renewTime: time }),
    leaseTransitions: transitionsOf(lease) + (isSameWriter ? 0 : 1),
  };
  return { ...lease, metadata: metadataWith(lease, annotationsOf(lock)), spec };
}

/** Returns the Lease with its lock released. */
export function withoutLock(lease: JsonObject): JsonObject {
  return { ...lease, metadata: metadataWith(lease, {}), spec: { leaseTransitions: transitionsOf(lease) } };
}

function annotationsOf({ operation, object, uid, resourceVersion, ambiguous, attempt }: Lock): Record<string, string> {
  const mark = ambiguous ? 'true' : undefined;
  const values = { operation, object, uid, 'resource-version': resourceVersion, ambiguous: mark, attempt };
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[`${PREFIX}${name}`, value]])),
  );
}

/** Replaces our annotations, and leaves all others as they were. */
function metadataWith(lease: JsonObject, ours: Readonly<Record<string, string>>): JsonObject {
  const metadata = metadataOf(lease);
  const annotations = Object.entries(asObject(metadata?.['annotations']) ?? {});
  const theirs = Object.fromEntries(annotations.filter(([key]) => !key.startsWith(PREFIX)));
  return { ...metadata, annotations: { ...theirs, ...ours } };
}

/** Returns how often the Lease had another holder; 0 for a number that no counter has. */
export function transitionsOf(lease: JsonObject): number {
  const count = at(lease, ['spec', 'leaseTransitions']);
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 && count < 2 ** 31 - 1 ? count : 0;
}

/** Returns a time (milliseconds since the epoch) as a metav1.MicroTime, which has six digits of a second. */
export function microTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('Z', '000Z');
}
