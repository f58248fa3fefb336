/** The server in a cluster: Deployment, Service and what keeps some of it running. */
import { labelsOf, type Manifest, manifest, selectorOf } from './manifest.ts';
import { CONFIG_MAP, SERVER, TLS_SECRET } from './names.ts';
import { configurationMount, configurationVolume, containerSecurity, nodeSelector, podSecurity } from './pod.ts';

export interface WorkloadOptions {
  readonly namespace: string;
  readonly image: string;
  readonly replicas: number;
  /** Whether the server writes Events of denied writes. */
  readonly events?: boolean;
}

/**
 * The heap of a server with 512 MB of memory, in MiB: half for long-lived objects, the rest for bodies, connections and code outside of
 * the heap. With V8's own limit, the semi-spaces take 100 MB more under load and save no CPU.
 */
export const NODE_OPTIONS = '--max-old-space-size=256 --max-semi-space-size=16';

const PRIORITY = 'system-cluster-critical';

/** What applies without a configuration, written out for users to edit. */
export const DEFAULT_CONFIGURATION = `# All settings: docs/configuration.md. A change takes effect without a restart.
apiVersion: muster/v1alpha1
kind: MusterConfiguration
mode: enforce
`;

/** The server's configuration. It is watched: a good new one takes effect, a bad one is refused and the old one stays. */
export function configuration(namespace: string, text: string): Manifest {
  const data = { 'muster.yaml': text };
  return manifest(['v1', 'ConfigMap'], { name: CONFIG_MAP, namespace, component: 'server' }, { data });
}

/** ResourceQuota, Service, PodDisruptionBudget and Deployment, in the order to apply them. */
export function workload(options: WorkloadOptions): readonly Manifest[] {
  const { namespace, replicas } = options;
  const named = { name: SERVER, namespace, component: 'server' } as const;
  const selector = { matchLabels: selectorOf('server') };
  const matchExpressions = [{ scopeName: 'PriorityClass', operator: 'In', values: [PRIORITY] }];
  return [
    // Some clusters admit `system-cluster-critical` only in a namespace with a quota for it.
    manifest(
      ['v1', 'ResourceQuota'],
      { ...named, name: `${SERVER}-critical-pods` },
      {
        spec: { hard: { pods: '100' }, scopeSelector: { matchExpressions } },
      },
    ),
    manifest(['v1', 'Service'], named, {
      spec: {
        selector: selectorOf('server'),
        ports: [
          { name: 'https', port: 443, targetPort: 'https' },
          { name: 'ops', port: 8080, targetPort: 'ops' },
        ],
      },
    }),
    manifest(['policy/v1', 'PodDisruptionBudget'], named, {
      spec: {
        // As good as minAvailable 1 for two, and still right when scaled: a budget that lets none go holds back nodes.
        maxUnavailable: 1,
        // A pod that is not ready serves no calls, so it must not block the drain of a node.
        unhealthyPodEvictionPolicy: 'AlwaysAllow',
        selector,
      },
    }),
    manifest(['apps/v1', 'Deployment'], named, {
      spec: {
        replicas,
        revisionHistoryLimit: 3,
        selector,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
        template: { metadata: { labels: labelsOf('server') }, spec: pod(options) },
      },
    }),
  ];
}

function pod({ image, events }: WorkloadOptions) {
  const items = ['tls.crt', 'tls.key'].map((key) => ({ key, path: key }));
  return {
    serviceAccountName: SERVER,
    automountServiceAccountToken: true,
    // Else a Service named muster gives each pod MUSTER_PORT=tcp://…, which would be taken for --port.
    enableServiceLinks: false,
    // Under `Fail`, guarded writes wait for these pods.
    priorityClassName: PRIORITY,
    // 15 s of draining, then up to 35 s for what is still running: `stopLimit` in src/server/lifecycle/process-events.ts.
    terminationGracePeriodSeconds: 60,
    securityContext: podSecurity,
    nodeSelector,
    ...apart(),
    containers: [container(image, events)],
    volumes: [
      configurationVolume,
      // By key: while one is missing, as before `muster certs` has run, the kubelet holds the pod back and tries again.
      { name: 'tls', secret: { secretName: TLS_SECRET, defaultMode: 0o440, items } },
    ],
  };
}

function container(image: string, events = false) {
  const live = { path: '/livez', port: 'ops' };
  return {
    name: SERVER,
    image,
    args: [
      'serve',
      '--config=/etc/muster/muster.yaml',
      '--tls-cert-file=/tls/tls.crt',
      '--tls-private-key-file=/tls/tls.key',
      ...(events ? ['--events'] : []),
    ],
    env: [{ name: 'NODE_OPTIONS', value: NODE_OPTIONS }],
    ports: [
      { name: 'https', containerPort: 8443 },
      { name: 'ops', containerPort: 8080 },
    ],
    // No limit of CPU: throttling is latency for whoever waits for the API server.
    resources: { requests: { cpu: '50m', memory: '192Mi' }, limits: { memory: '512Mi' } },
    startupProbe: { httpGet: live, periodSeconds: 1, failureThreshold: 60 },
    livenessProbe: { httpGet: live, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 3 },
    readinessProbe: {
      httpGet: { path: '/readyz', port: 'ops' },
      periodSeconds: 2,
      timeoutSeconds: 2,
      failureThreshold: 2,
    },
    securityContext: containerSecurity,
    volumeMounts: [configurationMount, { name: 'tls', mountPath: '/tls', readOnly: true }],
  };
}

/** On different nodes and in different zones where there are any; on one node rather than not at all. */
function apart() {
  const labelSelector = { matchLabels: selectorOf('server') };
  const spread = { maxSkew: 1, whenUnsatisfiable: 'ScheduleAnyway', labelSelector };
  const preferred = [{ weight: 100, podAffinityTerm: { topologyKey: 'kubernetes.io/hostname', labelSelector } }];
  return {
    topologySpreadConstraints: [
      { ...spread, topologyKey: 'topology.kubernetes.io/zone' },
      { ...spread, topologyKey: 'kubernetes.io/hostname' },
    ],
    affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: preferred } },
  };
}
