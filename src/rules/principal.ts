/** Matches callers against the principals of the configuration. */
import { getOrInsert } from '../base/collections.ts';
import { type Context, type Identity, NAME, type Principal, type Problem, type RuleResult } from './rule.ts';

/** Returns the user name of a service account. @param serviceAccount NAMESPACE/NAME */
export function serviceAccountUser(serviceAccount: string): string {
  return `system:serviceaccount:${serviceAccount.replace('/', ':')}`;
}

/** Whether the caller is one of the principals; false if the caller is unknown. */
export function isAmong(identity: Identity | undefined, principals: readonly Principal[] = []): boolean {
  if (identity === undefined) return false;
  return principals.some((principal) => {
    if ('group' in principal) return groupsOf(identity).has(principal.group);
    return identity.username === ('user' in principal ? principal.user : serviceAccountUser(principal.serviceAccount));
  });
}

/** A review may name 150,000 groups, and a configuration 1,000. Comparing each pair would take seconds. */
const groupSets = new WeakMap<readonly string[], ReadonlySet<string>>();

/** Returns the groups of a caller. The set is kept, since several rules need it. */
function groupsOf({ groups }: Identity): ReadonlySet<string> {
  return getOrInsert(groupSets, groups, () => new Set(groups));
}

/** Returns the first of these names that `owners` maps to principals of which the caller is none. */
export function firstRefusing(
  { identity }: Context,
  owners: ReadonlyMap<string, readonly Principal[]> | undefined,
  names: readonly (string | undefined)[],
): string | undefined {
  return names.find((name) => {
    const principals = name === undefined ? undefined : owners?.get(name);
    return principals !== undefined && !isAmong(identity, principals);
  });
}

/** Reports a problem with the caller's name in its data, or, if the caller is unknown, that the rule can't decide. */
export function reportCaller({ identity }: Context, { path, messageId, data }: Problem): readonly RuleResult[] {
  if (identity !== undefined) return [{ path, messageId, data: { user: identity.username, ...data } }];
  const unknown =
    'the user who makes this request is unknown; name one: muster check --as USER, or as: USER in a suite';
  return [{ path: NAME, unknown }];
}

/** The users of the garbage collector and the namespace controller. */
export const COLLECTORS: ReadonlySet<string> = new Set(
  ['generic-garbage-collector', 'namespace-controller'].map((name) => serviceAccountUser(`kube-system/${name}`)),
);
