import { placementDecision } from '../../api/dialects.ts';
import { textAt } from '../../base/json.ts';
import { notInCel } from '../cel/expressions.ts';
import { type Conflict, defineRule, type ObjectComparison } from '../rule.ts';
import { DECISION_KEY, DECISION_REVISION, decisionsAmong, type Slice } from './placement-fields.ts';

export interface RevisedSlice extends Slice {
  readonly revision: string | undefined;
}

const comparison: ObjectComparison<RevisedSlice> = {
  kinds: [placementDecision],
  acrossOnly: false,
  points: ['scan'],
  factOf(object) {
    const decisionKey = textAt(object, DECISION_KEY);
    return decisionKey ? { decisionKey, revision: textAt(object, DECISION_REVISION) } : undefined;
  },
  conflicts(kept) {
    return decisionsAmong(kept).flatMap(([first, ...others]) =>
      others.flatMap(({ object, fact }): readonly Conflict[] => {
        if (first === undefined || fact.revision === first.fact.revision) return [];
        const data = { value: fact.revision, other: first.object.name };
        const messageId = fact.revision === undefined ? 'missing' : 'different';
        const related = [{ object: first.object, path: DECISION_REVISION, messageId: 'other' }];
        return [{ object, problem: { path: DECISION_REVISION, messageId, data }, related }];
      }),
    );
  },
};

export const rule = defineRule({
  id: 'placement/revision',
  // A scheduler writes the slices one by one, so they differ for a while.
  on: [],
  meta: {
    level: 'SHOULD',
    source: 'KEP-5313 #consumer-discovery-and-usage',
    quote: 'consumers SHOULD also group by a common `multicluster.x-k8s.io/decision-revision` value across slices.',
    summary: 'The slices of one decision carry the same revision.',
    fix: 'Let the scheduler write all slices of the decision again, with one revision.',
    needs: ['object', 'cluster'],
    why: 'CEL in a CRD sees one object, without its labels; this rule compares the slices of a decision.',
    messages: {
      missing:
        'is missing, and the slice "{{other}}" of the same decision key has one; write all slices with the same ' +
        'revision',
      different:
        'is "{{value}}", and the slice "{{other}}" of the same decision key has another one or none; write all ' +
        'slices with the same revision',
      other: 'the other slice',
    },
  },
  cel: notInCel.others,
  comparison,
});
