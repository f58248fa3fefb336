/** Who is meant: users, groups and service accounts, checked as far as a name can be. */

import type { Principal } from '../rules/rule.ts';
import { isDnsLabel, isDnsSubdomain } from '../rules/syntax.ts';
import { warnOfEverybody } from './everybody.ts';
import { found, list, members, type Place, refuse, refuseFound, text, warn } from './place.ts';
import { principalSchema } from './schema.ts';

const A_PRINCIPAL = 'exactly one of user, group, serviceAccount';
const CALLS_BY = 'system:serviceaccount:';

/**
 * A list of principals that names somebody. An empty one is refused: written by mistake it would lock everyone out.
 * Undefined: absent or refused. `guarding` says which rules the list is for, such as `claim/clusterset-manager refuses`.
 */
export function principals(place: Place, guarding: string): readonly Principal[] | undefined {
  const effect = `${guarding} none of them`;
  const named = list(place, 'a list of principals', (entry) => principal(entry, effect));
  if (Array.isArray(place.value) && place.value.length === 0)
    refuse(place, 'an empty list would lock everyone out; name at least one principal, or leave the key out');
  return named;
}

/**
 * A user's or group's name, as it stands: wildcards have no meaning. `effect` says what naming everybody would disable.
 */
export function literal(place: Place, of: 'user' | 'group', effect: string): string | undefined {
  const name = text(place, 'a name');
  warnOfEverybody(place, of, effect);
  if (name?.includes('*')) warn(place, `${found(name)} is taken literally; "*" is no wildcard here`);
  return name;
}

/** A service account as `NAMESPACE/NAME`. */
export function serviceAccount(place: Place): string | undefined {
  const name = text(
    place,
    'a service account as NAMESPACE/NAME',
    (value) => isServiceAccount(value) || isCallerName(value),
  );
  if (name === undefined || isServiceAccount(name)) return name;
  refuseFound(place, 'a service account as NAMESPACE/NAME', `; write "${shortForm(name)}"`);
  return undefined;
}

/** A namespace's name. */
export function namespace(place: Place): string | undefined {
  return text(place, 'a namespace\'s name (a-z, 0-9, "-", at most 63)', isDnsLabel);
}

function principal(place: Place, effect: string): Principal | undefined {
  const { problems } = place.report;
  const before = problems.length;
  const keys = members(place, principalSchema, `a principal (${A_PRINCIPAL})`);
  if (!keys || problems.length > before) return undefined;
  const given = [keys.user, keys.group, keys.serviceAccount].filter(({ value }) => value !== undefined);
  if (given.length !== 1) return void refuse(place, `expected ${A_PRINCIPAL}, found ${given.length || 'none'}`);
  const user = literal(keys.user, 'user', effect);
  const group = literal(keys.group, 'group', effect);
  const account = serviceAccount(keys.serviceAccount);
  if (user !== undefined) return { user };
  if (group !== undefined) return { group };
  return account === undefined ? undefined : { serviceAccount: account };
}

function isServiceAccount(value: string): boolean {
  const slash = value.indexOf('/');
  return slash > 0 && isDnsLabel(value.slice(0, slash)) && isDnsSubdomain(value.slice(slash + 1));
}

function isCallerName(value: string): boolean {
  return value.startsWith(CALLS_BY) && isServiceAccount(shortForm(value));
}

function shortForm(callerName: string): string {
  return callerName.slice(CALLS_BY.length).replace(':', '/');
}
