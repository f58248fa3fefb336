/** metav1.Condition, as apimachinery's markers bound it. KEP-4322: "conforming to metav1.Condition format". */
import type { Schema } from './schema.ts';

// Each run of one class of characters ends where the next class begins: one way to match, so the time is linear.
const LABEL = '[a-z0-9]+(-+[a-z0-9]+)*';
const QUALIFIED_NAME = `^(${LABEL}(\\.${LABEL})*/)?[A-Za-z0-9]+([-._]+[A-Za-z0-9]+)*$`;

export const condition = {
  type: 'object',
  description: 'One aspect of the current state.',
  required: ['type', 'status', 'lastTransitionTime', 'reason', 'message'],
  properties: {
    type: {
      type: 'string',
      description: 'Which condition this is, in CamelCase or as domain.example.com/CamelCase.',
      maxLength: 316,
      pattern: QUALIFIED_NAME,
    },
    status: {
      type: 'string',
      description: 'Whether the condition holds. Text: in YAML quote "True" and "False".',
      enum: ['True', 'False', 'Unknown'],
    },
    observedGeneration: {
      type: 'integer',
      description: 'The metadata.generation that the condition was set upon.',
      format: 'int64',
      minimum: 0,
      nullable: true,
    },
    lastTransitionTime: {
      type: 'string',
      description: 'When the status last changed from one value to another.',
      format: 'date-time',
    },
    reason: {
      type: 'string',
      description: 'Why the status last changed, as one CamelCase word for programs.',
      minLength: 1,
      maxLength: 1024,
      pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
    },
    message: {
      type: 'string',
      description: 'Details of the last change for people; may be empty.',
      maxLength: 32_768,
    },
  },
} as const satisfies Schema;
