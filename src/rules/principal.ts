/** Matches callers against the principals of the configuration. */
import { getOrInsert } from '../base/get-or-insert.ts';
import type { Context, Identity, Principal, Problem, RuleResult } from './rule.ts';

/** The user name a service account calls by. */
export function serviceAccountUser(serviceAccount: string): string {
  return `system:serviceaccount:${serviceAccount.replace('/', ':')}`;
}

/** Whether one of the principals is the caller: an unknown one is none of them. */
export function isAmong(identity: Identity | undefined, principals: readonly Principal[] = []): boolean {
  if (identity === undefined) return false;
  return principals.some((principal) => {
    if ('group' in principal) return groupsOf(identity).has(principal.group);
    return identity.username === ('user' in principal ? principal.user : serviceAccountUser(principal.serviceAccount));
  });
}

/** A review may name 150,000 groups and a configuration 1,000 of them: searched one by one, that takes seconds. */
const groupSets = new WeakMap<readonly string[], ReadonlySet<string>>();

/** Returns the groups of a caller; a set is made once, since several rules ask. */
function groupsOf({ groups }: Identity): ReadonlySet<string> {
  return getOrInsert(groupSets, groups, () => new Set(groups));
}

/** Returns the problem, with the caller's name in its data; if the caller is unknown, a result that says so. */
export function reportCaller({ identity }: Context, { path, messageId, data }: Problem): readonly RuleResult[] {
  if (identity !== undefined) return [{ path, messageId, data: { user: identity.username, ...data } }];
  const unknown = 'the user who makes this request is unknown; with muster check, add --as USER';
  return [{ path: ['metadata', 'name'], unknown }];
}

/** The users of the garbage collector and the namespace controller. */
export const COLLECTORS: ReadonlySet<string> = new Set(
  ['generic-garbage-collector', 'namespace-controller'].map((name) => serviceAccountUser(`kube-system/${name}`)),
);
