/** Feature (KEP-3920). All of the status is optional: a client may report its use before the server announces the feature. */
import { featureEnablement, featureSource, featureStability, featureState } from './feature-enums.ts';
import { featureUse, featureUseKeys } from './feature-use.ts';
import type { Schema } from './schema.ts';

export {
  type FeatureEnablement,
  type FeatureSource,
  type FeatureStability,
  type FeatureState,
  featureEnablement,
  featureSource,
  featureStability,
  featureState,
} from './feature-enums.ts';
export { featureUse, featureUseKeys } from './feature-use.ts';

const spec = {
  type: 'object',
  description: 'What users may set.',
  nullable: true,
  properties: {
    desired: {
      type: 'string',
      description: 'The value wanted, where it differs from status.default and the feature may be set dynamically.',
      enum: featureEnablement,
      nullable: true,
    },
  },
} as const satisfies Schema;

const scalars = {
  class: {
    type: 'string',
    description: 'Who the feature belongs to: the namespace, or a domain name of a third party.',
    nullable: true,
  },
  name: { type: 'string', description: 'The name of the feature, as its code spells it.', nullable: true },
  stability: {
    type: 'string',
    description: 'How stable the feature is in the version installed.',
    enum: featureStability,
    nullable: true,
  },
  version: { type: 'string', description: 'Version of the software that provides the feature.', nullable: true },
  default: {
    type: 'string',
    description: 'What the feature is where nobody configures it.',
    enum: featureEnablement,
    nullable: true,
  },
  source: {
    type: 'string',
    description: 'Where the intended value comes from.',
    enum: featureSource,
    nullable: true,
  },
  state: {
    type: 'string',
    description: 'The state of the feature. Text: in YAML quote "On" and "Off".',
    enum: featureState,
    nullable: true,
  },
  useEvaluationTime: {
    type: 'string',
    description: 'When the uses will be looked at; clients have until then to report.',
    format: 'date-time',
    nullable: true,
  },
} as const satisfies Record<string, Schema>;

/** `spec`, closed: a file with a misspelled member is refused. (The API server prunes unknown members itself.) */
export const featureSpec = { ...spec, additionalProperties: false } as const satisfies Schema;

/** `status` without its two lists; other members are left alone. */
export const featureStatusScalars = {
  type: 'object',
  nullable: true,
  properties: scalars,
} as const satisfies Schema;

export const transitionTask = {
  type: 'string',
  description: 'One thing to do before the transition ends; the last is WaitForUses.',
} as const satisfies Schema;
