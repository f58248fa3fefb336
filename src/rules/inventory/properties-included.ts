import { claimDialects, clusterProfile, clusterProperty } from '../../api/dialects.ts';
import { isStatusWritten } from '../../base/object.ts';
import { notInCel } from '../cel/expressions.ts';
import {
  type ComparedObject,
  type Conflict,
  defineRule,
  MOST_RELATED,
  type ObjectComparison,
  type ObjectFact,
} from '../rule.ts';
import { ID_PROPERTIES, NAME, PROPERTIES } from './inventory-fields.ts';
import {
  type ClaimValue,
  claimValueOf,
  propertiesIn,
  propertiesText,
  readMembers,
  TOO_LONG,
} from './member-clusters.ts';

const comparison: ObjectComparison<ClaimValue> = {
  kinds: [...claimDialects, clusterProfile],
  acrossOnly: true,
  factOf(object, { dialect }) {
    if (dialect.concept === 'claim') return claimValueOf(object);
    // If a profile has no status, its manager has not written the properties yet.
    return isStatusWritten(object) ? (propertiesText(object) ?? '[]') : undefined;
  },
  conflicts(kept) {
    const claims = kept.filter(({ object }) => object.dialect.concept === 'claim');
    const members = readMembers(claims);
    const properties = Map.groupBy(claims.filter(isCarried), ({ object }) => object.cluster);
    return kept.flatMap(({ object, fact }) => {
      if (object.dialect.concept === 'claim' || typeof fact !== 'string') return [];
      const listed = propertiesIn(fact);
      const cluster = members.memberOf(object, listed);
      if (cluster === undefined) return [];
      const repeated = new Set(listed.flatMap(({ name }) => members.claimsOf(cluster, name)));
      // A cluster can have an id in each of two claims APIs: the property may be the id of the other one.
      const ids = new Set(listed.filter(({ name }) => isIdName(name)).map(({ value }) => value));
      const isListed = (claim: ObjectFact<ClaimValue>) =>
        repeated.has(claim) || (isIdName(claim.object.name) && ids.has(claim.fact));
      return missing(
        object,
        (properties.get(cluster) ?? []).filter((claim) => !isListed(claim)),
      );
    });
  },
};

export const rule = defineRule({
  id: 'inventory/properties-included',
  // The claim is in the member cluster, the profile in another one: a write is not refused for objects of another
  // cluster.
  on: [],
  subresources: ['', 'status'],
  dialects: ['cluster-profile'],
  meta: {
    summary: 'The properties of a ClusterProfile include every ClusterProperty of its member cluster.',
    fix: 'Have the cluster manager copy each ClusterProperty into status.properties, name and value unchanged.',
    level: 'SHOULD',
    source: 'KEP-4322 #properties (commit 3a8eb262)',
    quote:
      'Cluster managers SHOULD include ClusterProperty resources defined on the member cluster in the ' +
      "ClusterProfile's `.status.properties`.",
    needs: ['object', 'cluster'],
    why:
      'The ClusterProperty and the profile are in different clusters; check and scan compare several clusters of ' +
      'one run.',
    messages: {
      missing:
        'should include every ClusterProperty of the cluster "{{cluster}}", and lacks {{name}}{{more}}; have the ' +
        'cluster manager add name and value unchanged',
      claim: 'the ClusterProperty that is missing',
    },
  },
  cel: notInCel.clusters,
  comparison,
});

function isIdName(name: string): boolean {
  return ID_PROPERTIES.includes(name);
}

function isCarried({ object, fact }: ObjectFact<ClaimValue>): boolean {
  return object.dialect.name === clusterProperty.name && fact !== TOO_LONG;
}

/** Reports one finding for all missing claims: they have one cause, a profile that is not kept up to date. */
function missing(object: ComparedObject, claims: readonly ObjectFact<ClaimValue>[]): readonly Conflict[] {
  const [first] = claims;
  if (first === undefined) return [];
  const more = claims.length > 1 ? ` (and ${claims.length - 1} more)` : '';
  const data = { cluster: first.object.cluster, name: first.object.name, more };
  const related = claims
    .slice(0, MOST_RELATED)
    .map((claim) => ({ object: claim.object, path: NAME, messageId: 'claim' }));
  return [{ object, problem: { path: PROPERTIES, messageId: 'missing', data }, related }];
}
