/**
 * What the server may do in a cluster, wherever it runs: read the claims that hold an id or a membership, and take the
 * intents. It writes nothing else, and no rule of RBAC here names more than it touches.
 */
import { type Dialect, dialects } from '../api/dialects.ts';
import { type Component, type Manifest, manifest } from './manifest.ts';
import { LEASES, SERVER } from './names.ts';

export const RBAC = 'rbac.authorization.k8s.io';

export interface RoleRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** muster's own namespace, where no pod may be more than restricted. */
export function ownNamespace(namespace: string): Manifest {
  const { metadata, ...rest } = manifest(['v1', 'Namespace'], { name: namespace });
  const levels = ['enforce', 'audit', 'warn'].map((mode) => [`pod-security.kubernetes.io/${mode}`, 'restricted']);
  return { ...rest, metadata: { ...metadata, labels: { ...metadata.labels, ...Object.fromEntries(levels) } } };
}

/** One for each claim dialect. Without a spec, so that to apply them again lets go of no intent. */
export function leases(namespace: string): readonly Manifest[] {
  return LEASES.map((name) => manifest(['coordination.k8s.io/v1', 'Lease'], { name, namespace, component: 'server' }));
}

/** The server's ServiceAccount with its two roles. Neither may create, list, watch or delete anything. */
export function serverAccess(namespace: string): readonly Manifest[] {
  const takesIntents: RoleRule = {
    apiGroups: ['coordination.k8s.io'],
    resources: ['leases'],
    resourceNames: LEASES,
    verbs: ['get', 'update'],
  };
  return [
    serviceAccount(SERVER, namespace, 'server'),
    ...granted(SERVER, namespace, 'server', { inCluster: claimReads(), inNamespace: [takesIntents] }),
  ];
}

/** The account gives nobody a token by itself; a pod that calls the API server asks for one. */
export function serviceAccount(name: string, namespace: string, component: Component): Manifest {
  return manifest(['v1', 'ServiceAccount'], { name, namespace, component }, { automountServiceAccountToken: false });
}

/** A ClusterRole and a Role of the account's name, each bound to it; what grants nothing is left out. */
export function granted(
  name: string,
  namespace: string,
  component: Component,
  { inCluster, inNamespace }: { readonly inCluster: readonly RoleRule[]; readonly inNamespace: readonly RoleRule[] },
): readonly Manifest[] {
  const subjects = [{ kind: 'ServiceAccount', name, namespace }];
  const roleRef = (kind: string) => ({ apiGroup: RBAC, kind, name });
  const wide = { name, component };
  const narrow = { ...wide, namespace };
  const clusterWide = [
    manifest([`${RBAC}/v1`, 'ClusterRole'], wide, { rules: inCluster }),
    manifest([`${RBAC}/v1`, 'ClusterRoleBinding'], wide, { roleRef: roleRef('ClusterRole'), subjects }),
  ];
  const own = [
    manifest([`${RBAC}/v1`, 'Role'], narrow, { rules: inNamespace }),
    manifest([`${RBAC}/v1`, 'RoleBinding'], narrow, { roleRef: roleRef('Role'), subjects }),
  ];
  return [...(inCluster.length > 0 ? clusterWide : []), ...(inNamespace.length > 0 ? own : [])];
}

/**
 * Our reads happen while a write waits for them, and that write holds a seat of its own priority level. In the same
 * level, the two could wait for each other when it is full; `workload-high` is that of the control plane's own controllers.
 */
export function flowSchema(namespace: string): Manifest {
  const rules = [
    ...claimReads(),
    { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get', 'update'] },
  ];
  return manifest(
    ['flowcontrol.apiserver.k8s.io/v1', 'FlowSchema'],
    { name: SERVER, component: 'server' },
    {
      spec: {
        priorityLevelConfiguration: { name: 'workload-high' },
        // Before the schemas of service accounts (900 in kube-system, 9000 elsewhere).
        matchingPrecedence: 800,
        distinguisherMethod: { type: 'ByUser' },
        rules: [
          {
            subjects: [{ kind: 'ServiceAccount', serviceAccount: { name: SERVER, namespace } }],
            resourceRules: rules.map(({ apiGroups, resources, verbs }) => ({
              apiGroups,
              resources,
              verbs,
              // Claims have no namespace; Leases are ours alone.
              ...(resources.includes('leases') ? { namespaces: [namespace] } : { clusterScope: true }),
            })),
          },
        ],
      },
    },
  );
}

/** One for each claim dialect, by the names that identity writes are about. */
function claimReads(): readonly RoleRule[] {
  return dialects.flatMap(({ group, plural, claim }: Dialect) =>
    claim === undefined
      ? []
      : [
          {
            apiGroups: [group],
            resources: [plural],
            resourceNames: [...claim.idNames, claim.membershipName],
            verbs: ['get'],
          },
        ],
  );
}
