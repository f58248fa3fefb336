/** Finds the cluster of a run that an inventory object represents, and the claims of that cluster. */

import { getOrInsert } from '../../base/collections.ts';
import { at, type JsonObject, listAt, textAt } from '../../base/json.ts';
import { specOf } from '../../base/object.ts';
import { longerThan } from '../../base/syntax.ts';
import type { ComparedObject, ObjectFact } from '../rule.ts';
import { ID_PROPERTIES, MEMBERSHIP_PROPERTY, PROPERTIES } from './inventory-fields.ts';

/** The most characters of a property's value. (cluster-inventory-api, ClusterProfile) */
export const LONGEST = 1024;

/** Stands for a value that is too long for a property. The value itself is not kept. */
export const TOO_LONG = Symbol('a value longer than a property can be');

/** The value of a claim. */
export type ClaimValue = string | typeof TOO_LONG;

/** A property of an inventory object. */
export interface Property {
  readonly name: string;
  readonly value: ClaimValue;
  /** The position in the list. */
  readonly index: number;
}

/** The claims of the clusters of a run. */
export interface MemberClusters {
  /**
   * Returns the cluster that an inventory object represents: the one with the same ClusterSet and id, else the one
   * whose name is that of the object, or NAMESPACE/NAME. Undefined if there is none, or if several clusters have that
   * id.
   */
  memberOf(object: ComparedObject, properties: readonly Property[]): string | undefined;
  /**
   * Returns the claims of a cluster, of all APIs, that a property of this name repeats. Both names of the id count as
   * one.
   */
  claimsOf(cluster: string, name: string): readonly ObjectFact<ClaimValue>[];
}

/** Returns the value of a claim: empty if it is missing (OCM allows that), undefined if it is not a text. */
export function claimValueOf(object: JsonObject): ClaimValue | undefined {
  const value = specOf(object)?.['value'] ?? '';
  if (typeof value !== 'string') return undefined;
  return longerThan(value, LONGEST) ? TOO_LONG : value;
}

/**
 * Returns the properties that have a name, as JSON. The properties of up to 100,000 objects are kept, and a text takes
 * a third of the memory of the lists. Undefined if there are none. A missing value is empty.
 */
export function propertiesText(object: JsonObject): string | undefined {
  const properties = listAt(object, PROPERTIES).flatMap((property, index) => {
    const name = textAt(property, ['name']);
    const value = at(property, ['value']) ?? '';
    return name && typeof value === 'string' ? [[name, longerThan(value, LONGEST) ? null : value, index]] : [];
  });
  return properties.length > 0 ? JSON.stringify(properties) : undefined;
}

/** Parses the text that `propertiesText` returns. */
export function propertiesIn(text: string): readonly Property[] {
  const properties: [name: string, value: string | null, index: number][] = JSON.parse(text);
  return properties.map(([name, value, index]) => ({ name, value: value ?? TOO_LONG, index }));
}

/** Reads the claims of all clusters. */
export function readMembers(claims: readonly ObjectFact<ClaimValue>[]): MemberClusters {
  const clusters = new Map<string, Map<string, ObjectFact<ClaimValue>[]>>();
  for (const claim of claims) {
    const { cluster, name } = claim.object;
    const byName = getOrInsert(clusters, cluster, () => new Map());
    getOrInsert(byName, name, () => []).push(claim);
  }
  const byIdentity = new Map<string, Set<string>>();
  for (const [cluster, byName] of clusters) {
    for (const identity of identitiesOf(byName)) getOrInsert(byIdentity, identity, () => new Set()).add(cluster);
  }
  return {
    memberOf({ name, namespace }, properties) {
      const named = [name, `${namespace}/${name}`].find((cluster) => clusters.has(cluster));
      const same = [...new Set(listedIdentities(properties).flatMap((one) => [...(byIdentity.get(one) ?? [])]))];
      if (same.length < 2) return same[0] ?? named;
      return named !== undefined && same.includes(named) ? named : undefined;
    },
    claimsOf(cluster, name) {
      const byName = clusters.get(cluster);
      const own = byName?.get(name);
      if (own !== undefined || !ID_PROPERTIES.includes(name)) return own ?? [];
      return ID_PROPERTIES.flatMap((other) => byName?.get(other) ?? []);
    },
  };
}

/** Returns each pair of a ClusterSet and an id of a cluster, as JSON. Both are claims of the same API. */
function identitiesOf(byName: ReadonlyMap<string, readonly ObjectFact<ClaimValue>[]>): readonly string[] {
  return (byName.get(MEMBERSHIP_PROPERTY) ?? []).flatMap((membership) => {
    const ids = ID_PROPERTIES.flatMap((name) => byName.get(name) ?? []);
    const own = ids.filter(({ object }) => object.dialect === membership.object.dialect);
    return own.flatMap(({ fact }) => identityOf(membership.fact, fact));
  });
}

/** The most ids, and the most ClusterSets, of one object that are compared. */
const MOST_COMPARED = 8;

/** Returns each pair of a ClusterSet and an id that the properties list, as JSON. */
export function listedIdentities(properties: readonly Property[]): readonly string[] {
  const sets = properties.filter(({ name }) => name === MEMBERSHIP_PROPERTY).slice(0, MOST_COMPARED);
  const ids = properties.filter(({ name }) => ID_PROPERTIES.includes(name)).slice(0, MOST_COMPARED);
  return sets.flatMap((set) => ids.flatMap((id) => identityOf(set.value, id.value)));
}

function identityOf(set: ClaimValue, id: ClaimValue): readonly string[] {
  return set === TOO_LONG || id === TOO_LONG || set === '' || id === '' ? [] : [JSON.stringify([set, id])];
}
