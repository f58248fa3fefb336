/** Notes on what a check can't find: changes, where it was not told what exists before; anything, where it found no object. */
import { NOTHING_EVALUATED } from '../shared.ts';

interface Limits {
  readonly evaluated: number;
  readonly errors: number;
  readonly skipped: number;
  /** The number of clusters, and those without a previous state that have objects with rules on changes. */
  readonly clusters: number;
  readonly withoutState: readonly string[];
}

/** Returns one line or none. An error says by itself why nothing was evaluated. */
export function limitNotes({ evaluated, errors, skipped, clusters, withoutState }: Limits): readonly string[] {
  if (evaluated === 0) {
    const rest = skipped > 0 ? ` (${skipped} skipped; -v lists them)` : '';
    return errors > 0 ? [] : [`${NOTHING_EVALUATED}${rest}`];
  }
  if (withoutState.length === 0) return [];
  const where = withoutState.length === clusters ? '' : ` of ${listed(withoutState)}`;
  return [
    `note: every object${where} counts as new, since no previous state was given: a changed id, for example, is not found. Compare with --base-ref REF (git), --state PATH (files) or --live (a cluster)`,
  ];
}

/** The most names in a line. */
const MOST_NAMED = 5;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED).map((name) => `"${name}"`);
  const rest = names.length - shown.length;
  return rest > 0 ? `${shown.join(', ')} and ${rest} more clusters` : shown.join(', ');
}
