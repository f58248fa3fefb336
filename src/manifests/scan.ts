/** A scan of the cluster every hour: a CronJob and its rights. It is optional. */
import { dialects } from '../api/dialects.ts';
import { granted, RBAC, type RoleRule, serviceAccount } from './access.ts';
import { type Manifest, manifest } from './manifest.ts';
import { SCAN, SCAN_EVENTS } from './names.ts';
import { traffic } from './network.ts';
import { cronJob, type ImageOptions, type JobOptions } from './pod.ts';

/** The namespaces of Events about cluster-scoped objects, and about the control plane's own features. */
const EVENT_NAMESPACES = ['default', 'kube-system'];

/** Returns account, roles, NetworkPolicy and CronJob. They need the namespace and the ConfigMap of the installation. */
export function scanning(options: ImageOptions): readonly Manifest[] {
  const { namespace } = options;
  return [
    serviceAccount(SCAN, namespace, 'scan'),
    ...granted(SCAN, namespace, 'scan', { inCluster: [...reads(), ...reports()], inNamespace: [] }),
    ...events(namespace),
    traffic(SCAN, namespace, 'scan'),
    cronJob(jobOf(options), '41 * * * *', 3),
  ];
}

function reads(): readonly RoleRule[] {
  const groups = new Map<string, string[]>();
  for (const { group, plural } of dialects) groups.set(group, [...(groups.get(group) ?? []), plural]);
  return [...groups].map(([group, resources]) => ({ apiGroups: [group], resources, verbs: ['list'] }));
}

/** A Report belongs to the namespace of its objects, which may be any. Except for `create`, the rights are limited to the scan's own name. */
function reports(): readonly RoleRule[] {
  const [apiGroups, kinds] = [['openreports.io'], ['reports', 'clusterreports']];
  return [
    { apiGroups, resources: ['reports'], verbs: ['list'] },
    { apiGroups, resources: kinds, verbs: ['create'] },
    { apiGroups, resources: ['clusterreports'], resourceNames: [SCAN], verbs: ['patch'] },
    { apiGroups, resources: ['reports'], resourceNames: [SCAN], verbs: ['patch', 'delete'] },
  ];
}

/** The right includes the Events of others, so it is bound in two namespaces; owners of others add a RoleBinding. */
function events(namespace: string): readonly Manifest[] {
  const rules: readonly RoleRule[] = [{ apiGroups: [''], resources: ['events'], verbs: ['create', 'patch'] }];
  const roleRef = { apiGroup: RBAC, kind: 'ClusterRole', name: SCAN_EVENTS };
  const subjects = [{ kind: 'ServiceAccount', name: SCAN, namespace }];
  const named = { name: SCAN_EVENTS, component: 'scan' } as const;
  const bind = (where: string) =>
    manifest([`${RBAC}/v1`, 'RoleBinding'], { ...named, namespace: where }, { roleRef, subjects });
  return [manifest([`${RBAC}/v1`, 'ClusterRole'], named, { rules }), ...EVENT_NAMESPACES.map(bind)];
}

/** A scan that finds something ends as a failed Job, which monitoring reports; it does not run again for that. */
function jobOf({ namespace, image }: ImageOptions): JobOptions {
  return {
    ...{ name: SCAN, namespace, component: 'scan', image },
    args: ['scan', '--live', '--config=/etc/muster/muster.yaml', '--event'],
    resources: { requests: { cpu: '50m', memory: '192Mi' }, limits: { memory: '512Mi' } },
    restartPolicy: 'Never',
    limits: { backoffLimit: 0, activeDeadlineSeconds: 1800 },
    isConfigured: true,
  };
}
