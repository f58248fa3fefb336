/** A write that a rule refuses beside a near one that it does not, and the configuration both are judged under. */
import type { Json } from '../harness/index.ts';

export interface Side {
  readonly user: string;
  /** What is stored before; the last object is the one written to. */
  readonly world: readonly Json[];
  /** CREATE: the object. UPDATE: what changes, as a merge patch. DELETE: nothing. */
  readonly write?: Json;
}

export interface Scenario {
  readonly rule: string;
  /** What the refusal tells the user to do. */
  readonly remedy: RegExp;
  readonly on: 'CREATE' | 'UPDATE' | 'STATUS' | 'DELETE';
  readonly allowed: Side;
  readonly forbidden: Side;
  /** To delete and create anew is the remedy the rule itself names: `replace --force` is no bypass of it. */
  readonly renews?: true;
  /** The rule speaks of certain names only. */
  readonly byName?: true;
}

export const configuration = {
  exemptions: { users: ['admin'] },
  rules: { 'inventory/sole-manager': 'deny' },
  inventory: { managers: { m: [{ user: 'jane' }] } },
  features: { serverFlow: [{ namespace: 'default', principals: [{ user: 'jane' }] }] },
};
