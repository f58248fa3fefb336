/**
 * Feature (KEP-3920). All of the status is optional: a client may report its use before the server announces the
 * feature. The schemas for rules have no bounds; those of the CRD are far above any real use.
 */
import { feature } from './dialects.ts';
import { type FieldSchema, type KindSchema, optionalText, type Validation } from './schema.ts';

const featureEnablement = ['Enabled', 'Disabled'] as const;
const featureStability = ['Unavailable', 'Alpha', 'Beta', 'GA', 'Deprecated', 'Universal'] as const;
const featureSource = ['Default', 'CommandLine', 'Dynamic'] as const;
export const featureState = ['Off', 'TurningOn', 'On', 'TurningOff'] as const;
export type FeatureState = (typeof featureState)[number];

/** The last task of every transition, done by the system itself. */
export const WAIT_FOR_USES = 'WaitForUses';

/** What a legal write of the status does to the state. */
export type LegalTransition = 'appears' | 'stays' | 'enters' | 'reverses' | 'completes';

/** The legal transitions, by the stored and the written state; `none`: no state is stored. */
export const featureTransitions: Readonly<
  Record<FeatureState | 'none', Readonly<Partial<Record<FeatureState, LegalTransition>>>>
> = {
  none: { Off: 'appears', On: 'appears', TurningOn: 'enters', TurningOff: 'enters' },
  Off: { Off: 'stays', TurningOn: 'enters' },
  TurningOn: { TurningOn: 'stays', On: 'completes', TurningOff: 'reverses' },
  On: { On: 'stays', TurningOff: 'enters' },
  TurningOff: { TurningOff: 'stays', Off: 'completes', TurningOn: 'reverses' },
};

/** Returns the states that may follow a state, without itself. */
export function nextStates(state: FeatureState): readonly string[] {
  return Object.keys(featureTransitions[state]).filter((next) => next !== state);
}

/** The keys of a use. */
export const featureUseKeys = ['version', 'enabled'] as const;

export const featureUse = {
  type: 'object',
  description: 'A report of the feature by clients of one version.',
  required: ['version', 'enabled', 'reportTime'],
  properties: {
    version: { type: 'string', description: 'Version of the process that reports.' },
    enabled: {
      type: 'string',
      description: 'The value of the feature in that process. Transitional states cannot be reported.',
      enum: featureEnablement,
    },
    reportTime: { type: 'string', description: 'When the report was made.', format: 'date-time' },
  },
} as const satisfies FieldSchema;

const spec = {
  type: 'object',
  description: 'The part that users may set.',
  nullable: true,
  properties: {
    desired: optionalText(
      'The wanted value, where it differs from status.default and the feature may be set dynamically.',
      { enum: featureEnablement },
    ),
  },
} as const satisfies FieldSchema;

const scalars = {
  class: optionalText('The owner of the feature: the namespace, or a domain name of a third party.', {}),
  name: { type: 'string', description: 'The name of the feature, as its code spells it.', nullable: true },
  stability: optionalText('How stable the feature is in the version installed.', { enum: featureStability }),
  version: { type: 'string', description: 'Version of the software that provides the feature.', nullable: true },
  default: optionalText('The value of the feature without configuration.', { enum: featureEnablement }),
  source: optionalText('The source of the intended value.', { enum: featureSource }),
  state: optionalText('The state of the feature. Text: in YAML quote "On" and "Off".', { enum: featureState }),
  useEvaluationTime: optionalText('When the uses will be evaluated; clients have until then to report.', {
    format: 'date-time',
  }),
} as const satisfies Record<string, FieldSchema>;

/** `spec` without unknown fields: a file with a misspelled one is refused. (The API server prunes them.) */
export const featureSpec = { ...spec, additionalProperties: false } as const satisfies FieldSchema;

/** `status` without its two lists. Unknown fields are accepted. */
export const featureStatusScalars = {
  type: 'object',
  nullable: true,
  properties: scalars,
} as const satisfies FieldSchema;

export const transitionTask = {
  type: 'string',
  description: 'One thing to do before the transition ends; the last is WaitForUses.',
} as const satisfies FieldSchema;

const bounded = {
  ...scalars,
  class: { ...scalars.class, maxLength: 4096 },
  name: { ...scalars.name, maxLength: 4096 },
  version: { ...scalars.version, maxLength: 4096 },
} as const;

const status = {
  type: 'object',
  description: 'The state of the feature, as the system reports it.',
  nullable: true,
  properties: {
    ...bounded,
    transitionTasks: {
      type: 'array',
      description: 'The remaining tasks of the transition, in order.',
      nullable: true,
      maxItems: 1024,
      'x-kubernetes-list-type': 'atomic',
      items: { ...transitionTask, maxLength: 4096 },
    },
    uses: {
      type: 'array',
      description: 'Reports of clients: one entry for each version and value.',
      nullable: true,
      maxItems: 4096,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': featureUseKeys,
      items: {
        ...featureUse,
        properties: { ...featureUse.properties, version: { ...featureUse.properties.version, maxLength: 4096 } },
      },
    },
  },
} as const satisfies FieldSchema;

const hadState = 'has(oldSelf.status) && has(oldSelf.status.state)';
const hasState = 'has(self.status) && has(self.status.state)';
const next = `{${featureState.map((state) => `'${state}': ['${nextStates(state).join("', '")}']`).join(', ')}}`;

/** The rules that CEL in a CRD can express. Those on tasks, uses and times need the webhook. */
const validations: readonly Validation[] = [
  {
    rule: `!(${hadState}) || (${hasState})`,
    message: 'a state, once there, does not vanish: keep status.state',
    reason: 'FieldValueForbidden',
    fieldPath: '.status',
  },
  {
    rule:
      `!(${hadState}) || !(${hasState}) || self.status.state == oldSelf.status.state || !(oldSelf.status.state in ` +
      `${next}) || self.status.state in ${next}[oldSelf.status.state]`,
    message: 'a feature goes Off, TurningOn, On, TurningOff, Off; a transition may also turn around',
    reason: 'FieldValueForbidden',
    fieldPath: '.status.state',
  },
];

export const featureV1alpha1: KindSchema = {
  dialect: feature,
  version: 'v1alpha1',
  schema: {
    type: 'object',
    description: 'A Feature is one feature that can be on or off.',
    properties: { spec, status },
    'x-kubernetes-validations': validations,
  },
};
