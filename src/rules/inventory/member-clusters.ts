/** Finds the cluster of a run that an inventory object represents, and the claims of that cluster. */

import { getOrInsert } from '../../base/collections.ts';
import { at, type JsonObject, listAt, textAt } from '../../base/json.ts';
import { isStatusWritten } from '../../base/object.ts';
import { longerThan } from '../../base/syntax.ts';
import { claimValue } from '../claim/claim-fields.ts';
import type { ComparedObject, Conflict, ObjectComparison, ObjectFact } from '../rule.ts';
import { ID_PROPERTIES, MEMBERSHIP_PROPERTY, PROPERTIES } from './inventory-fields.ts';

/** The most characters of a property's value. (cluster-inventory-api, ClusterProfile) */
export const LONGEST = 1024;

/** Stands for a value that is too long for a property. The value itself is not kept. */
export const TOO_LONG = Symbol('a value longer than a property can be');

/** The value of a claim. */
export type ClaimValue = string | typeof TOO_LONG;

/** A property of an inventory object. */
export interface Property<Value extends ClaimValue = ClaimValue> {
  readonly name: string;
  readonly value: Value;
  /** The position in the list. */
  readonly index: number;
}

/** Returns the properties that have a name. A missing value is empty. */
export function propertiesOf(object: JsonObject): readonly Property<string>[] {
  return listAt(object, PROPERTIES).flatMap((property, index) => {
    const name = textAt(property, ['name']);
    const value = at(property, ['value']) ?? '';
    return name && typeof value === 'string' ? [{ name, value, index }] : [];
  });
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

/**
 * Keeps the value of a claim: empty if it is missing (OCM allows that), nothing if it is not a text. Keeps the
 * properties of an inventory object, once it has a status: before that, its manager has not written them yet.
 */
export const memberFact: ObjectComparison<ClaimValue>['factOf'] = (object, { dialect }) => {
  if (dialect.concept !== 'claim') return isStatusWritten(object) ? propertiesText(object) : undefined;
  const value = claimValue(object) ?? '';
  if (typeof value !== 'string') return undefined;
  return longerThan(value, LONGEST) ? TOO_LONG : value;
};

/**
 * Returns the properties that have a name, as JSON. The properties of up to 100,000 objects are kept, and a text takes
 * a third of the memory of the lists.
 */
function propertiesText(object: JsonObject): string {
  const properties = propertiesOf(object).map(({ name, value, index }) => {
    return [name, longerThan(value, LONGEST) ? null : value, index];
  });
  return JSON.stringify(properties);
}

/** Parses the text that `propertiesText` returns. */
export function propertiesIn(text: string): readonly Property[] {
  const properties: [name: string, value: string | null, index: number][] = JSON.parse(text);
  return properties.map(([name, value, index]) => ({ name, value: value ?? TOO_LONG, index }));
}

/** An inventory object with the cluster of the run that it represents. */
interface RepresentedCluster {
  readonly object: ComparedObject;
  readonly properties: readonly Property[];
  readonly cluster: string;
  /** Returns the claims of the cluster, of all APIs, that a property of this name repeats. */
  claimsOf(name: string): readonly ObjectFact<ClaimValue>[];
}

/** Returns the conflicts that `conflictsIn` finds in the inventory objects that represent a cluster of the run. */
export function compareMembers(
  kept: readonly ObjectFact<ClaimValue>[],
  conflictsIn: (represented: RepresentedCluster) => readonly Conflict[],
): readonly Conflict[] {
  const isClaim = ({ object }: ObjectFact<ClaimValue>) => object.dialect.concept === 'claim';
  const members = readMembers(kept.filter(isClaim));
  return kept.flatMap((one) => {
    const { object, fact } = one;
    if (isClaim(one) || typeof fact !== 'string') return [];
    const properties = propertiesIn(fact);
    const cluster = members.memberOf(object, properties);
    if (cluster === undefined) return [];
    return conflictsIn({ object, properties, cluster, claimsOf: (name) => members.claimsOf(cluster, name) });
  });
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
      const identities = listedIdentities(properties).map(identityText);
      const same = [...new Set(identities.flatMap((one) => [...(byIdentity.get(one) ?? [])]))];
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
    return own.flatMap(({ fact: id }) => {
      const clusterSet = membership.fact;
      return isNaming(clusterSet) && isNaming(id) ? identityText({ clusterSet, id }) : [];
    });
  });
}

/** The most ids, and the most ClusterSets, of one object that are compared. */
const MOST_COMPARED = 8;

/** An id with the ClusterSet that its cluster is a member of. */
interface ListedIdentity {
  readonly clusterSet: string;
  readonly id: string;
  /** The position of the id among the properties. */
  readonly index: number;
}

/** Returns each pair of an id and a ClusterSet that the properties list. Normally there is one of each. */
export function listedIdentities(properties: readonly Property[]): readonly ListedIdentity[] {
  const named = (names: readonly string[]) =>
    properties
      .flatMap(({ name, value, index }) => (names.includes(name) && isNaming(value) ? [{ value, index }] : []))
      .slice(0, MOST_COMPARED);
  const sets = named([MEMBERSHIP_PROPERTY]);
  return named(ID_PROPERTIES).flatMap(({ value: id, index }) =>
    sets.map(({ value: clusterSet }) => ({ clusterSet, id, index })),
  );
}

/** Whether a value can be the id of a cluster, or the name of a ClusterSet. */
function isNaming(value: ClaimValue): value is string {
  return value !== TOO_LONG && value !== '';
}

/** Returns a text that is equal for equal identities. */
export function identityText({ clusterSet, id }: Omit<ListedIdentity, 'index'>): string {
  return JSON.stringify([clusterSet, id]);
}
