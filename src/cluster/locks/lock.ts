/** A lock as its Lease stores it: who may write what, and the stored object that the decision was based on. */
import { at, isObject, type Json, type JsonObject, textAt } from '../../base/json.ts';
import { OPERATIONS, type Operation } from '../../rules/rule.ts';
import type { IdentityWrite } from './find-identity-write.ts';

export interface Lock {
  /** The digest of an identity write's writer, or whatever the Lease holds. */
  readonly writer: string;
  /** The write; undefined where the Lease does not name it, or names nonsense. */
  readonly operation: Operation | undefined;
  readonly object: string | undefined;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
  /** More than one CREATE of this writer may be under way: that one of them is stored does not complete the other. */
  readonly ambiguous: boolean;
  /** Differs each time a lock is acquired, so that nobody releases what another has acquired since. */
  readonly attempt: string | undefined;
  /** Milliseconds since the epoch, by the API server's clock. */
  readonly renewed: number | undefined;
}

/** A lock expires after the longest life of a request to an API server. */
export const LOCK_SECONDS = 60;

const PREFIX = 'lock.muster/';

/** Returns the lock in a Lease; undefined: it is released. Never throws, whatever the Lease holds. */
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
 * Returns the lock of a write. `held`: that of the same writer, not completed. On UPDATE and DELETE its version stays:
 * a write of another version can't be stored anyway. Of two CREATEs either may be stored.
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
  // A lock without a time, which is put back, must not get one: by any it would expire earlier or later than before.
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
  return { ...lease, metadata: metadataOf(lease, annotationsOf(lock)), spec };
}

/** Returns the Lease with its lock released. */
export function withoutLock(lease: JsonObject): JsonObject {
  return { ...lease, metadata: metadataOf(lease, {}), spec: { leaseTransitions: transitionsOf(lease) } };
}

function annotationsOf({ operation, object, uid, resourceVersion, ambiguous, attempt }: Lock): Record<string, string> {
  const mark = ambiguous ? 'true' : undefined;
  const values = { operation, object, uid, 'resource-version': resourceVersion, ambiguous: mark, attempt };
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[`${PREFIX}${name}`, value]])),
  );
}

/** Replaces our annotations, and leaves all others as they were. */
function metadataOf(lease: JsonObject, ours: Readonly<Record<string, string>>): JsonObject {
  const metadata = at(lease, ['metadata']);
  const annotations = at(metadata, ['annotations']);
  const theirs = Object.entries(isObject(annotations) ? annotations : {}).filter(([key]) => !key.startsWith(PREFIX));
  const kept: Record<string, Json> = Object.fromEntries(theirs);
  return { ...(isObject(metadata) ? metadata : {}), annotations: { ...kept, ...ours } };
}

function transitionsOf(lease: JsonObject): number {
  const count = at(lease, ['spec', 'leaseTransitions']);
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 && count < 2 ** 31 - 1 ? count : 0;
}

/** Returns a time (milliseconds since the epoch) as metav1.MicroTime, which takes six digits of a second. */
export function microTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('Z', '000Z');
}
