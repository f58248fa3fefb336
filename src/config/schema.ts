/**
 * MusterConfiguration as JSON Schema (draft 7), for editors and documentation. The reader takes its keys from here, so
 * that there is one list of them; what a schema can't say (rule ids, dates, one namespace twice) the reader alone checks.
 */

import type {
  ConfiguredException,
  ConfiguredExemptions,
  ConfiguredFeatures,
  ConfiguredPoints,
  MusterConfiguration,
} from './configuration.ts';
import { ACTIONS, API_VERSION, KIND, MODES, MOST_ENTRIES, MOST_SKEW_SECONDS } from './configuration.ts';

/** Every key of a type, no more and no fewer. */
type Keys<T> = { readonly [Key in keyof Required<T>]: object };

const text = { type: 'string', minLength: 1 } as const;
const SERVICE_ACCOUNT = { type: 'string', pattern: '^[^/]+/[^/]+$' } as const;

function listOf<const Item extends object>(items: Item, minItems = 0) {
  return { type: 'array', items, minItems, maxItems: MOST_ENTRIES } as const;
}

function closed<const Properties extends object, const Required extends keyof Properties = never>(
  properties: Properties,
  required: readonly Required[] = [],
) {
  return { type: 'object', additionalProperties: false, required, properties } as const;
}

export const principalSchema = {
  ...closed({
    user: { ...text, description: 'The name of a user.' },
    group: { ...text, description: 'The name of a group.' },
    serviceAccount: { ...SERVICE_ACCOUNT, description: 'A service account, as NAMESPACE/NAME.' },
  }),
  minProperties: 1,
  maxProperties: 1,
} as const;

const principals = listOf(principalSchema, 1);

export const pointsSchema = closed({
  webhook: { enum: ACTIONS, description: 'In the admission webhook.' },
  check: { enum: ACTIONS, description: 'In muster check.' },
  scan: { enum: ACTIONS, description: 'In muster scan.' },
} satisfies Keys<ConfiguredPoints>);

export const claimsSchema = closed({
  allowedReservedNames: { ...listOf(text), description: 'Reserved names that may be claimed: names, or *.suffix.' },
  membershipManagers: { ...principals, description: 'Who alone writes membership claims. Absent: anyone.' },
} satisfies Keys<NonNullable<MusterConfiguration['claims']>>);

export const inventorySchema = closed({
  managers: {
    type: 'object',
    minProperties: 1,
    maxProperties: MOST_ENTRIES,
    additionalProperties: principals,
    description: 'The cluster managers by name, each with its principals. Absent: anyone.',
  },
} satisfies Keys<NonNullable<MusterConfiguration['inventory']>>);

export const dynamicEntrySchema = closed(
  {
    namespace: { ...text, description: 'A namespace, or * for any.' },
    name: { ...text, description: 'The name of a Feature object, or * for any.' },
  },
  ['namespace', 'name'],
);

export const serverFlowEntrySchema = closed(
  {
    namespace: { ...text, description: 'The namespace the features live in.' },
    principals: { ...principals, description: 'Who alone creates and deletes there, and writes status.' },
  },
  ['namespace', 'principals'],
);

export const featuresSchema = closed({
  dynamic: {
    anyOf: [{ const: '*' }, listOf(dynamicEntrySchema)],
    description: 'The features that may be set at run time: *, or a list. Absent: all, unguarded.',
  },
  serverFlow: { ...listOf(serverFlowEntrySchema), description: 'Who runs the features of a namespace.' },
  clockSkewSeconds: {
    type: 'number',
    minimum: 0,
    maximum: MOST_SKEW_SECONDS,
    default: 5,
    description: 'How far clocks may be apart, in seconds.',
  },
} satisfies Keys<ConfiguredFeatures>);

export const exemptionsSchema = closed({
  users: { ...listOf(text), description: 'Users no rule is applied to.' },
  groups: { ...listOf(text), description: 'Groups no rule is applied to.' },
  serviceAccounts: { ...listOf(SERVICE_ACCOUNT), description: 'Service accounts no rule is applied to.' },
  namespaces: { ...listOf(text), description: 'Namespaces no rule is applied in.' },
} satisfies Keys<ConfiguredExemptions>);

export const exceptionSchema = closed(
  {
    rules: { ...listOf(text, 1), description: 'The ids of the rules that leave the object alone.' },
    apiGroup: { ...text, description: 'The API group of the object, without a version.' },
    kind: { ...text, description: 'The kind of the object.' },
    namespace: { ...text, description: 'The namespace of the object. Absent: any.' },
    name: { ...text, description: 'The name of the object.' },
    expires: { ...text, description: 'The last day (UTC), or an RFC 3339 date-time.' },
    reason: { ...text, description: 'Why, for whoever reads it later.' },
  } satisfies Keys<ConfiguredException>,
  ['rules', 'apiGroup', 'kind', 'name', 'expires', 'reason'],
);

export const configurationSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: KIND,
  ...closed(
    {
      apiVersion: { const: API_VERSION, description: 'The version of this format.' },
      kind: { const: KIND, description: 'The kind of this document.' },
      mode: { enum: MODES, default: 'enforce', description: 'Caps the actions of all rules.' },
      rules: {
        type: 'object',
        maxProperties: MOST_ENTRIES,
        additionalProperties: { anyOf: [{ enum: ACTIONS }, pointsSchema] },
        description: 'What happens on a finding, by rule id.',
      },
      claims: { ...claimsSchema, description: 'Settings of the claim rules.' },
      inventory: { ...inventorySchema, description: 'Settings of the inventory rules.' },
      features: { ...featuresSchema, description: 'Settings of the feature rules.' },
      exemptions: { ...exemptionsSchema, description: 'Whom and where no rule is applied.' },
      exceptions: { ...listOf(exceptionSchema), description: 'Single objects some rules leave alone for a while.' },
    } satisfies Keys<MusterConfiguration>,
    ['apiVersion', 'kind'],
  ),
} as const;
