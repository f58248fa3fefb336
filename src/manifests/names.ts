/**
 * The names of muster's objects in a cluster, and of the parts that an installation consists of. Upgrades rely on the
 * former: a changed name leaves the old object behind.
 */
import { dialects, lockLeaseName } from '../api/dialects.ts';

export const NAMESPACE = 'muster-system';
/** Of the reservations at the hub, where the configuration names no other. */
export const HUB_NAMESPACE = 'cluster-ids';
/** Service, ServiceAccount, Deployment and everything else of the server; other names begin with it. */
export const SERVER = 'muster';
/** The reports of a scan, and its objects unless a Helm release names them otherwise. */
export const SCAN = 'muster-scan';
/** ClusterRole of the scan's Events, bound in single namespaces only. */
export const SCAN_EVENTS = `${SCAN}-events`;
/** The Secret with `tls.crt`, `tls.key` and `ca.crt`. */
export const TLS_SECRET = 'muster-tls';
/** Both webhook configurations, the validating and the mutating. */
export const WEBHOOKS = 'muster';
export const REGISTRATION_KINDS = ['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'] as const;
/** One Lease for each claim dialect, in the order of the catalogue. */
export const LEASES: readonly string[] = dialects.filter(({ claim }) => claim !== undefined).map(lockLeaseName);
/** The labels of every object: a selector for all of muster. */
export const LABELS: Readonly<Record<string, string>> = {
  'app.kubernetes.io/name': 'muster',
  'app.kubernetes.io/part-of': 'muster',
};
/** The selector of the server's pods. It never changes: the selector of a Deployment is immutable. */
export const SERVER_PODS = 'app.kubernetes.io/name=muster,app.kubernetes.io/component=server';

/** In the order to apply: the registration after all it needs, the Job after what it writes to. */
export const PARTS = ['namespace', 'leases', 'rbac', 'config', 'workload', 'network', 'webhooks', 'certs'] as const;
/**
 * Printed only if named. `crds`: the definitions of the kinds that are drafts; others install theirs. `scan-services`:
 * the scan's right to list Services. `monitoring` needs the CRDs of the Prometheus Operator.
 */
export const OPTIONAL_PARTS = ['crds', 'scan', 'scan-services', 'monitoring'] as const;
export const ALL_PARTS = [...PARTS, ...OPTIONAL_PARTS] as const;
export type InstallationPart = (typeof ALL_PARTS)[number];

export const PARTS_WITH_IMAGE: readonly InstallationPart[] = ['workload', 'certs', 'scan'];

/** What a server outside of the cluster needs in it. */
export const PARTS_BY_URL: readonly InstallationPart[] = ['namespace', 'leases', 'rbac', 'webhooks'];
