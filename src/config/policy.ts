/** Builds the policy of the engine from a MusterConfiguration. No I/O: it runs in a browser too. */

import { fieldOf } from '../base/text.ts';
import { defaultPolicy, type Policy } from '../engine/policy.ts';
import { freeze } from '../engine/review.ts';
import { serviceAccountUser } from '../rules/principal.ts';
import { type Action, ENFORCEMENT_POINTS, type EnforcementPoint, type RuleSettings } from '../rules/rule.ts';
import { validate } from '../schema/configuration.generated.ts';
import { endOf } from '../schema/formats.ts';
import { readBySchema } from '../schema/read.ts';
import { type ConfigProblem, Reporter } from '../schema/reporter.ts';
import { type CheckContext, checkConfiguration, warnOfDisabledRules } from './checks.ts';
import { configurationSchema, type MusterConfiguration } from './schema.ts';

/** A policy, or the problems because of which there is none. */
export interface PolicyReading {
  /** Deep-frozen; absent if there are problems. */
  readonly policy?: Policy;
  readonly problems: readonly ConfigProblem[];
  /** `field: warning`, for settings that are allowed, but likely mistakes. */
  readonly warnings: readonly string[];
}

/**
 * Returns the policy of a configuration, or all its problems. Never throws on any JSON value.
 * @param ruleIds the ids of all rules
 * @param now milliseconds since the epoch, for expired exceptions
 */
export function policyOf(configuration: unknown, ruleIds: ReadonlySet<string>, now: number): PolicyReading {
  const { warnings, clusters: _, charts: __, ...reading } = readConfiguration(configuration, { ruleIds, now });
  return { ...reading, warnings: warnings.map(({ path, message }) => `${fieldOf(path)}: ${message}`) };
}

/** Like `policyOf`, but warnings have paths, for callers that know the lines; with the settings of `check`. */
export function readConfiguration(configuration: unknown, context: CheckContext) {
  const at = new Reporter();
  const { problems, warnings } = at;
  const read = readBySchema(configurationSchema, validate, configuration, at);
  if (read) checkConfiguration(read, context, at);
  if (read === undefined || problems.length > 0) return { problems, warnings };
  const good = read as MusterConfiguration;
  const policy = policyFrom(good);
  warnOfDisabledRules(policy, at.below('rules'));
  const { clusters = [], charts = [] } = good.check ?? {};
  return { policy, clusters, charts, problems, warnings };
}

/** Returns the policy of a configuration without problems. */
export function policyFrom({ mode, rules, exceptions = [], ...sections }: Partial<MusterConfiguration>): Policy {
  const { serviceAccounts = [], ...exempt } = sections.exemptions ?? {};
  return freezePolicy({
    mode: mode ?? defaultPolicy.mode,
    actions: new Map(Object.entries(rules ?? {}).flatMap(([id, action]) => actionsFrom(id, action))),
    settings: settingsFrom(sections),
    exemptions: {
      users: new Set(exempt.users),
      groups: new Set(exempt.groups),
      serviceAccounts: new Set(serviceAccounts.map(serviceAccountUser)),
      namespaces: new Set(exempt.namespaces),
    },
    exceptions: exceptions.map(({ rules: ids, expires, namespace, ...of }) => {
      const where = namespace === undefined ? {} : { namespace };
      return { ...of, ...where, rules: new Set(ids), expires: endOf(expires) ?? 0 };
    }),
  });
}

type PointActions = Partial<Record<EnforcementPoint, Action>>;

/** Returns the configured actions of a rule as a map entry; no entry if there are none. */
function actionsFrom(id: string, action: NonNullable<MusterConfiguration['rules']>[string]) {
  const of = (point: EnforcementPoint) => (typeof action === 'string' ? action : action?.[point]);
  const actions = ENFORCEMENT_POINTS.map((point) => [point, of(point)] as const).filter(([, configured]) => configured);
  return actions.length === 0 ? [] : [[id, Object.fromEntries(actions) as PointActions] as const];
}

function settingsFrom(sections: Partial<MusterConfiguration>): RuleSettings {
  const { claims, inventory, features, placements, services, registrar } = sections;
  const defaults = defaultPolicy.settings;
  const { serverFlow, ...otherFeatures } = features ?? {};
  const { closedNamespaces, ...otherServices } = services ?? {};
  const settings = {
    claims: { ...defaults.claims, ...claims },
    inventory: inventory?.managers ? { managers: new Map(Object.entries(inventory.managers)) } : {},
    placements: placements?.schedulers ? { schedulers: new Map(Object.entries(placements.schedulers)) } : {},
    services: { ...otherServices, ...(closedNamespaces?.length && { closedNamespaces }) },
    features: { ...defaults.features, ...otherFeatures, ...(serverFlow?.length && { serverFlow }) },
    ...(registrar && { registrar: { whenUnreachable: 'deny', ...registrar } }),
  };
  // The schema guarantees that no member is undefined, and that a principal has exactly one.
  return settings as RuleSettings;
}

/**
 * Freezes a policy. Object.freeze does not freeze the values of maps, so this does; sets are guarded by their types.
 */
function freezePolicy(policy: Policy): Policy {
  for (const points of policy.actions.values()) freeze(points);
  const { inventory, placements } = policy.settings;
  for (const owners of [inventory.managers, placements.schedulers])
    for (const principals of owners?.values() ?? []) freeze(principals);
  return freeze(policy);
}
