/** The labels that the kinds define. */

/** On a ClusterProfile or an InventoryCluster: the name of its cluster manager. */
export const MANAGER_LABEL = 'x-k8s.io/cluster-manager';

/** On a ClusterProfile: the id of the member cluster. */
export const MEMBER_ID_LABEL = 'multicluster.x-k8s.io/inventory-member-id';

/** On the slices of a PlacementDecision. */
export const PLACEMENT_KEY_LABEL = 'multicluster.x-k8s.io/placement-key';
export const DECISION_KEY_LABEL = 'multicluster.x-k8s.io/decision-key';
export const DECISION_INDEX_LABEL = 'multicluster.x-k8s.io/decision-index';
export const DECISION_REVISION_LABEL = 'multicluster.x-k8s.io/decision-revision';
