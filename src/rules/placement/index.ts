import { DECISION_INDEX_LABEL } from '../../api/labels.ts';
import { at, isUnquoted } from '../../base/json.ts';
import { matches } from '../cel/expressions.ts';
import { forPlacement } from '../cel/placement.ts';
import { defineRule } from '../rule.ts';
import { DECISION_INDEX, indexPattern, isIndex } from './placement-fields.ts';

export const rule = defineRule({
  id: 'placement/index',
  on: ['CREATE', 'UPDATE'],
  meta: {
    level: 'SHOULD',
    source: 'KEP-5313 #api-specification',
    quote: 'If `multicluster.x-k8s.io/decision-index` is set, it should be >=0.',
    summary: 'The index of a slice is a whole number from 0.',
    fix: 'Set the label multicluster.x-k8s.io/decision-index to 0, 1, 2 and so on, or remove the label.',
    why: "CEL in a CRD does not see an object's labels, and the CRD belongs to another project.",
    messages: {
      syntax:
        'must be a whole number from 0, without sign or leading zeros, got "{{value}}"; number the slices 0, 1, ' +
        '2, or remove the label',
      quotes: 'must be a whole number as a string, got {{value}}; put it in quotes',
    },
  },
  cel: forPlacement({
    expression:
      'type(variables.decisionIndex) != string || variables.decisionIndexStays || ' +
      `${matches('variables.decisionIndex', indexPattern, 63)}`,
    field: `metadata.labels[${DECISION_INDEX_LABEL}]`,
    messageId: 'syntax',
    dataExpressions: { value: 'variables.decisionIndex' },
  }),
  check({ object }) {
    const value = at(object, DECISION_INDEX);
    if (isUnquoted(value)) return [{ path: DECISION_INDEX, messageId: 'quotes', data: { value } }];
    if (typeof value !== 'string' || isIndex(value)) return [];
    return [{ path: DECISION_INDEX, messageId: 'syntax', data: { value } }];
  },
});
