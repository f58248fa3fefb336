/** What must hold, in words that know nothing of reservations, and of what is left once all has ended. */
import type { createSteps } from './steps.ts';
import type { Member, SystemState, Write } from './system-state.ts';

export const INVARIANTS = {
  unique: 'no two members of one ClusterSet have one id',
  free: 'an id that no member has is free to be joined with after 120 s and one round',
  kept: "after a round, the hub has a member's id, unless the hub is away",
} as const;
export type Invariant = keyof typeof INVARIANTS;

/** Returns the id with its ClusterSet, while the cluster is a member. */
export function identityOf({ id, set }: Member): string | undefined {
  return id === null || set === null ? undefined : `${set.value}/${id.value}`;
}

export function brokenIn(system: SystemState): Invariant | undefined {
  const held = system.members.flatMap((member) => identityOf(member) ?? []);
  return new Set(held).size < held.length ? 'unique' : undefined;
}

/** After so many seconds a reservation of which nothing is stored is released, by whatever clock of the holder. */
const LATER = 120 + 30 + 1;

/** Looks at what is left once all has ended: each muster runs one round, then each other cluster joins. */
export function createProbe(steps: ReturnType<typeof createSteps>) {
  return async (system: SystemState): Promise<{ invariant: Invariant; probe: string } | undefined> => {
    if (system.stragglers.length > 0 || system.members.some(({ processes }) => processes.length > 0)) return undefined;
    let later: SystemState = { ...system, now: system.now + LATER };
    for (const at of system.members.keys()) later = (await steps.alone(later, at, 'round'))?.system ?? later;
    const held = later.members.map(identityOf);
    const missing = held.find((one) => one !== undefined && !later.hub.some(({ what }) => what === one));
    if (missing !== undefined) return { invariant: 'kept', probe: missing };
    for (const [at, member] of later.members.entries()) {
      if (member.set !== null || member.id === null) continue;
      for (const value of ['S', 'T']) {
        const write: Write = { operation: 'CREATE', name: 'set', value };
        if (held.includes(`${value}/${member.id.value}`)) continue;
        const { end } = (await steps.alone(later, at, write)) ?? {};
        if (end !== 'allowed') return { invariant: 'free', probe: `m${at} joins ${value}: ${end}` };
      }
    }
    return undefined;
  };
}
