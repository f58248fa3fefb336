/** The search through all states of the locks' model. */
import { type Exploration, explore } from '../breadth-first.ts';
import { brokenBy, type Invariant, permits } from './norm.ts';
import type { Reviewer } from './reviewer.ts';
import { type Bounds, createSteps, type Step } from './steps.ts';
import { fresh, keyOf, type SystemState, type Write } from './system-state.ts';

export interface Result extends Exploration<Omit<Violation, 'index'>> {
  /** The steps that occurred, by the words of the step table. */
  readonly kinds: ReadonlySet<string>;
}

export interface Violation {
  readonly invariant: Invariant;
  readonly index: number;
  /** The write that is refused or blocked, once the trace has ended, and its verdict. */
  readonly probe?: Write & { readonly verdict: string };
}

export interface SearchOptions {
  readonly initial: readonly SystemState[];
  readonly reviewer: Reviewer;
  readonly bounds: Bounds;
  /** Called now and then with the number of states. */
  readonly onProgress?: (states: number, open: number) => void;
}

export async function search({ initial, reviewer, bounds, onProgress }: SearchOptions): Promise<Result> {
  const steps = createSteps(reviewer, bounds);
  const kinds = new Set<string>();
  const result = await explore<SystemState, Step, Omit<Violation, 'index'>>({
    initial,
    keyOf,
    next: steps.next,
    check: createProbe(reviewer, bounds, steps),
    brokenBy: (before, step) => {
      kinds.add(kindOf(step));
      const invariant = brokenBy(before, step.system, reviewer.setting);
      return invariant && { invariant };
    },
    onProgress,
  });
  return { ...result, kinds };
}

/** A step without the names in it. */
export function kindOf({ label }: Pick<Step, 'label'>): string {
  return label
    .replace(/^\d+ is repeated as .*/, 'repeat')
    .replace(/^\d+: ~j\d+ (\w+).*?( → \w+)?$/, 'begin $1$2')
    .replace(/^\d+: /, '')
    .replace(/\b[012]#\d/, 'get-claim')
    .replace(/#\d/, '')
    .replace(/(in|of) \d.*/, '$1');
}

/** Probes what is left once all requests have ended, with each write alone. */
function createProbe(reviewer: Reviewer, bounds: Bounds, steps: ReturnType<typeof createSteps>) {
  const known = new Map<string, Omit<Violation, 'index'> | undefined>();
  const outcomeOf = async (system: SystemState, write: Bounds['writes'][number]): Promise<string | undefined> => {
    const [user, base] = fresh({ ...system, left: { ...system.left, lost: 0, retry: 0, stale: 0, crash: 0 } }, 'j');
    let [step] = await steps.starts({ ...base, former: [] }, write, user);
    // Attempts under the lock of another: one that is not the last, then the last.
    for (let count = 0; step !== undefined; count++) {
      const end = /→ (\w+)$/.exec(step.label)?.[1];
      if (end !== undefined) return end;
      const { requests } = step.system;
      const request = requests[0];
      const call = request?.pending[0];
      if (request === undefined || call === undefined || count > 50) return 'nothing';
      const following = await steps.answers(step.system, request, call);
      step = following.at(-1);
    }
    return undefined;
  };
  return async (system: SystemState): Promise<Omit<Violation, 'index'> | undefined> => {
    if (system.requests.length > 0 || system.stragglers.length > 0) return undefined;
    const { objects, lease, moment } = system;
    // Two creations of one user at once make a lock that only its expiry ends (docs/live.md).
    const disturbed = system.disturbed ?? lease.lock?.ambiguous;
    const key = JSON.stringify([objects, lease, disturbed ? 0 : moment, disturbed]);
    if (known.has(key)) return known.get(key);
    // After what was disturbed, a lock may be left: it expires after its lifetime.
    const later = disturbed ? { ...system, moment: bounds.clock.length - 1 } : system;
    let found: Omit<Violation, 'index'> | undefined;
    for (const write of bounds.writes) {
      const outcome = await outcomeOf(later, write);
      const permitted = permits(system, write, reviewer.setting);
      const expected = permitted === undefined ? ['allowed', 'denied'] : [permitted ? 'allowed' : 'denied'];
      if (outcome === undefined || expected.includes(outcome)) continue;
      found ??= { invariant: disturbed ? 'free' : 'alone', probe: { ...write, verdict: outcome } };
    }
    known.set(key, found);
    return found;
  };
}
