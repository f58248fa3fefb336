/** The part of the configuration that rules read. */

export type Principal = { readonly user: string } | { readonly group: string } | { readonly serviceAccount: string };

/** An undefined list or map is not configured: the rule that reads it is disabled. */
export interface RuleSettings {
  readonly claims: {
    readonly allowedReservedNames: readonly string[];
    readonly membershipManagers?: readonly Principal[];
  };
  readonly inventory: { readonly managers?: ReadonlyMap<string, readonly Principal[]> };
  readonly features: {
    /** `'*'`: every feature. In an entry `'*'` means any name or any namespace. */
    readonly dynamic?: '*' | readonly { readonly namespace: string; readonly name: string }[];
    readonly serverFlow?: readonly { readonly namespace: string; readonly principals: readonly Principal[] }[];
    readonly clockSkewSeconds: number;
  };
}
