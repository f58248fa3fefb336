/** Matches callers against the principals of the configuration. */
import type { Context, Identity, Principal, Problem, RuleResult } from './rule.ts';

/** The user name a service account calls by. */
export function serviceAccountUser(serviceAccount: string): string {
  return `system:serviceaccount:${serviceAccount.replace('/', ':')}`;
}

/** Whether one of the principals is the caller. */
export function isAmong(identity: Identity, principals: readonly Principal[]): boolean {
  const isMember = memberOf(identity);
  return principals.some((principal) => {
    if ('group' in principal) return isMember(principal.group);
    return identity.username === ('user' in principal ? principal.user : serviceAccountUser(principal.serviceAccount));
  });
}

/** Groups of a caller up to which a search of the list is quick. Hardly any caller has more. */
const FEW_GROUPS = 32;
/** A review may name 150,000 groups and a configuration 1,000 of them: searched one by one, that takes seconds. */
const manyGroups = new WeakMap<readonly string[], ReadonlySet<string>>();

/** Returns whether the caller is in a group. A long list is made a set once, since several rules ask. */
function memberOf({ groups }: Identity): (group: string) => boolean {
  if (groups.length <= FEW_GROUPS) return (group) => groups.includes(group);
  const known = manyGroups.get(groups) ?? new Set(groups);
  manyGroups.set(groups, known);
  return (group) => known.has(group);
}

/** Returns the problem, with the caller's name in its data; if the caller is unknown, a result that says so. */
export function byCaller({ identity }: Context, { path, messageId, data }: Problem): readonly RuleResult[] {
  if (identity !== undefined) return [{ path, messageId, data: { user: identity.username, ...data } }];
  const unknown = 'the user who makes this request is unknown; with muster check, add --as USER';
  return [{ path: ['metadata', 'name'], unknown }];
}

/** The users of the garbage collector and the namespace controller. */
export const COLLECTORS: ReadonlySet<string> = new Set(
  ['generic-garbage-collector', 'namespace-controller'].map((name) => serviceAccountUser(`kube-system/${name}`)),
);
