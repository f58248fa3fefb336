/** Settings that disable a rule for everybody: accepted, but rarely meant, so each is warned about. */
import { RESERVED } from '../rules/claim/reserved-name.ts';
import { found, type Place, warn } from './place.ts';

const WITH_CREDENTIALS = 'everybody with credentials';
const WITHOUT_CREDENTIALS = 'everybody without credentials';

/** Groups that the API server itself gives to callers nobody chose. `system:masters` is no such group: it is assigned. */
const GROUPS: ReadonlyMap<string, string> = new Map([
  ['system:authenticated', WITH_CREDENTIALS],
  ['system:authenticated:oauth', 'everybody who logs in to OpenShift'],
  ['system:unauthenticated', WITHOUT_CREDENTIALS],
  ['system:serviceaccounts', 'every service account, so every pod'],
]);
const USERS: ReadonlyMap<string, string> = new Map([['system:anonymous', WITHOUT_CREDENTIALS]]);

/** Warns where a user or group is everybody. `effect` says what that disables, such as `no rule applies to them`. */
export function warnOfEverybody(place: Place, of: 'user' | 'group', effect: string): void {
  const who = (of === 'group' ? GROUPS : USERS).get(String(place.value));
  if (who === undefined) return;
  const remedy = 'name the users, groups or service accounts that need it';
  warn(place, `${found(place.value)} is ${who}: ${effect}; ${remedy}`);
}

/** Warns where a wildcard allows every name under a reserved suffix. */
export function warnOfAllReservedNames(place: Place, allowed: string): void {
  if (!allowed.startsWith('*.')) return;
  const suffixes = RESERVED.filter((suffix) => suffix.endsWith(allowed.slice(1)));
  if (suffixes.length === 0) return;
  const names = suffixes.map((suffix) => `*${suffix}`).join(' and ');
  warn(
    place,
    `${found(allowed)} allows every name under ${names}: claim/reserved-name no longer guards them; list the names that you claim`,
  );
}

/** Warns that every feature is opted in: to leave the key out says the same. */
export function warnOfAllFeatures(place: Place): void {
  const remedy = 'list the features, or leave the key out';
  warn(place, `every feature is opted in: feature/dynamic-opt-in refuses nothing; ${remedy}`);
}
