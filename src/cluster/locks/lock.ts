/** An intent as its Lease keeps it: who is about to write what, and of which stored object that was decided. */
import { at, isObject, textAt } from '../../rules/json.ts';
import type { Json, JsonObject, Operation } from '../../rules/rule.ts';
import type { IdentityWrite } from './writes.ts';

export interface Intent {
  /** The digest of an identity write's owner, or whatever stands there. */
  readonly owner: string;
  /** Told of the write; undefined where the Lease does not say, or says nonsense. */
  readonly operation: Operation | undefined;
  readonly object: string | undefined;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
  /** More than one CREATE of this owner may be under way: that one of them is there settles nothing. */
  readonly contested: boolean;
  /** Differs each time an intent is taken, so that nobody gives back what another has taken again. */
  readonly attempt: string | undefined;
  /** Milliseconds since the epoch, by the API server's clock. */
  readonly renewed: number | undefined;
}

/** Seconds after which an intent counts no more: the longest life of a request to an API server. */
export const LAPSE_SECONDS = 60;

const PREFIX = 'intent.muster/';
const NAMES = ['operation', 'object', 'uid', 'resource-version', 'contested', 'attempt'] as const;
const OPERATIONS: readonly (string | undefined)[] = ['CREATE', 'UPDATE', 'DELETE'] satisfies Operation[];

/** The intent in a Lease, or undefined: it is free. Anything may stand in a Lease; nothing in it makes this throw. */
export function intentIn(lease: JsonObject): Intent | undefined {
  const owner = at(lease, ['spec', 'holderIdentity']);
  if (owner === undefined || owner === '') return undefined;
  const note = (name: (typeof NAMES)[number]) =>
    textAt(lease, ['metadata', 'annotations', `${PREFIX}${name}`]) || undefined;
  const operation = note('operation');
  const renewed = Date.parse(textAt(lease, ['spec', 'renewTime']) ?? '');
  return {
    owner: String(owner),
    operation: OPERATIONS.includes(operation) ? (operation as Operation) : undefined,
    object: note('object'),
    uid: note('uid'),
    resourceVersion: note('resource-version'),
    contested: note('contested') !== undefined,
    attempt: note('attempt'),
    renewed: Number.isNaN(renewed) ? undefined : renewed,
  };
}

/**
 * The intent that a write leaves. `own`: one of the same owner that is not settled yet. On UPDATE and DELETE that one
 * was decided of what is stored now, so it stays; ours, if of another version, can't be committed anyway. Of two CREATEs
 * either may be.
 */
export function intentOf(write: IdentityWrite, own: Intent | undefined, now: number, attempt: string): Intent {
  const { owner, operation, name: object, uid, resourceVersion } = write;
  const fresh = { owner, operation, object, uid, resourceVersion, contested: false, attempt, renewed: now };
  if (own === undefined) return fresh;
  if (operation === 'CREATE') return { ...fresh, contested: own.contested || own.uid !== uid };
  return { ...fresh, uid: own.uid, resourceVersion: own.resourceVersion };
}

/** The Lease with this intent in it, as it is written under the Lease's resourceVersion. */
export function withIntent(lease: JsonObject, intent: Intent): JsonObject {
  const stamp = microTime(intent.renewed ?? 0);
  const before = intentIn(lease);
  const again = before?.owner === intent.owner;
  const spec = {
    holderIdentity: intent.owner,
    leaseDurationSeconds: LAPSE_SECONDS,
    acquireTime: (again && textAt(lease, ['spec', 'acquireTime'])) || stamp,
    renewTime: stamp,
    leaseTransitions: transitionsOf(lease) + (again ? 0 : 1),
  };
  return { ...lease, metadata: metadataOf(lease, notesOf(intent)), spec };
}

/** The Lease as it is when nobody is about to write. */
export function withoutIntent(lease: JsonObject): JsonObject {
  return { ...lease, metadata: metadataOf(lease, {}), spec: { leaseTransitions: transitionsOf(lease) } };
}

function notesOf(intent: Intent): Record<string, string> {
  const { operation, object, uid, resourceVersion, contested, attempt } = intent;
  const values = [operation, object, uid, resourceVersion, contested ? 'true' : undefined, attempt];
  const notes: Record<string, string> = {};
  for (const [index, name] of NAMES.entries()) {
    const value = values[index];
    if (value !== undefined) notes[`${PREFIX}${name}`] = value;
  }
  return notes;
}

/** Ours replaced, all else as it was. */
function metadataOf(lease: JsonObject, notes: Readonly<Record<string, string>>): JsonObject {
  const metadata = at(lease, ['metadata']);
  const kept: Record<string, Json> = {};
  const annotations = at(metadata, ['annotations']);
  for (const [key, value] of Object.entries(isObject(annotations) ? annotations : {})) {
    if (!key.startsWith(PREFIX)) kept[key] = value;
  }
  return { ...(isObject(metadata) ? metadata : {}), annotations: { ...kept, ...notes } };
}

function transitionsOf(lease: JsonObject): number {
  const count = at(lease, ['spec', 'leaseTransitions']);
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 && count < 2 ** 31 - 1 ? count : 0;
}

/** metav1.MicroTime takes six digits of a second, no fewer. */
function microTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('Z', '000Z');
}
