/** The catalogue of rules. A rule is registered by its entry in the list below, and by nothing else. */

import { rule as claimClustersetImmutable } from './claim/clusterset-immutable.ts';
import { rule as claimClustersetManager } from './claim/clusterset-manager.ts';
import { rule as claimClustersetRequiresId } from './claim/clusterset-requires-id.ts';
import { rule as claimClustersetValue } from './claim/clusterset-value.ts';
import { rule as claimIdImmutableInClusterset } from './claim/id-immutable-in-clusterset.ts';
import { rule as claimIdLength } from './claim/id-length.ts';
import { rule as claimIdMcsForm } from './claim/id-mcs-form.ts';
import { rule as claimIdPresent } from './claim/id-present.ts';
import { rule as claimIdPresentInClusterset } from './claim/id-present-in-clusterset.ts';
import { rule as claimIdReserved } from './claim/id-reserved.ts';
import { rule as claimIdStable } from './claim/id-stable.ts';
import { rule as claimIdSyntax } from './claim/id-syntax.ts';
import { rule as claimIdUniqueBeyondClusterset } from './claim/id-unique-beyond-clusterset.ts';
import { rule as claimIdUniqueInClusterset } from './claim/id-unique-in-clusterset.ts';
import { rule as claimQualifiedName } from './claim/qualified-name.ts';
import { rule as claimReservedName } from './claim/reserved-name.ts';
import { rule as claimValue } from './claim/value.ts';
import { rule as exportConflict } from './export/conflict.ts';
import { rule as exportConflictMetadata } from './export/conflict-metadata.ts';
import { rule as exportNamespace } from './export/namespace.ts';
import { rule as exportRemoval } from './export/removal.ts';
import { rule as exportService } from './export/service.ts';
import { rule as exportUnreported } from './export/unreported.ts';
import { rule as featureAvailable } from './feature/available.ts';
import { rule as featureClassAndName } from './feature/class-and-name.ts';
import { rule as featureClientUses } from './feature/client-uses.ts';
import { rule as featureCompletion } from './feature/completion.ts';
import { rule as featureDirection } from './feature/direction.ts';
import { rule as featureDynamicOptIn } from './feature/dynamic-opt-in.ts';
import { rule as featureEvaluationTime } from './feature/evaluation-time.ts';
import { rule as featureEvaluationWait } from './feature/evaluation-wait.ts';
import { rule as featurePreserved } from './feature/preserved.ts';
import { rule as featureServerFlow } from './feature/server-flow.ts';
import { rule as featureSettled } from './feature/settled.ts';
import { rule as featureShape } from './feature/shape.ts';
import { rule as featureTasksInOrder } from './feature/tasks-in-order.ts';
import { rule as featureTasksOnEntry } from './feature/tasks-on-entry.ts';
import { rule as featureTransition } from './feature/transition.ts';
import { rule as featureUsesAgree } from './feature/uses-agree.ts';
import { rule as importAddresses } from './import/addresses.ts';
import { rule as importAddressesStable } from './import/addresses-stable.ts';
import { rule as importClusters } from './import/clusters.ts';
import { rule as importDiffers } from './import/differs.ts';
import { rule as importManager } from './import/manager.ts';
import { rule as importMissing } from './import/missing.ts';
import { rule as importPorts } from './import/ports.ts';
import { rule as importSessionAffinity } from './import/session-affinity.ts';
import { rule as importStale } from './import/stale.ts';
import { rule as importUnknownCluster } from './import/unknown-cluster.ts';
import { rule as inventoryAccessProviders } from './inventory/access-providers.ts';
import { rule as inventoryClusterManager } from './inventory/cluster-manager.ts';
import { rule as inventoryClusterManagerImmutable } from './inventory/cluster-manager-immutable.ts';
import { rule as inventoryClusterManagerLabel } from './inventory/cluster-manager-label.ts';
import { rule as inventoryConditionTimes } from './inventory/condition-times.ts';
import { rule as inventoryConditions } from './inventory/conditions.ts';
import { rule as inventoryGeneratedName } from './inventory/generated-name.ts';
import { rule as inventoryKnownManager } from './inventory/known-manager.ts';
import { rule as inventoryKnownProperties } from './inventory/known-properties.ts';
import { rule as inventoryMemberId } from './inventory/member-id.ts';
import { rule as inventoryMemberIdAgrees } from './inventory/member-id-agrees.ts';
import { rule as inventoryMemberIdPresent } from './inventory/member-id-present.ts';
import { rule as inventoryMemberIdStable } from './inventory/member-id-stable.ts';
import { rule as inventoryMemberIdUnique } from './inventory/member-id-unique.ts';
import { rule as inventoryNamePrefix } from './inventory/name-prefix.ts';
import { rule as inventoryProperties } from './inventory/properties.ts';
import { rule as inventoryPropertiesAsIs } from './inventory/properties-as-is.ts';
import { rule as inventoryPropertiesIncluded } from './inventory/properties-included.ts';
import { rule as inventorySoleManager } from './inventory/sole-manager.ts';
import { rule as inventoryUniqueClusterId } from './inventory/unique-cluster-id.ts';
import { rule as inventoryUniqueName } from './inventory/unique-name.ts';
import { rule as inventoryVersion } from './inventory/version.ts';
import { rule as placementIndex } from './placement/index.ts';
import { rule as placementOneToOne } from './placement/one-to-one.ts';
import { rule as placementProfileExists } from './placement/profile-exists.ts';
import { rule as placementRevision } from './placement/revision.ts';
import { rule as placementScheduler } from './placement/scheduler.ts';
import { rule as placementSlices } from './placement/slices.ts';
import type { Rule } from './rule.ts';
import type { RuleId } from './rule-id.generated.ts';

export type { RuleId } from './rule-id.generated.ts';

/** The catalogue: every rule, in the order in which findings are reported. */
// If an id is not in `RuleId`, run `npm run generate`, which writes that type.
export const rules: readonly (Rule & { readonly id: RuleId })[] = [
  claimValue,
  claimReservedName,
  claimIdSyntax,
  claimIdLength,
  claimIdMcsForm,
  claimIdUniqueInClusterset,
  claimIdUniqueBeyondClusterset,
  claimIdReserved,
  claimIdImmutableInClusterset,
  claimIdPresentInClusterset,
  claimIdStable,
  claimIdPresent,
  claimClustersetRequiresId,
  claimClustersetValue,
  claimClustersetImmutable,
  claimClustersetManager,
  claimQualifiedName,
  inventoryClusterManager,
  inventoryClusterManagerImmutable,
  inventoryClusterManagerLabel,
  inventorySoleManager,
  inventoryKnownManager,
  inventoryUniqueClusterId,
  inventoryUniqueName,
  inventoryGeneratedName,
  inventoryNamePrefix,
  inventoryConditions,
  inventoryProperties,
  inventoryKnownProperties,
  inventoryConditionTimes,
  inventoryAccessProviders,
  inventoryPropertiesAsIs,
  inventoryVersion,
  inventoryMemberId,
  inventoryMemberIdStable,
  inventoryMemberIdUnique,
  inventoryMemberIdPresent,
  inventoryMemberIdAgrees,
  inventoryPropertiesIncluded,
  featureShape,
  featureTransition,
  featureTasksOnEntry,
  featureTasksInOrder,
  featureCompletion,
  featureUsesAgree,
  featureEvaluationTime,
  featureEvaluationWait,
  featureDirection,
  featureServerFlow,
  featureClientUses,
  featureDynamicOptIn,
  featureAvailable,
  featureSettled,
  featurePreserved,
  featureClassAndName,
  placementOneToOne,
  placementProfileExists,
  placementIndex,
  placementSlices,
  placementRevision,
  placementScheduler,
  exportConflict,
  exportConflictMetadata,
  exportService,
  exportRemoval,
  exportNamespace,
  importManager,
  importPorts,
  importAddresses,
  importSessionAffinity,
  importAddressesStable,
  importClusters,
  importStale,
  importMissing,
  importDiffers,
  importUnknownCluster,
  exportUnreported,
];

/** The ids of all rules. */
export const ruleIds: ReadonlySet<string> = new Set(rules.map((rule) => rule.id));
