/** The hub of a registrar in memory: Leases of one namespace. */
import type { JsonObject } from '../../src/base/json.ts';
import { leasesPath } from '../../src/cluster/live/api-paths.ts';
import { createHub, type Hub } from '../../src/cluster/registrar/hub.ts';
import {
  newReservation,
  type Reservation,
  reservationIn,
  reservationName,
} from '../../src/cluster/registrar/reservation.ts';
import type { ClusterIdentity } from '../../src/rules/rule.ts';
import { createMemoryApi, type MemoryApi } from './memory-api.ts';

export interface MemoryHub extends MemoryApi {
  readonly hub: Hub;
  find(identity: ClusterIdentity): Reservation | undefined;
  /** Stores a reservation, whose Lease `change` changes; returns its path. */
  put(identity: ClusterIdentity, holder: string, now: number, change?: (lease: JsonObject) => JsonObject): string;
}

export function createMemoryHub(namespace = 'ids'): MemoryHub {
  const api = createMemoryApi({ namespace });
  const pathOf = (identity: ClusterIdentity) => `${leasesPath(namespace)}/${reservationName(identity)}`;
  return Object.assign(api, {
    hub: createHub(api.client),
    find(identity: ClusterIdentity): Reservation | undefined {
      const lease = api.objects.get(pathOf(identity));
      return lease && reservationIn(lease);
    },
    put(identity: ClusterIdentity, holder: string, now: number, change = (lease: JsonObject) => lease): string {
      const path = pathOf(identity);
      api.set(path, change(newReservation(identity, { holder, now })));
      return path;
    },
  });
}
