/** The sections that rules read: claims, inventory, features. */
import { defaultPolicy } from '../engine/policy.ts';
import { serviceAccountUser } from '../rules/principal.ts';
import type { Principal, RuleSettings } from '../rules/rule.ts';
import { isDnsLabel, isDnsSubdomain, isLabelValue } from '../rules/syntax.ts';
import { MOST_SKEW_SECONDS } from './configuration.ts';
import { warnOfAllFeatures, warnOfAllReservedNames } from './everybody.ts';
import {
  entries,
  found,
  list,
  members,
  missing,
  type Place,
  refuse,
  refuseFound,
  refuseKey,
  text,
  warn,
} from './place.ts';
import { namespace, principals } from './principals.ts';
import { claimsSchema, dynamicEntrySchema, featuresSchema, inventorySchema, serverFlowEntrySchema } from './schema.ts';

const RESERVED_NAME = 'a name (lower case, as objects are named) or *.suffix, with no other "*"';
const defaults = defaultPolicy.settings;

export function readClaims(place: Place): RuleSettings['claims'] {
  const keys = members(place, claimsSchema);
  if (!keys) return defaults.claims;
  const managers = principals(keys.membershipManagers, 'claim/clusterset-manager refuses');
  return {
    allowedReservedNames:
      list(keys.allowedReservedNames, 'a list of names', reservedName) ?? defaults.claims.allowedReservedNames,
    ...(managers && { membershipManagers: managers }),
  };
}

export function readInventory(place: Place): RuleSettings['inventory'] {
  const keys = members(place, inventorySchema);
  const named = keys && entries(keys.managers, 'a map from the names of managers to principals');
  if (!keys || !named) return defaults.inventory;
  if (named.size === 0)
    refuse(keys.managers, 'an empty map would know no manager; name at least one, or leave the key out');
  const managers = new Map([...named].map(([name, entry]) => [name, managerOf(name, entry)] as const));
  warnOfSharedPrincipals(keys.managers, managers);
  return { managers };
}

export function readFeatures(place: Place): RuleSettings['features'] {
  const keys = members(place, featuresSchema);
  if (!keys) return defaults.features;
  const dynamic = readDynamic(keys.dynamic);
  const serverFlow = readServerFlow(keys.serverFlow);
  return {
    clockSkewSeconds: readSkew(keys.clockSkewSeconds),
    ...(dynamic !== undefined && { dynamic }),
    ...(serverFlow?.length && { serverFlow }),
  };
}

function reservedName(place: Place): string | undefined {
  const name = text(place, RESERVED_NAME, isReservedName);
  if (name !== undefined) warnOfAllReservedNames(place, name);
  return name;
}

function isReservedName(name: string): boolean {
  return isDnsSubdomain(name.startsWith('*.') ? name.slice(2) : name);
}

function managerOf(name: string, entry: Place): readonly Principal[] {
  if (!isLabelValue(name)) {
    refuseKey(
      entry,
      `${found(name)} can be no manager's name: it has to fit a label (at most 63 of A-Z, a-z, 0-9, "-", "_", ".")`,
    );
  }
  if (entry.value === undefined) missing(entry, 'a list of principals');
  return principals(entry, 'inventory/sole-manager refuses') ?? [];
}

/** One who writes for two managers can take objects from one to the other; that may be meant, so it is only said. */
function warnOfSharedPrincipals(place: Place, managers: ReadonlyMap<string, readonly Principal[]>): void {
  const owners = new Map<string, Set<string>>();
  for (const [manager, named] of managers) {
    for (const principal of named) {
      const who = nameOf(principal);
      owners.set(who, (owners.get(who) ?? new Set()).add(manager));
    }
  }
  for (const [who, of] of owners) {
    if (of.size > 1) warn(place, `${found(who)} is a principal of ${of.size} managers: ${[...of].join(', ')}`);
  }
}

/** One name for a principal however it is written. */
function nameOf(principal: Principal): string {
  if ('group' in principal) return `group ${principal.group}`;
  return `user ${'user' in principal ? principal.user : serviceAccountUser(principal.serviceAccount)}`;
}

function readDynamic(place: Place): RuleSettings['features']['dynamic'] {
  if (place.value === '*') {
    warnOfAllFeatures(place);
    return '*';
  }
  return list(place, '"*" or a list of { namespace, name }', (entry) => {
    const keys = members(entry, dynamicEntrySchema, 'a map with namespace and name');
    if (!keys) return undefined;
    const name = required(keys.name, 'the name of a Feature object (lower case), or "*"', orAny(isDnsSubdomain));
    const where = required(keys.namespace, 'the name of a namespace, or "*"', orAny(isDnsLabel));
    if (where === '*' && name === '*') warnOfAllFeatures(entry);
    return where === undefined || name === undefined ? undefined : { namespace: where, name };
  });
}

function readServerFlow(place: Place): RuleSettings['features']['serverFlow'] {
  const first = new Map<string, number>();
  return list(place, 'a list of { namespace, principals }', (entry) => {
    const keys = members(entry, serverFlowEntrySchema, 'a map with namespace and principals');
    if (!keys) return undefined;
    const where =
      keys.namespace.value === undefined ? missing(keys.namespace, 'a namespace') : namespace(keys.namespace);
    if (keys.principals.value === undefined) missing(keys.principals, 'a list of principals');
    const named = principals(keys.principals, 'feature/server-flow and feature/client-uses refuse') ?? [];
    if (where === undefined) return undefined;
    const earlier = first.get(where);
    if (earlier !== undefined)
      refuse(keys.namespace, `${found(where)} stands in entry ${earlier} already; put all its principals there`);
    else first.set(where, Number(entry.path.at(-1)));
    return { namespace: where, principals: named };
  });
}

function readSkew(place: Place): number {
  const { value } = place;
  if (value === undefined) return defaults.features.clockSkewSeconds;
  if (typeof value === 'number' && value >= 0 && value <= MOST_SKEW_SECONDS) return value;
  refuseFound(place, `a number of seconds from 0 to ${MOST_SKEW_SECONDS}`);
  return 0;
}

function required(place: Place, expected: string, accepts: (text: string) => boolean): string | undefined {
  return place.value === undefined ? missing(place, expected) : text(place, expected, accepts);
}

function orAny(accepts: (text: string) => boolean): (text: string) => boolean {
  return (value) => value === '*' || accepts(value);
}
