/** Whether whoever asks is one of those the configuration names. */
import type { Context, Identity, Principal, Unknown } from './rule.ts';

/** The user name a service account calls by. */
export function serviceAccountUser(serviceAccount: string): string {
  return `system:serviceaccount:${serviceAccount.replace('/', ':')}`;
}

/** Whether one of the principals is the caller. */
export function isAmong(identity: Identity, principals: readonly Principal[]): boolean {
  return principals.some((principal) => {
    if ('user' in principal) return identity.username === principal.user;
    if ('group' in principal) return identity.groups.includes(principal.group);
    return identity.username === serviceAccountUser(principal.serviceAccount);
  });
}

/** The answer of a rule on identity where nobody said who asks. */
export function whoAsks(context: Context): Unknown | undefined {
  if (context.identity !== undefined) return undefined;
  return {
    path: ['metadata', 'name'],
    unknown: 'it is not known who makes this request; with muster check, give --as',
  };
}

/** The caller's name, as a message says it. */
export function caller(context: Context): string {
  return context.identity?.username ?? '';
}
