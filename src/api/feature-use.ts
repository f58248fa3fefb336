/** What one kind of client reports of a feature (KEP-3920, FeatureUse). */
import { featureEnablement } from './feature-enums.ts';
import type { Schema } from './schema.ts';

/** The members that tell one use from another. */
export const featureUseKeys = ['version', 'enabled'] as const;

export const featureUse = {
  type: 'object',
  description: 'What clients of one version found the feature to be.',
  required: ['version', 'enabled', 'reportTime'],
  properties: {
    version: { type: 'string', description: 'Version of the process that reports.' },
    enabled: {
      type: 'string',
      description: 'What the feature is within that process. Transitional states cannot be reported.',
      enum: featureEnablement,
    },
    reportTime: { type: 'string', description: 'When the report was made.', format: 'date-time' },
  },
} as const satisfies Schema;
