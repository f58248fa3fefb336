/** What the platform team decided, in the form the engine reads. `config` builds it; nothing here does I/O. */
import type { Action, EnforcementPoint, RuleSettings } from '../rules/rule.ts';

/** Caps every action: a first rollout runs with `warn`. */
export type Mode = 'enforce' | 'warn' | 'audit';

/** Callers and namespaces whose writes no rule evaluates. */
export interface Exemptions {
  readonly users: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
  /** As user names: `system:serviceaccount:NS:NAME`. */
  readonly serviceAccounts: ReadonlySet<string>;
  readonly namespaces: ReadonlySet<string>;
}

/** One object that some rules leave alone, for a while. */
export interface Exception {
  readonly rules: ReadonlySet<string>;
  readonly apiGroup: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  /** Milliseconds since the epoch; from then on the exception is inert. */
  readonly expires: number;
  readonly reason: string;
}

/** An exception that ends within so many days ends soon, unless a user names another number. */
export const SOON_DAYS = 14;

/** A configuration, read and ready for evaluation. */
export interface Policy {
  readonly mode: Mode;
  /** What the configuration says of a rule; a point it does not name keeps the rule's default. */
  readonly actions: ReadonlyMap<string, Readonly<Partial<Record<EnforcementPoint, Action>>>>;
  readonly settings: RuleSettings;
  readonly exemptions: Exemptions;
  readonly exceptions: readonly Exception[];
}

/** What holds without a configuration file. */
export const defaultPolicy: Policy = {
  mode: 'enforce',
  actions: new Map(),
  settings: {
    claims: { allowedReservedNames: [] },
    inventory: {},
    features: { clockSkewSeconds: 5 },
    placements: {},
    services: {},
  },
  exemptions: { users: new Set(), groups: new Set(), serviceAccounts: new Set(), namespaces: new Set() },
  exceptions: [],
};
