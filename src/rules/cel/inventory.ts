/** What the rules on inventory objects say in CEL alike. */
import type { CelExpressions, CelSaid, CelVariable } from './cel.ts';
import { isLabelValue, old, read } from './text.ts';

/** `specClusterManager`, `specClusterManagerName`, and `manager`: the name where a label can hold it, else null; with those of the stored object. */
export const MANAGER: readonly CelVariable[] = [
  ...read(['spec', 'clusterManager', 'name']),
  ...['specClusterManagerName', old('specClusterManagerName')].map((name) => ({
    name: name.startsWith('old') ? 'oldManager' : 'manager',
    expression: `${isLabelValue(`variables.${name}`)} ? variables.${name} : null`,
  })),
];

/** An object older than the webhook gains a name that it lacks, and loses nothing. */
export const GAINS_NAME =
  "(type(variables.specClusterManager) == map && type(variables.oldSpecClusterManager) == map && (variables.oldSpecClusterManagerName == null || variables.oldSpecClusterManagerName == '') && (size(variables.oldSpecClusterManager) > 256 || variables.oldSpecClusterManager.all(k, k == 'name' || (k in variables.specClusterManager ? variables.specClusterManager[k] : null) == variables.oldSpecClusterManager[k])))";

/** The same for both inventory dialects. */
export function forInventory(expressions: CelExpressions, lacks?: string): CelSaid {
  return {
    byDialect: { 'inventory-cluster': expressions, 'cluster-profile': expressions },
    ...(lacks === undefined ? {} : { lacks }),
  };
}

/** For ClusterProfile alone. */
export function forProfiles(expressions: CelExpressions): CelSaid {
  return { byDialect: { 'cluster-profile': expressions } };
}
