/**
 * The schema of a MusterConfiguration. Its validation, its types, the tables of docs/configuration.md and the JSON
 * Schema for editors come from it. What a schema can't say is checked in checks.ts.
 */

import type { Mode } from '../engine/policy.ts';
import type { Action } from '../rules/rule.ts';
import { isServiceAccount } from '../schema/formats.ts';
import { oneOf } from '../schema/reporter.ts';
import { closed, type FromSchema, type Schema } from '../schema/schema.ts';

export const API_VERSION = 'muster/v1alpha1';
export const KIND = 'MusterConfiguration';

/** The most entries of a list or map, since some of them are searched on every request. */
export const MOST_ENTRIES = 1000;
/** Strongest first. */
export const ACTIONS = ['deny', 'warn', 'audit', 'ignore'] as const satisfies readonly Action[];
const MODES = ['enforce', 'warn', 'audit'] as const satisfies readonly Mode[];

/** A configuration that was read. */
export type MusterConfiguration = FromSchema<typeof configurationSchema>;

export const text = { type: 'string', minLength: 1 } as const;
export const ruleId = { ...text, expected: 'a rule id' } as const;
const name = { ...text, expected: 'a name' } as const;
const namespace = {
  ...text,
  expected: 'a namespace\'s name (a-z, 0-9, "-", at most 63)',
  format: 'dns-label',
} as const;
const serviceAccount = {
  type: 'string',
  expected: 'a service account as NAMESPACE/NAME',
  format: 'service-account',
  hint: serviceAccountHint,
} as const;

/** A list of at most MOST_ENTRIES entries. */
export function listOf<const Item extends Schema>(items: Item, expected: string, minItems = 0) {
  return { type: 'array', items, minItems, maxItems: MOST_ENTRIES, expected } as const;
}

/** A user, group or service account. */
export const principalSchema = {
  ...closed({
    user: { ...name, description: 'The name of a user.' },
    group: { ...name, description: 'The name of a group.' },
    serviceAccount: { ...serviceAccount, description: 'A service account as `NAMESPACE/NAME`.' },
  }),
  expected: 'a principal (exactly one of user, group, serviceAccount)',
  minProperties: 1,
  maxProperties: 1,
} as const;
const principals = {
  ...listOf(principalSchema, 'a list of principals', 1),
  whenEmpty: ' would lock everyone out; name at least one principal, or leave the key out',
} as const;

const action = { enum: ACTIONS, hint: hintOfAction } as const;

const pointsSchema = {
  ...closed({
    webhook: { ...action, description: 'The action in the admission webhook (`muster serve`).' },
    check: { ...action, description: 'The action in `muster check`.' },
    scan: { ...action, description: 'The action in `muster scan`.' },
  }),
  expected: 'a map of webhook, check and scan',
} as const;

const claimsSchema = closed({
  allowedReservedNames: {
    ...listOf(
      {
        ...text,
        expected: 'a name (lower case, as objects are named) or *.suffix, with no other "*"',
        format: 'reserved-name',
      },
      'a list of names',
    ),
    description:
      'Names under `*.k8s.io` and `*.kubernetes.io` that claims may have: a name, or `*.` and a suffix for all ' +
      'names under it. No other wildcard.',
  },
  membershipManagers: {
    ...principals,
    description:
      'The only principals that may create or delete the membership claim, or write its value. Absent: anyone; ' +
      '`claim/clusterset-manager` is disabled.',
  },
});

const inventorySchema = closed({
  managers: {
    type: 'object',
    minProperties: 1,
    maxProperties: MOST_ENTRIES,
    additionalProperties: principals,
    expected: 'a map from the names of managers to principals',
    whenEmpty: ' would know no manager; name at least one, or leave the key out',
    description:
      'The cluster managers: a map from names, as in `spec.clusterManager.name`, to lists of principals. Absent: ' +
      'anyone; `inventory/sole-manager` and `inventory/known-manager` are disabled.',
  },
});

const placementsSchema = closed({
  schedulers: {
    type: 'object',
    minProperties: 1,
    maxProperties: MOST_ENTRIES,
    additionalProperties: principals,
    expected: 'a map from the names of schedulers to principals',
    whenEmpty: ' would know no scheduler; name at least one, or leave the key out',
    description:
      'The schedulers: a map from names, as in `schedulerName` of a PlacementDecision, to lists of principals. ' +
      'Absent: anyone; `placement/scheduler` is disabled.',
  },
});

const servicesSchema = closed({
  closedNamespaces: {
    ...listOf(namespace, 'a list of namespaces'),
    description:
      'The namespaces from which nothing is exported. Absent or empty: none; `export/namespace` is disabled.',
  },
  importManagers: {
    ...principals,
    description:
      'The only principals that write ServiceImports: the controller of your multi-cluster services. Absent: ' +
      'anyone; `import/manager` is disabled.',
  },
});

const dynamicEntry = {
  ...closed(
    {
      namespace: {
        ...text,
        expected: 'the name of a namespace, or "*"',
        format: 'any-dns-label',
        description: 'The namespace of the feature, or `"*"` for any.',
      },
      name: {
        ...text,
        expected: 'the name of a Feature object (lower case), or "*"',
        format: 'any-dns-subdomain',
        description: 'The name of the Feature object (lower case), or `"*"` for any.',
      },
    },
    ['namespace', 'name'],
  ),
  expected: 'a map with namespace and name',
} as const;

const serverFlowEntry = {
  ...closed(
    {
      namespace: { ...namespace, description: 'The namespace of the features. A second entry for it is refused.' },
      principals: {
        ...principals,
        description: 'The only principals that create and delete features there, and write any status but `uses`.',
      },
    },
    ['namespace', 'principals'],
  ),
  expected: 'a map with namespace and principals',
} as const;

const featuresSchema = closed({
  dynamic: {
    anyOf: [{ const: '*' }, listOf(dynamicEntry, 'a list of { namespace, name }')],
    description:
      'The features that may be switched at run time: `"*"` for all, or a list; an empty list means none. ' +
      'Absent: all; `feature/dynamic-opt-in` is disabled.',
    expected: '"*" or a list of { namespace, name }',
  },
  serverFlow: {
    ...listOf(serverFlowEntry, 'a list of { namespace, principals }'),
    description:
      'The namespaces with the principals that run the features there. Absent: anyone; `feature/server-flow` and ' +
      '`feature/client-uses` are disabled.',
  },
  clockSkewSeconds: {
    type: 'number',
    minimum: 0,
    maximum: 300,
    default: 5,
    expected: 'a number of seconds from 0 to 300',
    description:
      'How far apart clocks may be when `useEvaluationTime` is evaluated, in seconds from 0 to 300. Fractions ' +
      'are allowed.',
  },
});

const registrarSchema = {
  ...closed(
    {
      kubeconfig: {
        ...text,
        expected: 'the path of a kubeconfig',
        description:
          'The kubeconfig of the hub, relative to the folder of this file. The server watches it, so credentials ' +
          'rotate without a restart.',
      },
      namespace: {
        ...namespace,
        description: 'The namespace of the hub with the reservations: the same for all members of a ClusterSet.',
      },
      whenUnreachable: {
        enum: ['deny', 'warn'],
        default: 'deny',
        description: 'What a join leads to while the hub is away: `deny` answers 503, `warn` allows it with a warning.',
      },
    },
    ['kubeconfig', 'namespace'],
  ),
  expected: 'a map with kubeconfig and namespace',
} as const;

const exemptionsSchema = closed({
  users: {
    ...listOf(name, 'a list of user names'),
    description: 'The names of users.',
  },
  groups: {
    ...listOf(name, 'a list of group names'),
    description: 'The names of groups.',
  },
  serviceAccounts: {
    ...listOf(serviceAccount, 'a list of NAMESPACE/NAME'),
    description: 'Service accounts as `NAMESPACE/NAME`.',
  },
  namespaces: { ...listOf(namespace, 'a list of namespaces'), description: 'The names of namespaces.' },
});

const chartEntry = {
  ...closed(
    {
      chart: {
        ...text,
        expected: 'the folder of a chart',
        description: 'The folder of the chart, relative to the folder of this file.',
      },
      cluster: { ...text, expected: 'the name of a cluster', description: 'The cluster into which it is rendered.' },
      values: {
        ...listOf({ ...text, expected: 'a file of values' }, 'a list of files'),
        description:
          'Files of values, relative to the folder of this file. Later ones win, as with `helm template --values`.',
      },
      namespace: {
        ...namespace,
        description: 'The namespace of the release, which is that of objects without one. Absent: `default`.',
      },
    },
    ['chart', 'cluster'],
  ),
  expected: 'a map with chart and cluster',
} as const;

const checkSchema = closed({
  clusters: {
    ...listOf(
      {
        ...text,
        expected: 'a folder, or a glob of folders (*, ? or one **), such as "clusters/*"',
        format: 'cluster-glob',
      },
      'a list of globs',
      1,
    ),
    whenEmpty: '; name at least one glob, or leave the key out',
    description:
      'Globs of folders, such as `clusters/*`: each folder that matches is a cluster, as with `--clusters`. ' +
      'Relative to the folder of this file.',
  },
  charts: {
    ...listOf(chartEntry, 'a list of { chart, cluster, values, namespace }', 1),
    whenEmpty: '; list at least one chart, or leave the key out',
    description: 'Which values render a chart into which cluster, with `--render`.',
  },
});

const exceptionSchema = {
  ...closed(
    {
      rules: {
        ...listOf(ruleId, 'a list of rule ids', 1),
        whenEmpty: '; name at least one rule',
        description: 'The ids of the rules that skip the object.',
      },
      apiGroup: { ...text, expected: 'an API group', description: 'The API group of the object, without a version.' },
      kind: { ...text, expected: 'a kind', description: 'The kind of the object; one that muster evaluates.' },
      namespace: {
        ...namespace,
        description: 'The namespace of the object. Absent: any. Refused for cluster-scoped kinds.',
      },
      name: {
        ...text,
        expected: 'the name of one object (lower case, no wildcard)',
        format: 'dns-subdomain',
        description: 'The name of the object. No wildcard.',
      },
      expires: {
        ...text,
        expected: 'a date such as 2027-01-31, or an RFC 3339 date-time with its zone such as 2027-01-31T18:00:00Z',
        format: 'day-or-time',
        description: 'The last day (UTC) on which it applies, or an RFC 3339 date-time with its zone.',
      },
      reason: { ...text, expected: 'a text that says why', description: 'The reason, for later readers.' },
    },
    ['rules', 'apiGroup', 'kind', 'name', 'expires', 'reason'],
  ),
  expected: 'an exception (a map)',
} as const;

export const configurationSchema = {
  ...closed(
    {
      apiVersion: { const: API_VERSION, description: `\`${API_VERSION}\`.` },
      kind: { const: KIND, description: `\`${KIND}\`.` },
      mode: {
        enum: MODES,
        default: 'enforce',
        description:
          'Caps the actions of all rules: `enforce` caps nothing, `warn` turns every denial into a warning that ' +
          'says `would be denied:`, `audit` allows everything and only logs, counts and annotates.',
      },
      rules: {
        type: 'object',
        maxProperties: MOST_ENTRIES,
        additionalProperties: {
          anyOf: [action, pointsSchema, { type: 'null' }],
          expected: `${oneOf(ACTIONS)}, or ${pointsSchema.expected}`,
        },
        expected: 'a map from rule ids to actions',
        description: 'A map from rule ids to an action, or to a map with an action for some enforcement points.',
      },
      claims: { ...claimsSchema, description: 'Settings of the claim rules.' },
      inventory: { ...inventorySchema, description: 'Settings of the inventory rules.' },
      features: { ...featuresSchema, description: 'Settings of the feature rules.' },
      placements: { ...placementsSchema, description: 'Settings of the placement rules.' },
      services: { ...servicesSchema, description: 'Settings of the rules on services across clusters.' },
      registrar: {
        ...registrarSchema,
        description:
          'Where the members of a ClusterSet reserve their ids. Absent: nowhere; `claim/id-reserved` is disabled.',
      },
      check: { ...checkSchema, description: 'Settings of `muster check` alone.' },
      exemptions: { ...exemptionsSchema, description: 'Callers and namespaces to which no rule applies.' },
      exceptions: {
        ...listOf(exceptionSchema, 'a list of exceptions'),
        description: 'Single objects that some rules skip until a day.',
      },
    },
    ['apiVersion', 'kind'],
  ),
  expected: `a ${KIND} (a map)`,
} as const;

/**
 * Returns a hint on a value that is not an action. YAML 1.1 reads `off` and `no` as false, so no action has such a
 * name.
 */
function hintOfAction(value: unknown): string {
  if (value === false) return ' (which is how YAML reads off and no); write ignore to disable a rule';
  if (value === true) return ' (which is how YAML reads on and yes); name the action';
  const isOff = typeof value === 'string' && /^(off|no|none|false|disabled?)$/i.test(value);
  return isOff ? '; write ignore to disable a rule' : '';
}

const CALLER_PREFIX = 'system:serviceaccount:';

/** Returns a hint with the short form of a service account, for a value that is its user name. */
function serviceAccountHint(value: unknown): string {
  if (typeof value !== 'string' || !value.startsWith(CALLER_PREFIX)) return '';
  const short = value.slice(CALLER_PREFIX.length).replace(':', '/');
  return isServiceAccount(short) ? `; write "${short}"` : '';
}
