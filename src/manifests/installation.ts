/** Builds the objects of an installation, by parts. */
import { kinds } from '../api/index.ts';
import { type ChartOptions, chartObjects } from './chart-objects.ts';
import { customResourceDefinition } from './crds.ts';
import { type Manifest, manifest } from './manifest.ts';
import { type CertificateProvider, INJECT_CA, type InstallationPart, NAMESPACE, REPLICAS, SERVER } from './names.ts';
import {
  mutatingWebhookConfiguration,
  type RegistrationOptions,
  validatingWebhookConfiguration,
} from './registration.ts';
import { DEFAULT_ENFORCEMENT, DEFAULT_READS } from './requirements.ts';

/** The options of `ChartOptions` have the defaults of `DEFAULTS`. */
export interface InstallationOptions extends Optional<ChartOptions>, RegistrationOptions {
  /** muster's version, for a label of the webhooks: for a server outside of the cluster, no other object has it. */
  readonly version?: string | undefined;
  /** Who makes the server's certificate. Default `muster`. */
  readonly certificates?: CertificateProvider | undefined;
}

type Optional<Options> = { readonly [Key in keyof Options]?: Options[Key] | undefined };

/** The default configuration, for users to edit. */
const DEFAULT_CONFIGURATION = `# All settings: docs/configuration.md. A change takes effect without a restart.
apiVersion: muster/v1alpha1
kind: MusterConfiguration
mode: enforce
`;

/** Returns the objects of a part: what `muster manifests` prints, and what a cluster is compared with. */
export function partOf(part: InstallationPart, options: InstallationOptions): readonly Manifest[] {
  const { certificates = 'muster' } = options;
  const chart = withDefaults(options);
  switch (part) {
    case 'namespace':
      return [ownNamespace(chart.namespace)];
    case 'crds':
      return kinds.filter(({ dialect }) => dialect.ours).map(customResourceDefinition);
    case 'webhooks':
      return registration(options);
    case 'rbac':
      return [
        ...chartObjects('rbac', chart),
        ...(chart.events ? chartObjects('events', chart) : []),
        ...(chart.reads.registrar ? chartObjects('registrar', chart) : []),
      ];
    case 'network':
      return chartObjects('network', chart).filter((object) => certificates === 'muster' || !isOfCertsJob(object));
    case 'certs':
      if (certificates === 'existing') return [];
      return chartObjects(certificates === 'muster' ? 'certs' : certificates, chart);
    default:
      return chartObjects(part, chart);
  }
}

function isOfCertsJob({ metadata }: Manifest): boolean {
  return metadata.labels?.['app.kubernetes.io/component'] === 'certs';
}

/** Returns the options, with the default of each that is absent or undefined. */
function withDefaults(options: InstallationOptions): ChartOptions {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...DEFAULTS, ...Object.fromEntries(given) };
}

const DEFAULTS: ChartOptions = {
  namespace: NAMESPACE,
  name: SERVER,
  image: 'kube-muster',
  replicas: REPLICAS,
  configuration: DEFAULT_CONFIGURATION,
  events: false,
  enforcement: DEFAULT_ENFORCEMENT,
  reads: DEFAULT_READS,
};

/** Returns the namespace for muster, which admits only restricted pods. With Helm, the release creates it. */
export function ownNamespace(namespace: string): Manifest {
  const { metadata, ...rest } = manifest(['v1', 'Namespace'], { name: namespace });
  const levels = ['enforce', 'audit', 'warn'].map((mode) => [`pod-security.kubernetes.io/${mode}`, 'restricted']);
  return { ...rest, metadata: { ...metadata, labels: { ...metadata.labels, ...Object.fromEntries(levels) } } };
}

function registration(options: InstallationOptions): readonly Manifest[] {
  const { namespace = NAMESPACE, name = SERVER, certificates, version } = options;
  const annotations = certificates === 'cert-manager' && { annotations: { [INJECT_CA]: `${namespace}/${name}` } };
  return [validatingWebhookConfiguration(options), mutatingWebhookConfiguration(options)].map((object) => {
    const { metadata } = object;
    const labels = { ...metadata.labels, ...(version !== undefined && { 'app.kubernetes.io/version': version }) };
    return { ...object, metadata: { ...metadata, labels, ...annotations } };
  });
}
