/** Who asks, as somebody named on the command line or in a suite would come to the API server's webhooks. */
import type { Identity } from '../rules/rule.ts';

/** With the groups that the API server itself gives to whoever has a name, and to every service account. */
export function identityOf(username: string, named: readonly string[] = []): Identity {
  const groups = new Set(named);
  if (username !== 'system:anonymous') groups.add('system:authenticated');
  const account = /^system:serviceaccount:([^:]+):[^:]+$/.exec(username);
  if (account) groups.add('system:serviceaccounts').add(`system:serviceaccounts:${account[1]}`);
  return { username, groups: [...groups] };
}
