/** What all claims share: a name and a value (KEP-2149, "ClusterClaim CRD"). */
import type { Schema } from './schema.ts';

/** The object of a claim whose value has at most so many code points. */
export function claimShape(kind: string, valueLimit: number) {
  return {
    type: 'object',
    description: `A ${kind} names one fact about the cluster it is stored in.`,
    required: ['spec'],
    properties: {
      spec: {
        type: 'object',
        description: 'The fact.',
        required: ['value'],
        properties: {
          value: { type: 'string', description: 'The value; its meaning depends on the name.', maxLength: valueLimit },
        },
      },
    },
  } as const satisfies Schema;
}
