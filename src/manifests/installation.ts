/** The installation, by parts, in the order to apply them. */
import { kinds } from '../api/index.ts';
import type { Enforcement, ServerReads } from '../engine/plan.ts';
import { flowSchema, leases, ownNamespace, serverAccess } from './access.ts';
import { certificates } from './certificates.ts';
import { definition } from './crds.ts';
import type { Manifest } from './manifest.ts';
import { dashboardConfigMap, prometheusRule, serviceMonitor } from './monitoring.ts';
import { CERTS, NAMESPACE, SERVER } from './names.ts';
import { serverTraffic, traffic } from './network.ts';
import {
  type FailurePolicy,
  mutatingWebhookConfiguration,
  type RegistrationOptions,
  validatingWebhookConfiguration,
} from './registration.ts';
import { scanning } from './scan.ts';
import { configuration, DEFAULT_CONFIGURATION, workload } from './workload.ts';

export interface InstallationOptions {
  /** The image of server and certificate job. */
  readonly image: string;
  /** Default `muster-system`. */
  readonly namespace?: string;
  /** Default 2. */
  readonly replicas?: number;
  /** The text of a MusterConfiguration. */
  readonly configuration?: string;
  readonly failurePolicy?: FailurePolicy;
  /** Whether the server writes Events of denied writes. Default false. */
  readonly events?: boolean;
  /** What that configuration enforces; default: what applies without one. */
  readonly enforcement?: Enforcement;
  /** What that configuration reads in the cluster; default: what is read without one. */
  readonly reads?: ServerReads;
  /** A server outside of the cluster: its base URL, and the CA (PEM, in base64) its certificate is checked against. */
  readonly outside?: { readonly url: string; readonly caBundle: string };
}

/** In the order to apply: the registration after all it needs, the Job after what it writes to. */
export const PARTS = ['namespace', 'leases', 'rbac', 'config', 'workload', 'network', 'webhooks', 'certs'] as const;
/**
 * Printed only if named. `crds`: the definitions of the kinds that are drafts; others install theirs. `monitoring` needs the CRDs of the
 * Prometheus Operator.
 */
export const OPTIONAL_PARTS = ['crds', 'scan', 'monitoring'] as const;
export type Part = (typeof PARTS)[number] | (typeof OPTIONAL_PARTS)[number];

/** What a server outside of the cluster needs in it. */
export const PARTS_BY_URL: readonly Part[] = ['namespace', 'leases', 'rbac', 'webhooks'];

/**
 * Returns the objects of an installation in the order to apply them: what `muster manifests` prints, and what a cluster
 * is compared with. By default without the optional parts; for a server outside of the cluster, without its workload.
 */
export function installation(options: InstallationOptions, parts?: readonly Part[]): readonly Manifest[] {
  const wanted = parts ?? (options.outside ? PARTS_BY_URL : PARTS);
  return wanted.flatMap((part) => partOf(part, options));
}

/** Returns the objects of one part. */
export function partOf(part: Part, { namespace = NAMESPACE, ...options }: InstallationOptions): readonly Manifest[] {
  return OBJECTS[part]({ namespace, ...options });
}

type Namespaced = InstallationOptions & { readonly namespace: string };

const OBJECTS: Readonly<Record<Part, (options: Namespaced) => readonly Manifest[]>> = {
  namespace: ({ namespace }) => [ownNamespace(namespace)],
  crds: () => kinds.filter(({ dialect }) => dialect.ours).map(definition),
  leases: ({ namespace }) => leases(namespace),
  rbac: ({ namespace, events, reads }) => [...serverAccess(namespace, { events, reads }), flowSchema(namespace, reads)],
  config: ({ namespace, configuration: text = DEFAULT_CONFIGURATION }) => [configuration(namespace, text)],
  workload: ({ replicas = 2, ...options }) => workload({ replicas, ...options }),
  network: ({ namespace }) => [serverTraffic(namespace), traffic(CERTS, namespace, 'certs')],
  webhooks: registration,
  certs: certificates,
  scan: scanning,
  monitoring: ({ namespace }) => [serviceMonitor(namespace), prometheusRule(namespace), dashboardConfigMap(namespace)],
};

function registration({ outside, ...options }: Namespaced) {
  const registered: RegistrationOptions = outside
    ? { ...options, target: { url: outside.url }, caBundle: outside.caBundle }
    : { ...options, target: { service: { namespace: options.namespace, name: SERVER } } };
  return [validatingWebhookConfiguration(registered), mutatingWebhookConfiguration(registered)];
}
