/** Metrics of the registrar, which are registered with the first hub. */
import { Counter, Gauge, Histogram } from '@prometheus-io/client';
import type { OpenRegistry } from './decision-metrics.ts';

/** The outcomes for a reservation, or for an attempt to make one. docs/registrar.md explains each. */
const reservationOutcomes = ['made', 'renewed', 'denied', 'unreachable', 'confirmed', 'released'] as const;
type ReservationOutcome = (typeof reservationOutcomes)[number];
/** The outcomes for a changed file. */
export type ReloadOutcome = 'applied' | 'refused';

export interface RegistrarMetrics {
  reservation(outcome: ReservationOutcome): void;
  /** Counts a round in which this cluster is a member with an id that another cluster holds. */
  conflict(): void;
  /** Sets how many reservations of this cluster are not confirmed. */
  unconfirmed(count: number): void;
  /** Counts a call to the hub; `outcome` is `ok`, or one of a few words for the failure. */
  call(verb: string, outcome: string, milliseconds: number): void;
  kubeconfigReload(outcome: ReloadOutcome): void;
}

/** @param buckets of the time of a call, in seconds */
export function createRegistrarMetrics(registry: OpenRegistry, buckets: number[]): RegistrarMetrics {
  const registers = [registry];
  const counter = <V extends string>(name: string, help: string, values: readonly V[]) => {
    const made = new Counter({ name, help, labelNames: ['outcome'], registers });
    for (const outcome of values) made.inc({ outcome }, 0);
    return (outcome: V) => made.inc({ outcome });
  };
  const conflicts = new Counter({
    name: 'muster_registrar_conflicts',
    help: 'Rounds in which this cluster is a member with an id that another cluster holds.',
    registers,
  });
  const unconfirmed = new Gauge({
    name: 'muster_registrar_unconfirmed_reservations',
    help: 'Reservations of this cluster without a stored membership that fits, as of the last round.',
    registers,
  });
  const calls = new Histogram({
    name: 'muster_registrar_call_duration_seconds',
    help: 'Time of the calls to the hub.',
    labelNames: ['verb', 'outcome'],
    buckets,
    registers,
  });
  return {
    reservation: counter(
      'muster_registrar_reservations',
      'Reservations; denied: another cluster holds the id; unreachable: the hub was away.',
      reservationOutcomes,
    ),
    conflict: () => conflicts.inc(),
    unconfirmed: (count) => unconfirmed.set(count),
    call: (verb, outcome, milliseconds) => calls.observe({ verb, outcome }, milliseconds / 1000),
    kubeconfigReload: counter<ReloadOutcome>(
      'muster_registrar_kubeconfig_reloads',
      'Changes of the kubeconfig of the hub.',
      ['applied', 'refused'],
    ),
  };
}
