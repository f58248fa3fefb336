import { condition } from '../../api/inventory.ts';
import { celOfShapes, OMITTED_FROM_LISTS } from '../cel/shape-validations.ts';
import { defineRule, type Shape, STATUS_WRITES } from '../rule.ts';

const SHAPES: readonly Shape[] = [
  { subresource: 'status', at: ['status', 'conditions'], schema: condition, each: { keys: ['type'] } },
];
const CEL = celOfShapes(SHAPES);

export const rule = defineRule({
  id: 'inventory/conditions',
  ...STATUS_WRITES,
  meta: {
    summary: 'Status conditions are complete metav1.Conditions, one for each type.',
    fix:
      'Write type, status ("True", "False" or "Unknown", as a string), reason, message and lastTransitionTime. ' +
      'Keep one condition of each type.',
    level: 'MUST',
    source: 'KEP-4322 #conditions',
    quote: 'Record cluster’s healthiness condition and easy to extend, conforming to metav1.Condition format.',
    why: 'The CRD of InventoryCluster has this too; the rule is for check, and for clusters whose CRD is less strict.',
    code: 422,
    messages: {
      required: 'is missing; a metav1.Condition has type, status, reason, message and lastTransitionTime',
      'enum:boolean': 'must be "True", "False" or "Unknown" as a string, got {{found}}; quote it: status: "True"',
      enum: 'must be one of {{allowed}}, got "{{value}}"',
      type: 'must be {{expected}}, got {{found}}',
      'type:unquoted': 'must be {{expected}}, got {{found}}; put it in quotes',
      'pattern:empty': 'must not be empty; a metav1.Condition has a reason, one CamelCase word, and a type',
      maxLength: 'must be at most {{limit}} characters, got more',
      pattern:
        'contains a character that is not allowed, got "{{value}}"; write a reason as one CamelCase word, and a ' +
        'type as a CamelCase or qualified name',
      format: 'must be an RFC 3339 time such as 2026-01-31T12:00:00Z, got "{{value}}"',
      minimum: 'must be {{limit}} or more, got {{value}}',
      duplicate: 'the condition type "{{value}}" is listed twice; keep one',
    },
  },
  cel: { omits: OMITTED_FROM_LISTS, byDialect: { 'inventory-cluster': CEL, 'cluster-profile': CEL } },
  shapes: SHAPES,
});
