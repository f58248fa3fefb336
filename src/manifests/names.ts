/** The names of muster's objects in a cluster. Upgrades rely on them: a changed name leaves the old object behind. */
import { dialects, lockLeaseName } from '../api/dialects.ts';

export const NAMESPACE = 'muster-system';
/** Service, ServiceAccount, Deployment and everything else of the server. */
export const SERVER = 'muster';
/** ClusterRole of the server's Events, and its binding. */
export const SERVER_EVENTS = `${SERVER}-events`;
/** Job, CronJob, ServiceAccount and roles for certificates. */
export const CERTS = 'muster-certs';
/** CronJob, ServiceAccount and role of the scan; its reports too. */
export const SCAN = 'muster-scan';
/** ClusterRole of the scan's Events, bound in single namespaces only. */
export const SCAN_EVENTS = `${SCAN}-events`;
/** The Secret with `tls.crt`, `tls.key` and `ca.crt`. */
export const TLS_SECRET = 'muster-tls';
/** The ConfigMap with `muster.yaml`. */
export const CONFIG_MAP = 'muster-config';
/** Both webhook configurations, the validating and the mutating. */
export const WEBHOOKS = 'muster';
/** One Lease for each claim dialect, in the order of the catalogue. */
export const LEASES: readonly string[] = dialects.filter(({ claim }) => claim !== undefined).map(lockLeaseName);
/** On every object, so that all of muster can be found. */
export const LABELS: Readonly<Record<string, string>> = {
  'app.kubernetes.io/name': 'muster',
  'app.kubernetes.io/part-of': 'muster',
};
