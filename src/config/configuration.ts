/** A MusterConfiguration as people write it. `schema.ts` says the same as data; `docs/configuration.md` explains it. */
import type { Mode } from '../engine/policy.ts';
import type { Action, EnforcementPoint, Principal } from '../rules/rule.ts';

export const API_VERSION = 'muster/v1alpha1';
export const KIND = 'MusterConfiguration';

/** The most entries a list or map may have: what is looked through on every request stays short. */
export const MOST_ENTRIES = 1000;
/** The longest clock skew to tolerate, in seconds: beyond it a clock is wrong, not skewed. */
export const MOST_SKEW_SECONDS = 300;

/** Strongest first. */
export const ACTIONS = ['deny', 'warn', 'audit', 'ignore'] as const satisfies readonly Action[];
export const MODES = ['enforce', 'warn', 'audit'] as const satisfies readonly Mode[];
export const POINTS = ['webhook', 'check', 'scan'] as const satisfies readonly EnforcementPoint[];

/** One object that some rules leave alone until a day. */
export interface ConfiguredException {
  rules: string[];
  apiGroup: string;
  kind: string;
  /** Absent: any namespace. */
  namespace?: string | null;
  name: string;
  /** A date (it holds through the end of that day, UTC) or an RFC 3339 date-time. */
  expires: string;
  reason: string;
}

export interface ConfiguredExemptions {
  users?: string[] | null;
  groups?: string[] | null;
  /** As `NAMESPACE/NAME`. */
  serviceAccounts?: string[] | null;
  namespaces?: string[] | null;
}

export interface ConfiguredFeatures {
  /** `*`: every feature. In an entry `*` stands for any namespace or any name. */
  dynamic?: '*' | { namespace: string; name: string }[] | null;
  serverFlow?: { namespace: string; principals: Principal[] }[] | null;
  clockSkewSeconds?: number | null;
}

export type ConfiguredPoints = { [Point in EnforcementPoint]?: Action | null };

/** Null counts as absent, as everywhere in Kubernetes. */
export interface MusterConfiguration {
  apiVersion: typeof API_VERSION;
  kind: typeof KIND;
  mode?: Mode | null;
  /** By rule id: one action, or one for each enforcement point. */
  rules?: { [ruleId: string]: Action | ConfiguredPoints | null } | null;
  claims?: { allowedReservedNames?: string[] | null; membershipManagers?: Principal[] | null } | null;
  /** Managers by name, as `spec.clusterManager.name` has it. */
  inventory?: { managers?: { [name: string]: Principal[] } | null } | null;
  features?: ConfiguredFeatures | null;
  exemptions?: ConfiguredExemptions | null;
  exceptions?: ConfiguredException[] | null;
}
