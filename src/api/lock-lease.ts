/** Where an intent is kept: one Lease for each claim dialect. */
import type { Dialect } from './dialects.ts';

/** The Lease in muster's own namespace that holds the intent of a claim dialect. The manifests make it; RBAC names it. */
export function intentLeaseOf({ name }: Pick<Dialect, 'name'>): string {
  return `muster-${name}`;
}
