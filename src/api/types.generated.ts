/** Generated from the schemas by `npm run generate`. Do not edit. */

/** What every object carries; the members muster reads. */
export interface ObjectMeta {
  name?: string | null;
  generateName?: string | null;
  namespace?: string | null;
  labels?: Record<string, string> | null;
  annotations?: Record<string, string> | null;
  finalizers?: string[] | null;
  deletionTimestamp?: string | null;
  resourceVersion?: string | null;
  uid?: string | null;
}

/**
 * A ClusterClaim names one fact about the cluster it is stored in.
 */
export interface ClusterClaim {
  apiVersion: "multicluster.x-k8s.io/v1alpha1";
  kind: "ClusterClaim";
  metadata: ObjectMeta;
  /**
   * The fact.
   */
  spec: {
    /**
     * The value; its meaning depends on the name.
     */
    value: string;
  };
}

/**
 * A ClusterClaim names one fact about the cluster it is stored in.
 */
export interface OcmClusterClaim {
  apiVersion: "cluster.open-cluster-management.io/v1alpha1";
  kind: "ClusterClaim";
  metadata: ObjectMeta;
  /**
   * The fact.
   */
  spec: {
    /**
     * The value; its meaning depends on the name.
     */
    value: string;
  };
}

/**
 * A ClusterProperty names one fact about the cluster it is stored in.
 */
export interface ClusterPropertyV1Alpha1 {
  apiVersion: "about.k8s.io/v1alpha1";
  kind: "ClusterProperty";
  metadata: ObjectMeta;
  /**
   * The fact.
   */
  spec: {
    /**
     * The value; its meaning depends on the name.
     */
    value: string;
  };
}

/**
 * A ClusterProperty names one fact about the cluster it is stored in.
 */
export interface ClusterPropertyV1Beta1 {
  apiVersion: "about.k8s.io/v1beta1";
  kind: "ClusterProperty";
  metadata: ObjectMeta;
  /**
   * The fact.
   */
  spec: {
    /**
     * The value; its meaning depends on the name.
     */
    value: string;
  };
}

/**
 * A ClusterProperty names one fact about the cluster it is stored in.
 */
export interface ClusterPropertyV1 {
  apiVersion: "about.k8s.io/v1";
  kind: "ClusterProperty";
  metadata: ObjectMeta;
  /**
   * The fact.
   */
  spec: {
    /**
     * The value; its meaning depends on the name.
     */
    value: string;
  };
}

/**
 * An InventoryCluster stands for one cluster of a fleet, as one cluster manager sees it.
 */
export interface InventoryCluster {
  apiVersion: "multicluster.x-k8s.io/v1alpha1";
  kind: "InventoryCluster";
  metadata: ObjectMeta;
  /**
   * What the cluster manager and the consumers say of the cluster.
   */
  spec?: {
    /**
     * Name of the cluster for people; its consumers may set it.
     */
    displayName?: string | null;
    /**
     * The cluster manager that created this object; it never changes.
     */
    clusterManager?: {
      /**
       * Name of the cluster manager: a label value, the same as in the label x-k8s.io/cluster-manager.
       */
      name?: string | null;
    } | null;
  } | null;
  /**
   * What the cluster manager reports of the cluster.
   */
  status?: {
    /**
     * Versions of the cluster.
     */
    version?: {
      /**
       * Version of Kubernetes, such as 1.30.2.
       */
      kubernetes?: string | null;
    } | null;
    /**
     * Properties of the cluster.
     */
    properties?:
      | {
          /**
           * Name of the property: that of a ClusterProperty, or one of the cluster manager.
           */
          name: string;
          /**
           * The value; its meaning depends on the name.
           */
          value?: string | null;
        }[]
      | null;
    /**
     * Health of the cluster. Predefined types: ControlPlaneHealthy and Joined.
     */
    conditions?:
      | {
          /**
           * Which condition this is, in CamelCase or as domain.example.com/CamelCase.
           */
          type: string;
          /**
           * Whether the condition holds. Text: in YAML quote "True" and "False".
           */
          status: "True" | "False" | "Unknown";
          /**
           * The metadata.generation that the condition was set upon.
           */
          observedGeneration?: number | null;
          /**
           * When the status last changed from one value to another.
           */
          lastTransitionTime: string;
          /**
           * Why the status last changed, as one CamelCase word for programs.
           */
          reason: string;
          /**
           * Details of the last change for people; may be empty.
           */
          message: string;
        }[]
      | null;
  } | null;
}

/**
 * A ClusterProfile stands for one cluster of a fleet, as one cluster manager sees it.
 */
export interface ClusterProfileV1Alpha1 {
  apiVersion: "multicluster.x-k8s.io/v1alpha1";
  kind: "ClusterProfile";
  metadata: ObjectMeta;
  /**
   * What the cluster manager and the consumers say of the cluster.
   */
  spec?: {
    /**
     * Name of the cluster for people.
     */
    displayName?: string | null;
    /**
     * The cluster manager that created this object; it never changes.
     */
    clusterManager?: {
      /**
       * Name of the cluster manager: a label value, the same as in the label x-k8s.io/cluster-manager.
       */
      name?: string | null;
    } | null;
  } | null;
  /**
   * What the cluster manager reports of the cluster.
   */
  status?: {
    /**
     * Versions of the cluster.
     */
    version?: {
      /**
       * Version of Kubernetes, such as 1.30.2.
       */
      kubernetes?: string | null;
    } | null;
    /**
     * Properties of the cluster.
     */
    properties?:
      | {
          /**
           * Name of the property: that of a ClusterProperty, or one of the cluster manager.
           */
          name?: string | null;
          /**
           * The value; its meaning depends on the name.
           */
          value?: string | null;
          /**
           * When the property was last seen on the cluster.
           */
          lastObservedTime?: string | null;
        }[]
      | null;
    /**
     * Health of the cluster.
     */
    conditions?:
      | {
          /**
           * Which condition this is, in CamelCase or as domain.example.com/CamelCase.
           */
          type: string;
          /**
           * Whether the condition holds. Text: in YAML quote "True" and "False".
           */
          status: "True" | "False" | "Unknown";
          /**
           * The metadata.generation that the condition was set upon.
           */
          observedGeneration?: number | null;
          /**
           * When the status last changed from one value to another.
           */
          lastTransitionTime: string;
          /**
           * Why the status last changed, as one CamelCase word for programs.
           */
          reason: string;
          /**
           * Details of the last change for people; may be empty.
           */
          message: string;
        }[]
      | null;
    /**
     * Ways to reach the cluster.
     */
    credentialProviders?:
      | {
          /**
           * Name of the provider.
           */
          name?: string | null;
        }[]
      | null;
  } | null;
}

/**
 * A ClusterProfile stands for one cluster of a fleet, as one cluster manager sees it.
 */
export interface ClusterProfileV1Alpha2 {
  apiVersion: "multicluster.x-k8s.io/v1alpha2";
  kind: "ClusterProfile";
  metadata: ObjectMeta;
  /**
   * What the cluster manager and the consumers say of the cluster.
   */
  spec?: {
    /**
     * Name of the cluster for people.
     */
    displayName?: string | null;
    /**
     * The cluster manager that created this object; it never changes.
     */
    clusterManager?: {
      /**
       * Name of the cluster manager: a label value, the same as in the label x-k8s.io/cluster-manager.
       */
      name?: string | null;
    } | null;
  } | null;
  /**
   * What the cluster manager reports of the cluster.
   */
  status?: {
    /**
     * Versions of the cluster.
     */
    version?: {
      /**
       * Version of Kubernetes, such as 1.30.2.
       */
      kubernetes?: string | null;
    } | null;
    /**
     * Properties of the cluster.
     */
    properties?:
      | {
          /**
           * Name of the property: that of a ClusterProperty, or one of the cluster manager.
           */
          name?: string | null;
          /**
           * The value; its meaning depends on the name.
           */
          value?: string | null;
          /**
           * When the property was last seen on the cluster.
           */
          lastObservedTime?: string | null;
        }[]
      | null;
    /**
     * Health of the cluster.
     */
    conditions?:
      | {
          /**
           * Which condition this is, in CamelCase or as domain.example.com/CamelCase.
           */
          type: string;
          /**
           * Whether the condition holds. Text: in YAML quote "True" and "False".
           */
          status: "True" | "False" | "Unknown";
          /**
           * The metadata.generation that the condition was set upon.
           */
          observedGeneration?: number | null;
          /**
           * When the status last changed from one value to another.
           */
          lastTransitionTime: string;
          /**
           * Why the status last changed, as one CamelCase word for programs.
           */
          reason: string;
          /**
           * Details of the last change for people; may be empty.
           */
          message: string;
        }[]
      | null;
    /**
     * Ways to reach the cluster.
     */
    accessProviders?:
      | {
          /**
           * Name of the provider.
           */
          name?: string | null;
        }[]
      | null;
  } | null;
}

/**
 * A Feature is one feature that can be on or off.
 */
export interface Feature {
  apiVersion: "features.x-k8s.io/v1alpha1";
  kind: "Feature";
  metadata: ObjectMeta;
  /**
   * What users may set.
   */
  spec?: {
    /**
     * The value wanted, where it differs from status.default and the feature may be set dynamically.
     */
    desired?: "Enabled" | "Disabled" | null;
  } | null;
  /**
   * What the system reports of the feature.
   */
  status?: {
    /**
     * Who the feature belongs to: the namespace, or a domain name of a third party.
     */
    class?: string | null;
    /**
     * The name of the feature, as its code spells it.
     */
    name?: string | null;
    /**
     * How stable the feature is in the version installed.
     */
    stability?: "Unavailable" | "Alpha" | "Beta" | "GA" | "Deprecated" | "Universal" | null;
    /**
     * Version of the software that provides the feature.
     */
    version?: string | null;
    /**
     * What the feature is where nobody configures it.
     */
    default?: "Enabled" | "Disabled" | null;
    /**
     * Where the intended value comes from.
     */
    source?: "Default" | "CommandLine" | "Dynamic" | null;
    /**
     * The state of the feature. Text: in YAML quote "On" and "Off".
     */
    state?: "Off" | "TurningOn" | "On" | "TurningOff" | null;
    /**
     * When the uses will be looked at; clients have until then to report.
     */
    useEvaluationTime?: string | null;
    /**
     * What is left to do before the transition ends, in order.
     */
    transitionTasks?: string[] | null;
    /**
     * What clients found the feature to be: one entry for each version and value.
     */
    uses?:
      | {
          /**
           * Version of the process that reports.
           */
          version: string;
          /**
           * What the feature is within that process. Transitional states cannot be reported.
           */
          enabled: "Enabled" | "Disabled";
          /**
           * When the report was made.
           */
          reportTime: string;
        }[]
      | null;
  } | null;
}
