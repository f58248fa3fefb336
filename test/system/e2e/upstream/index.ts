/** The CRDs of cluster-inventory-api as it publishes them, with their schemas. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** Returns the definitions of ClusterProfile (in v1alpha1 alone) and PlacementDecision. */
export function upstreamDefinitions(): object[] {
  const names = ['clusterprofiles', 'placementdecisions'];
  return names.map((name) => parse(readFileSync(new URL(`${name}.yaml`, import.meta.url), 'utf8')) as object);
}
