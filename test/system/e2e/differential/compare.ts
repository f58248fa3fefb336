/** The three verdicts on an update, and where they differ without a listed reason. */
import { type Difference, differences } from './differences.ts';
import type { Update, Verdict } from './update.ts';

export interface Verdicts {
  readonly webhook: Verdict;
  readonly policies: Verdict;
  /** Undefined: a file can't express the update. */
  readonly check: Verdict | undefined;
}

interface Disagreement {
  readonly update: Update;
  readonly verdicts: Verdicts;
  readonly side: Difference['side'];
  /** The rule, or what else is wrong. */
  readonly about: string;
  readonly by: Difference['by'];
}

const STRENGTH: Readonly<Record<string, number>> = { deny: 2, warn: 1 };

/** Counts, for each listed difference, how often it was met. */
export type Counts = Map<Difference, number>;

/** What is not explained; what is, is counted. */
export function compare(update: Update, verdicts: Verdicts, counts: Counts): Disagreement[] {
  const { webhook, policies, check } = verdicts;
  const sides = [['policies', policies] as const, ...(check === undefined ? [] : [['check', check] as const])];
  return sides.flatMap(([side, other]) => {
    const differs = (about: string, by: Difference['by']) => ({ update, verdicts, side, about, by });
    if (webhook.outcome === 'error' || other.outcome === 'error')
      return [differs('an error', webhook.outcome === 'error' ? 'webhook' : 'other')];
    const differing = ruleDifferences(webhook, other);
    const unexplained = differing.filter(({ ruleId, by }) => !isListed({ side, ruleId, by, update }, counts));
    if (unexplained.length > 0) return unexplained.map(({ ruleId, by }) => differs(ruleId, by));
    // The outcome follows from the rules: where those agree it has to.
    if (differing.length > 0) return [];
    if (webhook.outcome !== other.outcome) return [differs(`outcome ${webhook.outcome}, ${other.outcome}`, 'webhook')];
    return isRightCode(update, side, webhook, other) ? [] : [differs(`code ${webhook.code}, ${other.code}`, 'webhook')];
  });
}

/**
 * An update of the main resource is denied with 403 by both. A policy has one reason for all that it matches, so its
 * code is 403 for a status, too, where the webhook answers 422 of malformed content.
 */
function isRightCode({ subresource }: Update, side: Difference['side'], webhook: Verdict, other: Verdict): boolean {
  if (side === 'check' || webhook.outcome !== 'denied') return true;
  return other.code === 403 && (subresource === 'status' || webhook.code === 403);
}

function ruleDifferences(webhook: Verdict, other: Verdict): { ruleId: string; by: Difference['by'] }[] {
  const ids = new Set([...webhook.found.keys(), ...other.found.keys()]);
  return [...ids].flatMap((ruleId) => {
    const strength = ({ found }: Verdict) => STRENGTH[found.get(ruleId) ?? ''] ?? 0;
    const own = strength(webhook);
    const others = strength(other);
    return own === others ? [] : [{ ruleId, by: own > others ? 'webhook' : 'other' } as const];
  });
}

type Found = Pick<Difference, 'side' | 'ruleId' | 'by'> & { readonly update: Update };

function isListed({ side, ruleId, by, update }: Found, counts: Counts): boolean {
  const known = differences.find(
    (one) => one.side === side && one.ruleId === ruleId && one.by === by && one.applies(update),
  );
  if (known !== undefined) counts.set(known, (counts.get(known) ?? 0) + 1);
  return known !== undefined;
}

/** A disagreement for people: what differs, the update, and the verdicts. */
export function describe({ update, verdicts, side, about, by }: Disagreement): string {
  const [finder, other] = by === 'webhook' ? ['webhook', side] : [side, 'webhook'];
  const whole = { ...update, dialect: update.dialect.name, verdicts };
  return `${about}: ${finder} finds it, ${other} does not:\n${JSON.stringify(whole, null, 1)}`;
}
