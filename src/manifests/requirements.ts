/**
 * What a configuration requires in the cluster: which webhooks refuse writes while muster is away, and what the server
 * reads in addition.
 */
import {
  type Concept,
  clusterProfile,
  dialects,
  placementDecision,
  serviceExport,
  serviceImport,
} from '../api/dialects.ts';
import { mayDeny, type PlannedRule, planRules, type RulePlan } from '../engine/plan.ts';
import { defaultPolicy, type Policy } from '../engine/policy.ts';
import { rules } from '../rules/index.ts';
import type { RegistrarSettings } from '../rules/rule.ts';

/** What has a webhook of its own for deletions, whose failure policy follows from the configuration. */
export const DELETIONS = ['membership', 'inventory', 'feature'] as const;
export type Deleted = (typeof DELETIONS)[number];

/** What the webhooks have to enforce. It follows from the configuration. */
export interface Enforcement {
  /** Those with a rule that may deny a DELETE. */
  readonly deletions: Readonly<Partial<Record<Deleted, boolean>>>;
  /**
   * Concepts with a rule that guards ownerReferences, and whether it may deny. For placements and ServiceImports the
   * rule also guards deletions and other metadata.
   */
  readonly owners: Readonly<Partial<Record<Concept, 'warn' | 'deny'>>>;
  /** Whether a ClusterProfile without its manager's label is denied. */
  readonly profileLabel: boolean;
  /** Whether a wrong index of a slice of placement decisions is denied. */
  readonly placementIndex: boolean;
  /** The writes of services with an active rule, and whether it may deny. */
  readonly services: Readonly<Partial<Record<ServiceWrite, 'warn' | 'deny'>>>;
  /** The namespaces from which nothing is exported: muster reviews the exports of these alone. */
  readonly closedNamespaces: readonly string[];
}

/** New ServiceExports; new ServiceImports and changes of them; changes of their status. */
export const SERVICE_WRITES = ['exports', 'imports', 'status'] as const;
export type ServiceWrite = (typeof SERVICE_WRITES)[number];

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
  const deletions: Partial<Record<Deleted, boolean>> = {};
  const owners: Partial<Record<Concept, 'warn' | 'deny'>> = {};
  for (const dialect of dialects) {
    const { concept } = dialect;
    const deleted = deletedBy(concept);
    const denying = plan[dialect.name].DELETE[''].filter(mayDeny);
    // Of claims, deletions of ids have the webhook of other writes. Their rules need the lock, which no leave takes.
    if (deleted && denying.some(({ rule }) => deleted !== 'membership' || !rule.locks)) deletions[deleted] = true;
    const guards = plan[dialect.name].UPDATE[''].filter(({ rule }) => rule.checksOwnerReferences);
    if (guards.some(mayDeny)) owners[concept] = 'deny';
    else if (guards.length > 0) owners[concept] ??= 'warn';
  }
  const absentDenies = plan[clusterProfile.name].UPDATE[''].some(
    ({ rule, messageActions }) =>
      rule.id === 'inventory/cluster-manager-label' && messageActions.get('absent') === 'deny',
  );
  const placementIndex = plan[placementDecision.name].UPDATE[''].some(
    (planned) => planned.rule.id === 'placement/index' && mayDeny(planned),
  );
  const profileLabel = absentDenies || owners.inventory === 'deny';
  const services = serviceWrites(plan);
  const { closedNamespaces = [] } = (services.exports && policy.settings.services) || {};
  return { deletions, owners, profileLabel, placementIndex, services, closedNamespaces };
}

/** Returns what has a webhook for the deletions of a concept. */
function deletedBy(concept: Concept): Deleted | undefined {
  return concept === 'claim' ? 'membership' : DELETIONS.find((each) => each === concept);
}

function serviceWrites(plan: RulePlan): Enforcement['services'] {
  const { CREATE, UPDATE } = plan[serviceImport.name];
  const evaluated: Readonly<Record<ServiceWrite, readonly PlannedRule[]>> = {
    exports: plan[serviceExport.name].CREATE[''],
    imports: [...CREATE[''], ...UPDATE['']],
    status: UPDATE.status,
  };
  const applying = SERVICE_WRITES.filter((write) => evaluated[write].length > 0);
  return Object.fromEntries(applying.map((write) => [write, evaluated[write].some(mayDeny) ? 'deny' : 'warn']));
}
