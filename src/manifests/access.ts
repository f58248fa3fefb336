/** The server's rights in a cluster, wherever it runs: read by name the claims of an identity and what other objects refer to, list ClusterProfiles, and update its Leases. */
import { clusterProfile, dialects } from '../api/dialects.ts';
import { defaultPolicy } from '../engine/index.ts';
import { readsOf, type ServerReads } from '../engine/plan.ts';
import { type Component, type Manifest, manifest } from './manifest.ts';
import { LEASES, SERVER, SERVER_EVENTS } from './names.ts';

export const RBAC = 'rbac.authorization.k8s.io';

export interface RoleRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** Returns muster's own namespace, which admits restricted pods alone. */
export function ownNamespace(namespace: string): Manifest {
  const { metadata, ...rest } = manifest(['v1', 'Namespace'], { name: namespace });
  const levels = ['enforce', 'audit', 'warn'].map((mode) => [`pod-security.kubernetes.io/${mode}`, 'restricted']);
  return { ...rest, metadata: { ...metadata, labels: { ...metadata.labels, ...Object.fromEntries(levels) } } };
}

/** Returns a Lease for each claim dialect. They have no spec, so that applying them again releases no lock. */
export function leases(namespace: string): readonly Manifest[] {
  return LEASES.map((name) => manifest(['coordination.k8s.io/v1', 'Lease'], { name, namespace, component: 'server' }));
}

export interface ServerRights {
  /** What the rules of its configuration list; default: what they list without one. */
  readonly reads?: ServerReads | undefined;
  /** Whether the server may also write Events, in all namespaces: a denied write may be in any. */
  readonly events?: boolean | undefined;
}

/** Returns the server's ServiceAccount with its two roles. Neither may create, watch or delete anything. */
export function serverAccess(namespace: string, { events = false, reads }: ServerRights = {}): readonly Manifest[] {
  const takesLocks: RoleRule = {
    apiGroups: ['coordination.k8s.io'],
    resources: ['leases'],
    resourceNames: LEASES,
    verbs: ['get', 'update'],
  };
  return [
    serviceAccount(SERVER, namespace, 'server'),
    ...granted(SERVER, namespace, 'server', {
      inCluster: [...claimReads(), ...referencedReads(reads)],
      inNamespace: [takesLocks],
    }),
    ...(events ? eventAccess(namespace) : []),
  ];
}

/** Returns the right to write Events, which `muster serve --events` needs. */
export function eventAccess(namespace: string): readonly Manifest[] {
  const rules: readonly RoleRule[] = [{ apiGroups: [''], resources: ['events'], verbs: ['create', 'patch'] }];
  const named = { name: SERVER_EVENTS, component: 'server' } as const;
  const roleRef = { apiGroup: RBAC, kind: 'ClusterRole', name: SERVER_EVENTS };
  const subjects = [{ kind: 'ServiceAccount', name: SERVER, namespace }];
  return [
    manifest([`${RBAC}/v1`, 'ClusterRole'], named, { rules }),
    manifest([`${RBAC}/v1`, 'ClusterRoleBinding'], named, { roleRef, subjects }),
  ];
}

/** Returns an account without automatic tokens; a pod that calls the API server mounts one. */
export function serviceAccount(name: string, namespace: string, component: Component): Manifest {
  return manifest(['v1', 'ServiceAccount'], { name, namespace, component }, { automountServiceAccountToken: false });
}

/** Returns a ClusterRole and a Role with the account's name, each bound to it; empty ones are left out. */
export function granted(
  name: string,
  namespace: string,
  component: Component,
  { inCluster, inNamespace }: { readonly inCluster: readonly RoleRule[]; readonly inNamespace: readonly RoleRule[] },
): readonly Manifest[] {
  const subjects = [{ kind: 'ServiceAccount', name, namespace }];
  const pair = (prefix: '' | 'Cluster', rules: readonly RoleRule[]) => {
    const named = { name, component, ...(prefix === '' ? { namespace } : {}) };
    const [role, binding] = [`${prefix}Role`, `${prefix}RoleBinding`];
    return [
      manifest([`${RBAC}/v1`, role], named, { rules }),
      manifest([`${RBAC}/v1`, binding], named, { roleRef: { apiGroup: RBAC, kind: role, name }, subjects }),
    ];
  };
  return [
    ...(inCluster.length > 0 ? pair('Cluster', inCluster) : []),
    ...(inNamespace.length > 0 ? pair('', inNamespace) : []),
  ];
}

/** Puts the server's reads into another priority level than the writes: in one that is full, each would wait. */
export function flowSchema(namespace: string, reads?: ServerReads): Manifest {
  // Claims have no namespace; Leases are ours alone.
  // The API server returns `namespaces: null`; without it, kubectl would find a difference at each apply.
  const claims = claimReads().map(({ resourceNames: _, ...rule }) => ({
    ...rule,
    clusterScope: true,
    namespaces: null,
  }));
  const referenced = referencedReads(reads).map((rule) => ({ ...rule, namespaces: ['*'] }));
  const leases = { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get', 'update'] };
  const subjects = [{ kind: 'ServiceAccount', serviceAccount: { name: SERVER, namespace } }];
  const spec = {
    // The level of the control plane's own controllers.
    priorityLevelConfiguration: { name: 'workload-high' },
    // Before the schemas of service accounts (900 in kube-system, 9000 elsewhere).
    matchingPrecedence: 800,
    distinguisherMethod: { type: 'ByUser' },
    rules: [{ subjects, resourceRules: [...claims, ...referenced, { ...leases, namespaces: [namespace] }] }],
  };
  return manifest(['flowcontrol.apiserver.k8s.io/v1', 'FlowSchema'], { name: SERVER, component: 'server' }, { spec });
}

/** One rule for each kind that others refer to. Which objects they name is not known before, and RBAC cannot limit a list to a label. */
function referencedReads({ profileLists } = readsOf(defaultPolicy)): readonly RoleRule[] {
  const referenced = dialects.filter(({ isReferenced }) => isReferenced);
  return referenced.map(({ name, group, plural }) => {
    const isListed = name === clusterProfile.name && profileLists;
    return { apiGroups: [group], resources: [plural], verbs: isListed ? ['get', 'list'] : ['get'] };
  });
}

/** One rule for each claim dialect, with the names that belong to an identity. */
function claimReads(): readonly RoleRule[] {
  return dialects.flatMap(({ group, plural, claim }) => {
    const resourceNames = claim && [...claim.idNames, claim.membershipName];
    return resourceNames ? [{ apiGroups: [group], resources: [plural], resourceNames, verbs: ['get'] }] : [];
  });
}
