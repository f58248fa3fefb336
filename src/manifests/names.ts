/**
 * The names of muster's objects in a cluster, and of the parts of an installation; and the number of servers. A name of
 * an object must not change: after an upgrade, the old object would remain.
 */
import { claimDialects, lockLeaseName } from '../api/dialects.ts';

export const NAMESPACE = 'muster-system';
/** The default namespace of the reservations at the hub. */
export const HUB_NAMESPACE = 'cluster-ids';
/** The name of the server's Service, ServiceAccount, Deployment and so on; other names begin with it. */
export const SERVER = 'muster';
/** The reports of a scan, and its objects unless a Helm release names them otherwise. */
export const SCAN = 'muster-scan';
/** The ClusterRole for the Events of a scan. It is bound in single namespaces only. */
export const SCAN_EVENTS = `${SCAN}-events`;
/** Both webhook configurations, the validating and the mutating. */
export const WEBHOOKS = 'muster';
export const REGISTRATION_KINDS = ['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'] as const;
/** Whether a webhook of this name is muster's, such as `claims.validate.muster`. */
export const isOurWebhook = (name: string): boolean => /\.(validate|mutate)\.muster$/.test(name);
/** The label that each namespace has, with its name. */
export const NAMESPACE_LABEL = 'kubernetes.io/metadata.name';
/** The Leases: one for each claim dialect, in the order of the catalogue. */
export const LEASES: readonly string[] = claimDialects.map(lockLeaseName);
/** The labels of every object: a selector for all of muster. */
export const LABELS: Readonly<Record<string, string>> = {
  'app.kubernetes.io/name': 'muster',
  'app.kubernetes.io/part-of': 'muster',
};
/** The folder of the configuration in the server's pods. */
export const CONFIGURATION_FOLDER = '/etc/muster';
/** The default of `--replicas`, and of the chart. */
export const REPLICAS = 2;
/** The labels of the server's pods, and their selector. They never change: that of a Deployment is immutable. */
export const SERVER_LABELS = { 'app.kubernetes.io/name': 'muster', 'app.kubernetes.io/component': 'server' };
export const SERVER_PODS = Object.entries(SERVER_LABELS)
  .map(([key, value]) => `${key}=${value}`)
  .join();

/** The parts, in the order to apply them: the webhooks after all that they need, the Job after the webhooks. */
export const PARTS = ['namespace', 'leases', 'rbac', 'config', 'workload', 'network', 'webhooks', 'certs'] as const;
/**
 * Parts that are printed only if named. `crds`: the CRDs of our kinds, which are drafts. `scan-services`: the scan's
 * right to list Services. `monitoring` needs the CRDs of the Prometheus Operator.
 */
export const OPTIONAL_PARTS = ['crds', 'scan', 'scan-services', 'monitoring'] as const;
export const ALL_PARTS = [...PARTS, ...OPTIONAL_PARTS] as const;
export type InstallationPart = (typeof ALL_PARTS)[number];

export const PARTS_WITH_IMAGE: readonly InstallationPart[] = ['workload', 'certs', 'scan'];

/** Who makes the server's certificate: a job of muster, cert-manager, or another tool. As in the chart's values. */
export const CERTIFICATE_PROVIDERS = ['muster', 'cert-manager', 'existing'] as const;
export type CertificateProvider = (typeof CERTIFICATE_PROVIDERS)[number];
/** The annotation of a webhook configuration into which cert-manager writes the CA of a Certificate, NAMESPACE/NAME. */
export const INJECT_CA = 'cert-manager.io/inject-ca-from';

/** The parts for a server outside of the cluster. */
export const PARTS_BY_URL: readonly InstallationPart[] = ['namespace', 'leases', 'rbac', 'webhooks'];
