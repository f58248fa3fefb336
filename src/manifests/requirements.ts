/**
 * What a configuration requires in the cluster: which webhooks refuse writes while muster is away, and what the server
 * reads in addition.
 */
import { clusterProfile } from '../api/dialects.ts';
import { mayDeny, planRules, type RulePlan } from '../engine/plan.ts';
import { defaultPolicy, type Policy } from '../engine/policy.ts';
import { rules } from '../rules/index.ts';
import type { RegistrarSettings } from '../rules/rule.ts';
import { type AwayAction, VALIDATING_WEBHOOKS, type ValidatingWebhook } from './webhooks.ts';

/** What the webhooks have to enforce. It follows from the configuration. */
export interface Enforcement {
  /**
   * The strongest action of the rules that a webhook serves, by the first part of its name. Left out are webhooks that
   * serve no rule in force, and those with the action that they have without one.
   */
  readonly webhooks: Readonly<Record<string, AwayAction>>;
  /** Whether a ClusterProfile without its manager's label is denied. */
  readonly profileLabel: boolean;
  /** The namespaces from which nothing is exported: muster reviews the exports of these alone. */
  readonly closedNamespaces: readonly string[];
}

/** What the server reads in addition to what it always reads. */
export interface ServerReads {
  /** Whether a rule lists ClusterProfiles, by label. */
  readonly profileLists: boolean;
  /** The hub, if there is one. Then the server also reads the uid of its cluster, and writes Events. */
  readonly registrar?: RegistrarSettings | undefined;
}

/** What is enforced without a configuration: rules on ServiceImports warn. */
export const DEFAULT_ENFORCEMENT = requiredEnforcement(defaultPolicy);
export const DEFAULT_READS = requiredReads(defaultPolicy);

/** Returns what is read under a policy. */
export function requiredReads(policy: Policy): ServerReads {
  const planned = planRules(policy, 'webhook', rules, true)[clusterProfile.name];
  const profileLists = planned.CREATE[''].some(({ rule }) => rule.id === 'inventory/member-id-unique');
  return { profileLists, registrar: policy.settings.registrar };
}

/** Returns what the rules enforce under a policy. */
export function requiredEnforcement(policy: Policy): Enforcement {
  const plan = planRules(policy, 'webhook', rules, true);
  const webhooks = Object.fromEntries(VALIDATING_WEBHOOKS.flatMap((webhook) => actionOf(webhook, plan)));
  const absentDenies = plan[clusterProfile.name].UPDATE[''].some(
    ({ rule, messageActions }) =>
      rule.id === 'inventory/cluster-manager-label' && messageActions.get('absent') === 'deny',
  );
  const profileLabel = absentDenies || webhooks['inventory-owners'] === 'deny';
  const { closedNamespaces = [] } = (webhooks['service-exports'] && policy.settings.services) || {};
  return { webhooks, profileLabel, closedNamespaces };
}

/** Returns the name of a webhook and its action; nothing if that is the one without any rule in force. */
function actionOf(webhook: ValidatingWebhook, plan: RulePlan): readonly (readonly [string, AwayAction])[] {
  const { name, writes, serves = () => false, action } = webhook;
  const served = writes.flatMap(({ dialect, operations, subresource }) =>
    operations.flatMap((operation) => plan[dialect.name][operation][subresource].filter(({ rule }) => serves(rule))),
  );
  const strongest = served.some(mayDeny) ? 'deny' : 'warn';
  return served.length === 0 || strongest === action ? [] : [[name, strongest]];
}
