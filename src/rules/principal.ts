/** Whether whoever asks is one of those the configuration names. */
import type { Context, Identity, Principal, Unknown } from './rule.ts';

/** The user name a service account calls by. */
export function serviceAccountUser(serviceAccount: string): string {
  return `system:serviceaccount:${serviceAccount.replace('/', ':')}`;
}

/** Whether one of the principals is the caller. */
export function isAmong(identity: Identity, principals: readonly Principal[]): boolean {
  for (const principal of principals)
    if ('group' in principal ? identity.groups.includes(principal.group) : identity.username === userOf(principal))
      return true;
  return false;
}

function userOf(principal: Exclude<Principal, { readonly group: string }>): string {
  return 'user' in principal ? principal.user : serviceAccountUser(principal.serviceAccount);
}

/** The result of a rule on identity where the caller is not known. */
export function whoAsks(context: Context): Unknown | undefined {
  if (context.identity !== undefined) return undefined;
  return {
    path: ['metadata', 'name'],
    unknown: 'it is not known who makes this request; with muster check, give --as',
  };
}

/** The caller's name, as a message names it. */
export function caller(context: Context): string {
  return context.identity?.username ?? '';
}

/** The users of the garbage collector and the namespace controller. */
export const COLLECTORS: ReadonlySet<string> = new Set(
  ['generic-garbage-collector', 'namespace-controller'].map((name) => serviceAccountUser(`kube-system/${name}`)),
);
