/** Servers whose clocks are apart: whether their verdicts are, and whether rivals that go to different ones are kept apart. */
import type { ControlPlane, Muster } from '../../e2e/harness/index.ts';
import { DIALECTS, identityOf } from '../../e2e/races/identity.ts';
import { newTally, type Tally } from '../../e2e/races/pairs.ts';
import { raced } from '../../e2e/races/raced.ts';
import type { NamedReview } from './fixtures.ts';
import { codeOf, probe } from './probe.ts';

export interface Compared {
  /** Verdicts other than by the right clock that come of the rule on time. */
  onTime: number;
  /** All others, in words. */
  readonly other: string[];
}

/** @param musters by a slow, the right and a fast clock */
export async function compare(
  reviews: readonly NamedReview[],
  musters: readonly Muster[],
  ca: string,
): Promise<Compared> {
  const compared: Compared = { onTime: 0, other: [] };
  for (const { name, review } of reviews) {
    const [slow, right, fast] = await Promise.all(
      musters.map(async ({ port }) => (await probe(port, ca, review)).response),
    );
    for (const off of [slow, fast]) {
      if (codeOf(off) === codeOf(right)) continue;
      if (JSON.stringify([off, right]).includes('feature/evaluation-time')) compared.onTime += 1;
      else compared.other.push(`${name}: ${codeOf(right)}, and ${codeOf(off)}`);
    }
  }
  return compared;
}

export interface Raced {
  readonly tally: Tally;
  /** Writes that the norm forbids, and that were stored. */
  readonly violations: number;
}

/** Rival writes of each kind in each dialect, so many pairs of them. */
export async function race(controlPlane: ControlPlane, pairs: number): Promise<Raced> {
  const tally = newTally();
  let violations = 0;
  for (const dialect of DIALECTS) {
    violations += await raced(controlPlane, identityOf(dialect, controlPlane.api('jane')), pairs, tally);
  }
  return { tally, violations };
}
