/** The configuration in the form that the engine reads. `src/config` builds it; nothing here does I/O. */
import type { Action, EnforcementPoint, RuleSettings } from '../rules/rule.ts';

/** The mode caps every action: a first rollout runs with `warn`. */
export type Mode = 'enforce' | 'warn' | 'audit';

/** Callers and namespaces whose writes are not evaluated. */
export interface Exemptions {
  readonly users: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
  /** As user names: `system:serviceaccount:NS:NAME`. */
  readonly serviceAccounts: ReadonlySet<string>;
  readonly namespaces: ReadonlySet<string>;
}

/** An object to which some rules do not apply, until a date. */
export interface Exception {
  readonly rules: ReadonlySet<string>;
  readonly apiGroup: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  /** Milliseconds since the epoch; from then on the exception has no effect. */
  readonly expires: number;
  readonly reason: string;
}

/** The default number of days within which an exception counts as ending soon. */
export const SOON_DAYS = 14;

/** A configuration, read and ready for evaluation. */
export interface Policy {
  readonly mode: Mode;
  /** The configured actions of each rule. An enforcement point without one has the rule's default. */
  readonly actions: ReadonlyMap<string, Readonly<Partial<Record<EnforcementPoint, Action>>>>;
  readonly settings: RuleSettings;
  readonly exemptions: Exemptions;
  readonly exceptions: readonly Exception[];
}

/** The policy without a configuration file. */
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
