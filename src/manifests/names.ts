/** The names of muster's objects in a cluster. Upgrades rely on them: a changed name leaves the old object behind. */
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
