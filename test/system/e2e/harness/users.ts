/** Who calls the API server: users made of tokens, and what they may do. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface User {
  readonly name: string;
  readonly groups: readonly string[];
}

/**
 * `jane` and `bob` may do everything with the kinds muster evaluates; the service accounts what a test binds them to.
 */
export const USERS = {
  admin: { name: 'admin', groups: ['system:masters'] },
  jane: { name: 'jane', groups: ['e2e:editors'] },
  bob: { name: 'bob', groups: ['e2e:editors'] },
  muster: serviceAccount('muster-system', 'muster'),
  'muster-certs': serviceAccount('muster-system', 'muster-certs'),
  stranger: { name: 'stranger', groups: [] },
  'controller-manager': { name: 'system:kube-controller-manager', groups: [] },
} as const satisfies Readonly<Record<string, User>>;

export type UserMap = Readonly<Record<string, User>>;

/** Writes the API server's token file; returns its path. */
export function writeTokens(folder: string, users: UserMap): string {
  const file = join(folder, 'tokens.csv');
  const lines = Object.entries(users).map(
    ([key, { name, groups }]) => `${tokenOf(key)},${name},uid-${key},"${groups.join(',')}"`,
  );
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
  return file;
}

export function tokenOf(user: string): string {
  return `token-of-${user}`;
}

export interface Cluster {
  readonly url: string;
  readonly caFile: string;
  readonly namespace?: string;
}

/** Writes a kubeconfig of one user; returns its path. */
export function writeKubeconfig(file: string, user: string, cluster: Cluster): string {
  return writeContexts(file, user, { [user]: cluster });
}

/** Writes a kubeconfig of one user with a context for each cluster, called by its name; returns its path. */
export function writeContexts(file: string, user: string, clusters: Readonly<Record<string, Cluster>>): string {
  const entries = Object.entries(clusters);
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: entries.map(([name, { url, caFile }]) => ({
      name,
      cluster: { server: url, 'certificate-authority': caFile },
    })),
    users: [{ name: user, user: { token: tokenOf(user) } }],
    contexts: entries.map(([name, { namespace }]) => ({
      name,
      context: { cluster: name, user, ...(namespace !== undefined && { namespace }) },
    })),
    'current-context': entries[0]?.[0],
  };
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
  return file;
}

/** What jane and bob may do. */
export const EDITORS = [
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'e2e-editors' },
    rules: [
      {
        apiGroups: ['multicluster.x-k8s.io', 'about.k8s.io', 'cluster.open-cluster-management.io', 'features.x-k8s.io'],
        resources: ['*'],
        verbs: ['*'],
      },
    ],
  },
  bindingOf('e2e-editors', 'e2e-editors', 'e2e:editors'),
];

/** Returns a ClusterRoleBinding of a group. */
export function bindingOf(name: string, role: string, group: string): object {
  const apiGroup = 'rbac.authorization.k8s.io';
  return {
    apiVersion: `${apiGroup}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup, kind: 'ClusterRole', name: role },
    subjects: [{ apiGroup, kind: 'Group', name: group }],
  };
}

function serviceAccount(namespace: string, name: string): User {
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
  return { name: `system:serviceaccount:${namespace}:${name}`, groups };
}
