/**
 * Where the webhook, the fallback policies and `muster check` are known to differ, each with its reason. The differential test lets
 * nothing else pass, and fails where an entry is no longer met.
 */

import { rules } from '../../../src/rules/index.ts';
import { at } from '../../../src/rules/json.ts';
import type { Update } from './update.ts';

export interface Difference {
  /** Whose verdict is not the webhook's. */
  readonly side: 'policies' | 'check';
  readonly ruleId: string;
  /** Who found something that the other did not, or did the stronger thing. */
  readonly by: 'webhook' | 'other';
  /** Only such updates. */
  applies(update: Update): boolean;
  /** In plain English, as docs/floor.md has it. */
  readonly reason: string;
}

const always = () => true;

/** Rules on updates that no policy expresses: their catalogue entry says why. */
const withoutPolicy: readonly Difference[] = rules.flatMap(({ id, on, cel }): Difference[] =>
  cel !== undefined && 'absent' in cel && on.includes('UPDATE')
    ? [{ side: 'policies', ruleId: id, by: 'webhook', applies: always, reason: cel.absent }]
    : [],
);

const BETWEEN_OBJECTS =
  '`check` compares the objects of one run with each other; the test gives it thousands, and the webhook none';

/** Whether a time to evaluate the uses at stands in the stored status or in the new one. */
function hasTime({ old, object }: Update): boolean {
  return [old, object].some((one) => at(one, ['status', 'useEvaluationTime']) !== undefined);
}

const ofPolicies: readonly Difference[] = [
  {
    side: 'policies',
    ruleId: 'feature/evaluation-time',
    by: 'webhook',
    applies: hasTime,
    reason: 'time: CEL has no clock, so whether a time is past or still to come is not evaluated',
  },
];

const ofCheck: readonly Difference[] = [
  ...['inventory/unique-cluster-id', 'inventory/member-id-unique'].map(
    (ruleId): Difference => ({ side: 'check', ruleId, by: 'other', applies: always, reason: BETWEEN_OBJECTS }),
  ),
];

export const differences: readonly Difference[] = [...withoutPolicy, ...ofPolicies, ...ofCheck];
