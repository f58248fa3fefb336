/** Builds the objects of an installation, by parts. */
import { kinds } from '../api/index.ts';
import { defaultPolicy } from '../engine/policy.ts';
import { type ChartOptions, chartObjects } from './chart-objects.ts';
import { customResourceDefinition } from './crds.ts';
import { type Manifest, manifest } from './manifest.ts';
import { type InstallationPart, NAMESPACE, PARTS, PARTS_BY_URL, SERVER } from './names.ts';
import {
  type FailurePolicy,
  mutatingWebhookConfiguration,
  NOTHING_ENFORCED,
  type RegistrationOptions,
  validatingWebhookConfiguration,
} from './registration.ts';
import { type Enforcement, requiredReads, type ServerReads } from './requirements.ts';

export interface InstallationOptions {
  /** The image of server and jobs. Default: a name for kustomize to replace. */
  readonly image?: string | undefined;
  /** Default `muster-system`. */
  readonly namespace?: string | undefined;
  /** The name of all objects except the Leases, or its prefix: `muster`, or the one of a Helm release. */
  readonly name?: string | undefined;
  /** muster's version, for a label of the webhooks: for a server outside of the cluster, no other object has it. */
  readonly version?: string | undefined;
  /** Default `REPLICAS`. */
  readonly replicas?: number | undefined;
  /** The text of a MusterConfiguration. */
  readonly configuration?: string | undefined;
  readonly failurePolicy?: FailurePolicy | undefined;
  /** Whether the server writes Events of denied writes. Default false. */
  readonly events?: boolean | undefined;
  /** What the configuration enforces; default: that of no configuration. */
  readonly enforcement?: Enforcement | undefined;
  /** What the server reads in the cluster; default: that of no configuration. */
  readonly reads?: ServerReads | undefined;
  /** A server outside of the cluster: its base URL, and the CA (PEM, in base64) its certificate is checked against. */
  readonly outside?: { readonly url: string; readonly caBundle: string } | undefined;
}

/** The default configuration, for users to edit. */
const DEFAULT_CONFIGURATION = `# All settings: docs/configuration.md. A change takes effect without a restart.
apiVersion: muster/v1alpha1
kind: MusterConfiguration
mode: enforce
`;

/**
 * Returns the objects of an installation in the order to apply them: what `muster manifests` prints, and what a cluster
 * is compared with. By default without the optional parts; for a server outside of the cluster, without its workload.
 */
export function installation(options: InstallationOptions, parts?: readonly InstallationPart[]): readonly Manifest[] {
  const wanted = parts ?? (options.outside ? PARTS_BY_URL : PARTS);
  return wanted.flatMap((part) => partOf(part, options));
}

/** Returns the objects of one part. */
export function partOf(part: InstallationPart, options: InstallationOptions): readonly Manifest[] {
  const chart = withDefaults(options);
  switch (part) {
    case 'namespace':
      return [ownNamespace(chart.namespace)];
    case 'crds':
      return kinds.filter(({ dialect }) => dialect.ours).map(customResourceDefinition);
    case 'webhooks':
      return registration(chart, options);
    case 'rbac':
      return [
        ...chartObjects('rbac', chart),
        ...(chart.events ? chartObjects('events', chart) : []),
        ...(chart.reads.registrar ? chartObjects('registrar', chart) : []),
      ];
    default:
      return chartObjects(part, chart);
  }
}

/** Returns the objects with which cert-manager replaces `muster certs`. */
export function certManager(options: InstallationOptions = {}): readonly Manifest[] {
  return chartObjects('cert-manager', withDefaults(options));
}

/** Returns the options, with the default of each that is absent or undefined. */
function withDefaults(options: InstallationOptions): ChartOptions {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...DEFAULTS, ...Object.fromEntries(given) };
}

/** The default of `--replicas`, and of the chart. */
export const REPLICAS = 2;

const DEFAULTS: ChartOptions = {
  namespace: NAMESPACE,
  name: SERVER,
  image: 'kube-muster',
  replicas: REPLICAS,
  configuration: DEFAULT_CONFIGURATION,
  events: false,
  enforcement: NOTHING_ENFORCED,
  reads: requiredReads(defaultPolicy),
};

/** Returns the namespace for muster, which admits only restricted pods. With Helm, the release creates it. */
export function ownNamespace(namespace: string): Manifest {
  const { metadata, ...rest } = manifest(['v1', 'Namespace'], { name: namespace });
  const levels = ['enforce', 'audit', 'warn'].map((mode) => [`pod-security.kubernetes.io/${mode}`, 'restricted']);
  return { ...rest, metadata: { ...metadata, labels: { ...metadata.labels, ...Object.fromEntries(levels) } } };
}

function registration({ namespace, name, enforcement }: ChartOptions, options: InstallationOptions) {
  const { outside, failurePolicy, version } = options;
  const registered: RegistrationOptions = {
    name,
    namespace,
    enforcement,
    target: outside ? { url: outside.url } : { service: { namespace, name } },
    caBundle: outside?.caBundle,
    failurePolicy,
  };
  const configurations = [validatingWebhookConfiguration(registered), mutatingWebhookConfiguration(registered)];
  if (version === undefined) return configurations;
  return configurations.map((object) => {
    const labels = { ...object.metadata.labels, 'app.kubernetes.io/version': version };
    return { ...object, metadata: { ...object.metadata, labels } };
  });
}
