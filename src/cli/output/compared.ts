/** Adds to results what the comparison of all objects found (engine/comparison.ts), with the places of the others. */

import type { Path } from '../../base/json.ts';
import type { Location } from '../../documents/index.ts';
import type { Compared, Outcome } from '../../engine/index.ts';
import { rules } from '../../rules/index.ts';
import { type CheckFinding, type CheckOutcome, type CheckResult, findingsOf, type Place } from './report.ts';

/** Where a compared object is, and the parts of it. */
export interface ObjectPlace {
  readonly place: Place;
  /** Returns nothing for an object in no file. */
  locate(path: Path): Partial<Location>;
}

/** Orders outcomes; the worst is the greatest. */
export const SEVERITY: Readonly<Record<CheckOutcome, number>> = { allowed: 0, indeterminate: 1, denied: 2 };
const RANK: ReadonlyMap<string, number> = new Map(rules.map(({ id }, index) => [id, index]));

/**
 * Returns the result of an object with what the comparison found.
 * @param placeOf where an object is, by its handle
 */
export function withCompared<Handle>(
  result: CheckResult,
  { handle, verdict, related }: Compared<Handle>,
  placeOf: (handle: Handle) => ObjectPlace,
): CheckResult {
  const { locate } = placeOf(handle);
  const findings = findingsOf(verdict, result, locate).map((finding, index): CheckFinding => {
    const found = verdict.findings[index];
    const others = (found && related.get(found)) ?? [];
    if (others.length === 0) return finding;
    const places = others.map((other) => {
      const { place, locate: locateOther } = placeOf(other.handle);
      return { ...place, ...locateOther(other.path), message: other.message };
    });
    return { ...finding, related: places };
  });
  return withFindings(result, findings, [verdict.outcome]);
}

/** Returns the result with more findings, in the order of the catalogue, and the worst of the outcomes. */
export function withFindings(
  result: CheckResult,
  added: readonly CheckFinding[],
  outcomes: readonly Outcome[],
): CheckResult {
  const rankOf = ({ ruleId }: CheckFinding) => RANK.get(ruleId) ?? RANK.size;
  const findings = [...result.findings, ...added].toSorted((a, b) => rankOf(a) - rankOf(b));
  // A crash is reported as an error; the object itself is undecided.
  const all = outcomes.map((outcome) => (outcome === 'crashed' ? 'indeterminate' : outcome));
  const [outcome = 'allowed'] = [result.outcome, ...all].sort((a, b) => SEVERITY[b] - SEVERITY[a]);
  return { ...result, findings, outcome };
}
