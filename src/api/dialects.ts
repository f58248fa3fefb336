/**
 * The APIs that muster evaluates, as data. One rule serves every API of its concept; this file holds the differences.
 * Sources: the CRDs as their projects ship them, and the proposals that the rules quote.
 */
export const concepts = ['claim', 'inventory', 'feature', 'placement', 'service'] as const;
export type Concept = (typeof concepts)[number];

/** The names, the syntax and the limits of the claims of a dialect. */
export interface ClaimDetails {
  /** The names of the claim with the id, newest first. Messages recommend the first. */
  readonly idNames: readonly string[];
  readonly membershipName: string;
  readonly idSyntax: 'label' | 'subdomain';
  /** The most code points `spec.value` may have. */
  readonly valueLimit: number;
  /** The id has to be shorter than this, in code points. */
  readonly idShorterThan?: number;
  /** Claims other than the id and the membership may leave `spec.value` out. */
  readonly valueOptional?: boolean;
}

/** One kind in one API group, in all of its versions. */
export interface Resource {
  /** Identifies the kind in the code: short and stable. */
  readonly name: string;
  /** Empty for the core group. */
  readonly group: string;
  /**
   * Served versions, oldest first; the same objects are served in all of them. To add one, append it and run
   * `npm run generate`: registration and reads of a cluster follow. What else it needs is in CONTRIBUTING.md.
   */
  readonly versions: readonly string[];
  readonly kind: string;
  readonly plural: string;
  /** The resource as Kubernetes writes it, plural and group: the label in the log and the metrics. */
  readonly groupResource: string;
  readonly scope: 'Cluster' | 'Namespaced';
}

/** A kind whose objects are evaluated. */
export interface Dialect extends Resource {
  /** Identifies the dialect in rules and metrics. */
  readonly name:
    | 'cluster-claim'
    | 'ocm-cluster-claim'
    | 'cluster-property'
    | 'inventory-cluster'
    | 'cluster-profile'
    | 'feature'
    | 'placement-decision'
    | 'service-export'
    | 'service-import';
  readonly concept: Concept;
  /** Whether the CRD is ours to publish. */
  readonly ours: boolean;
  /** The top-level fields besides `apiVersion`, `kind` and `metadata`. */
  readonly content: readonly string[];
  /**
   * Whether objects of other kinds refer to its objects. Then the server may read each of them by name, to learn
   * whether it exists.
   */
  readonly isReferenced?: boolean;
  readonly claim?: ClaimDetails;
}

/** The content of most kinds. */
const SPEC_AND_STATUS = ['spec', 'status'];

const CLUSTER_SET = 'clusterset.k8s.io';

export const clusterClaim = {
  name: 'cluster-claim',
  concept: 'claim',
  group: 'multicluster.x-k8s.io',
  versions: ['v1alpha1'],
  kind: 'ClusterClaim',
  plural: 'clusterclaims',
  groupResource: 'clusterclaims.multicluster.x-k8s.io',
  scope: 'Cluster',
  ours: true,
  content: SPEC_AND_STATUS,
  claim: { idNames: ['id.k8s.io'], membershipName: CLUSTER_SET, idSyntax: 'label', valueLimit: 128_000 },
} as const satisfies Dialect;

export const ocmClusterClaim = {
  name: 'ocm-cluster-claim',
  concept: 'claim',
  group: 'cluster.open-cluster-management.io',
  versions: ['v1alpha1'],
  kind: 'ClusterClaim',
  plural: 'clusterclaims',
  groupResource: 'clusterclaims.cluster.open-cluster-management.io',
  scope: 'Cluster',
  ours: false,
  content: SPEC_AND_STATUS,
  claim: {
    idNames: ['id.k8s.io'],
    membershipName: CLUSTER_SET,
    idSyntax: 'label',
    valueLimit: 1024,
    valueOptional: true,
  },
} as const satisfies Dialect;

export const clusterProperty = {
  name: 'cluster-property',
  concept: 'claim',
  group: 'about.k8s.io',
  versions: ['v1alpha1', 'v1beta1', 'v1'],
  kind: 'ClusterProperty',
  plural: 'clusterproperties',
  groupResource: 'clusterproperties.about.k8s.io',
  scope: 'Cluster',
  ours: false,
  content: SPEC_AND_STATUS,
  claim: {
    idNames: ['cluster.clusterset.k8s.io', 'id.k8s.io'],
    membershipName: CLUSTER_SET,
    idSyntax: 'subdomain',
    valueLimit: 128_000,
    idShorterThan: 128,
  },
} as const satisfies Dialect;

export const inventoryCluster = {
  name: 'inventory-cluster',
  concept: 'inventory',
  group: 'multicluster.x-k8s.io',
  versions: ['v1alpha1'],
  kind: 'InventoryCluster',
  plural: 'inventoryclusters',
  groupResource: 'inventoryclusters.multicluster.x-k8s.io',
  scope: 'Cluster',
  ours: true,
  content: SPEC_AND_STATUS,
} as const satisfies Dialect;

export const clusterProfile = {
  name: 'cluster-profile',
  concept: 'inventory',
  group: 'multicluster.x-k8s.io',
  versions: ['v1alpha1', 'v1alpha2'],
  kind: 'ClusterProfile',
  plural: 'clusterprofiles',
  groupResource: 'clusterprofiles.multicluster.x-k8s.io',
  scope: 'Namespaced',
  ours: false,
  content: SPEC_AND_STATUS,
  isReferenced: true,
} as const satisfies Dialect;

export const feature = {
  name: 'feature',
  concept: 'feature',
  group: 'features.x-k8s.io',
  versions: ['v1alpha1'],
  kind: 'Feature',
  plural: 'features',
  groupResource: 'features.features.x-k8s.io',
  scope: 'Namespaced',
  ours: true,
  content: SPEC_AND_STATUS,
} as const satisfies Dialect;

export const placementDecision = {
  name: 'placement-decision',
  concept: 'placement',
  group: 'multicluster.x-k8s.io',
  versions: ['v1alpha1', 'v1alpha2'],
  kind: 'PlacementDecision',
  plural: 'placementdecisions',
  groupResource: 'placementdecisions.multicluster.x-k8s.io',
  scope: 'Namespaced',
  ours: false,
  content: ['decisions', 'schedulerName'],
} as const satisfies Dialect;

export const serviceExport = {
  name: 'service-export',
  concept: 'service',
  group: 'multicluster.x-k8s.io',
  versions: ['v1alpha1', 'v1beta1'],
  kind: 'ServiceExport',
  plural: 'serviceexports',
  groupResource: 'serviceexports.multicluster.x-k8s.io',
  scope: 'Namespaced',
  ours: false,
  content: SPEC_AND_STATUS,
} as const satisfies Dialect;

export const serviceImport = {
  name: 'service-import',
  concept: 'service',
  group: 'multicluster.x-k8s.io',
  versions: ['v1alpha1', 'v1beta1'],
  kind: 'ServiceImport',
  plural: 'serviceimports',
  groupResource: 'serviceimports.multicluster.x-k8s.io',
  scope: 'Namespaced',
  ours: false,
  content: SPEC_AND_STATUS,
} as const satisfies Dialect;

/** A dialect of claims. */
export type ClaimDialect = Dialect & { readonly claim: ClaimDetails };

export const claimDialects: readonly ClaimDialect[] = [clusterClaim, ocmClusterClaim, clusterProperty];

/** Every dialect, in the order of the catalogue. */
export const dialects: readonly Dialect[] = [
  ...claimDialects,
  inventoryCluster,
  clusterProfile,
  feature,
  placementDecision,
  serviceExport,
  serviceImport,
];

/** Groups that do not exist, by the group that is meant: the examples in the text of KEP-1645 have this one. */
export const mistakenGroups: ReadonlyMap<string, string> = new Map([['multicluster.k8s.io', serviceExport.group]]);

/** By `group/Kind`, for the hot path. */
const dialectsByKind: ReadonlyMap<string, Dialect> = new Map(
  dialects.map((dialect) => [`${dialect.group}/${dialect.kind}`, dialect]),
);

/**
 * Returns the dialect of a group and kind in any version, also a future one; undefined if muster does not evaluate it.
 */
export function dialectOf(group: string, kind: string): Dialect | undefined {
  return dialectsByKind.get(`${group}/${kind}`);
}

/** Whether a dialect has a `/status` subresource; claims have none. */
export function hasStatus({ concept }: Dialect): boolean {
  return concept !== 'claim';
}

/**
 * Returns the name of the Lease in muster's namespace that holds the locks of a claim dialect. The manifests create it.
 */
export function lockLeaseName({ name }: Pick<Dialect, 'name'>): string {
  return `muster-${name}`;
}
