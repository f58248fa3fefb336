/** The CRDs of other projects as they publish them, with their schemas. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** Returns the definitions of ClusterProfile (in v1alpha1 alone) and PlacementDecision. */
export const upstreamDefinitions = (): object[] => read('clusterprofiles', 'placementdecisions');

/** Returns the definitions of ServiceExport and ServiceImport, in v1alpha1 and v1beta1. */
export const serviceDefinitions = (): object[] => read('serviceexports', 'serviceimports');

function read(...names: readonly string[]): object[] {
  return names.map((name) => parse(readFileSync(new URL(`${name}.yaml`, import.meta.url), 'utf8')) as object);
}
