/** Who the tools are: the service accounts they run as by default, bound to cluster-admin as most of them are. */
import type { User, UserMap } from '../harness/users.ts';

const GROUP = 'field:tools';

export const FIELD_USERS = {
  argocd: account('argocd', 'argocd-application-controller'),
  flux: account('flux-system', 'kustomize-controller'),
  /** A pipeline that runs Helm, kapp or kubectl. */
  deployer: { name: 'deployer', groups: [GROUP] },
  velero: account('velero', 'velero'),
  ocm: account('open-cluster-management-hub', 'registration-controller-sa'),
  klusterlet: account('open-cluster-management-agent', 'klusterlet-registration-sa'),
  kubefleet: account('fleet-system', 'hub-agent-sa'),
  controller: account('fleet', 'controller'),
  migrator: account('kube-system', 'kube-storage-version-migrator-sa'),
  /** In the configuration with managers: all of them. */
  manager: { name: 'manager', groups: [GROUP] },
  /** There, nobody. */
  outsider: { name: 'outsider', groups: [GROUP] },
} as const satisfies UserMap;

export type FieldUser = keyof typeof FIELD_USERS | 'admin';

export const TOOLS_BINDING = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name: 'field-tools' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: GROUP }],
};

function account(namespace: string, name: string): User {
  const groups = [GROUP, 'system:serviceaccounts', `system:serviceaccounts:${namespace}`];
  return { name: `system:serviceaccount:${namespace}:${name}`, groups };
}
