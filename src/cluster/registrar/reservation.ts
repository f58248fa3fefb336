/** A reservation as a Lease of the hub stores it: the ClusterSet and the id, the holder, and since when. */
import { createHash } from 'node:crypto';
import { asObject, type JsonObject, textAt } from '../../base/json.ts';
import { metadataOf, specOf } from '../../base/object.ts';
import { shorten } from '../../base/text.ts';
import type { ClusterIdentity, ReservationAnswer } from '../../rules/rule.ts';
import { microTime, transitionsOf } from '../locks/lock.ts';

export interface Reservation {
  /** The name of the Lease. */
  readonly name: string;
  /** The Lease as it was read. Writes are under its uid and resourceVersion. */
  readonly lease: JsonObject;
  /** From annotations, which are for people. A Lease without them is identified by its name. */
  readonly apiGroup: string | undefined;
  readonly clusterSet: string | undefined;
  readonly id: string | undefined;
  /** The uid of the holder's `kube-system` namespace. */
  readonly holder: string | undefined;
  /** Whether the label of the Lease names the holder, so that its rounds find the Lease. */
  readonly labeled: boolean;
  /** When the holder reserved it, as text from the Lease. */
  readonly since: string | undefined;
  /** Milliseconds since the epoch, by the clock of the holder's API server; undefined if missing or malformed. */
  readonly renewed: number | undefined;
  /** Whether the membership is known to be stored. Only shown: no decision depends on it. */
  readonly confirmed: boolean;
}

const ANNOTATIONS = {
  clusterSet: 'muster/cluster-set',
  id: 'muster/cluster-id',
  apiGroup: 'muster/api-group',
  confirmed: 'muster/confirmed',
} as const;
/** The label by which a member lists its own reservations, and not those of the whole fleet. */
const HOLDER_LABEL = 'muster/holder';
/**
 * The most characters of an annotation: all of them together may have 256 KiB. The digest in the name has the full
 * text.
 */
const LONGEST_ANNOTATION = 1024;
/** Added to Leases before a write: items of a list don't have it. */
const TYPE = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' } as const;
const DIGITS = 40;
const NAME = new RegExp(`^id-[0-9a-f]{${DIGITS}}$`);

/** Returns the name of the Lease that reserves an id. */
export function reservationName({ apiGroup, clusterSet, id }: ClusterIdentity): string {
  const digest = createHash('sha256').update(`${apiGroup}/${clusterSet}/${id}`).digest('hex');
  return `id-${digest.slice(0, DIGITS)}`;
}

/** Returns the label selector of a holder's reservations. */
export function selectorOf(holder: string): string {
  return `${HOLDER_LABEL}=${holder}`;
}

/** Returns the reservation in a Lease; undefined for a Lease with another name. Never throws, whatever it contains. */
export function reservationIn(lease: JsonObject): Reservation | undefined {
  const name = textAt(lease, ['metadata', 'name']) ?? '';
  if (!NAME.test(name)) return undefined;
  const annotation = (key: keyof typeof ANNOTATIONS) =>
    textAt(lease, ['metadata', 'annotations', ANNOTATIONS[key]]) || undefined;
  const renewTime = textAt(lease, ['spec', 'renewTime']);
  const renewed = Date.parse(renewTime ?? '');
  const acquireTime = textAt(lease, ['spec', 'acquireTime']);
  const holder = textAt(lease, ['spec', 'holderIdentity']) || undefined;
  return {
    name,
    lease,
    apiGroup: annotation('apiGroup'),
    clusterSet: annotation('clusterSet'),
    id: annotation('id'),
    holder,
    labeled: holder !== undefined && textAt(lease, ['metadata', 'labels', HOLDER_LABEL]) === holder,
    since: acquireTime || textAt(lease, ['metadata', 'creationTimestamp']) || renewTime || undefined,
    renewed: Number.isNaN(renewed) ? undefined : renewed,
    confirmed: annotation('confirmed') === 'true',
  };
}

/** Returns the answer to a member that asks for an id which another one holds. */
export function heldAnswer({ holder, since, confirmed, name }: Reservation): ReservationAnswer {
  return { kind: 'held', holder, since, confirmed, lease: name };
}

/** Returns the Lease of a new reservation. @param now milliseconds since the epoch */
export function newReservation(
  identity: ClusterIdentity,
  { holder, now, confirmed = false }: { holder: string; now: number; confirmed?: boolean },
): JsonObject {
  const { apiGroup, clusterSet, id } = identity;
  const time = microTime(now);
  return {
    ...TYPE,
    metadata: {
      name: reservationName(identity),
      labels: { [HOLDER_LABEL]: holder },
      annotations: {
        [ANNOTATIONS.clusterSet]: shorten(clusterSet, LONGEST_ANNOTATION),
        [ANNOTATIONS.id]: shorten(id, LONGEST_ANNOTATION),
        [ANNOTATIONS.apiGroup]: apiGroup,
        ...(confirmed && { [ANNOTATIONS.confirmed]: 'true' }),
      },
    },
    spec: { holderIdentity: holder, acquireTime: time, renewTime: time, leaseTransitions: 0 },
  };
}

/** Returns the Lease for a new join of its holder, which is not confirmed yet. */
export function renewedLease(reservation: Reservation, now: number): JsonObject {
  return changed(reservation, { confirmed: false, spec: { renewTime: microTime(now) } });
}

/** Returns the Lease, marked as confirmed. */
export function confirmedLease(reservation: Reservation): JsonObject {
  return changed(reservation, { confirmed: true });
}

/** Returns the Lease with another holder, whose join is not confirmed yet. */
export function takenLease({ lease }: Reservation, holder: string, now: number): JsonObject {
  const time = microTime(now);
  const leaseTransitions = transitionsOf(lease) + 1;
  const spec = { holderIdentity: holder, acquireTime: time, renewTime: time, leaseTransitions };
  return changed({ lease, holder }, { confirmed: false, spec });
}

/** Returns a changed Lease, with the label of its holder: an earlier version of muster did not set it. */
function changed(
  { lease, holder }: Pick<Reservation, 'lease' | 'holder'>,
  { confirmed, spec }: { readonly confirmed: boolean; readonly spec?: JsonObject },
): JsonObject {
  const metadata = metadataOf(lease);
  const labels = { ...asObject(metadata?.['labels']), ...(holder && { [HOLDER_LABEL]: holder }) };
  const { [ANNOTATIONS.confirmed]: _, ...others } = asObject(metadata?.['annotations']) ?? {};
  const annotations = { ...others, ...(confirmed && { [ANNOTATIONS.confirmed]: 'true' }) };
  return { ...TYPE, ...lease, metadata: { ...metadata, labels, annotations }, spec: { ...specOf(lease), ...spec } };
}
