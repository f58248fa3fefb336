/** Pairs of one Service in two clusters, and what Cilium v1.19.0 makes of each: seen, not read in its documentation. */

/** What one cluster has of a service: the spec of its Service, if there is one, and the spec of its export. */
export interface Half {
  readonly service?: object;
  readonly exported?: object;
}

export interface Pair {
  /** Of both Services. */
  readonly name: string;
  readonly title: string;
  /** In the cluster `east`, which exports first. */
  readonly older: Half;
  /** In the cluster `west`. */
  readonly newer: Half;
  /** The reason of the condition `Conflict` on both exports; without it, the condition is false. */
  readonly conflict?: string;
  /** The import in both clusters, as `TYPE NAME:PROTOCOL/PORT …`. */
  readonly imported?: string;
  /** The import once the export in `east` is gone; without it, the same one. */
  readonly later?: string;
  /** The reason for which the condition `Valid` of an export is false. */
  readonly invalid?: { readonly cluster: 'east' | 'west'; readonly reason: string };
  /** What muster finds where that is not the one reason that Cilium gives, and why. */
  readonly muster?: {
    readonly reasons: readonly string[];
    readonly why: string;
    /**
     * Whether one of both finds a conflict, and the other none: then a scan reports that the conditions are not right.
     */
    readonly isUnreported?: boolean;
  };
}

/** Returns the reasons that muster has to find on the exports of a pair. */
export function reasonsOf({ conflict, muster }: Pair): readonly string[] {
  return muster?.reasons ?? (conflict === undefined ? [] : [conflict]);
}

const http = { name: 'http', port: 80 };
const admin = { name: 'admin', port: 9000 };
const spec = (more: object = {}) => ({ selector: { app: 'shop' }, ports: [http], ...more });
const service = (more: object = {}): Half => ({ service: spec(more) });
const ports = (...list: readonly object[]): Half => service({ ports: list });
const exported = (more: object): Half => ({ ...service(), exported: more });
const HEADLESS = { clusterIP: 'None' };
const dualStack = (...ipFamilies: readonly string[]) => service({ ipFamilyPolicy: 'RequireDualStack', ipFamilies });
const clientIp = (timeoutSeconds: number) => ({
  sessionAffinity: 'ClientIP',
  sessionAffinityConfig: { clientIP: { timeoutSeconds } },
});

const HTTP = 'ClusterSetIP http:TCP/80';

export const PAIRS: readonly Pair[] = [
  { name: 'same', title: 'no difference', older: service(), newer: service(), imported: HTTP },
  {
    name: 'type',
    title: 'the type',
    older: service(),
    newer: service(HEADLESS),
    conflict: 'TypeConflict',
    imported: HTTP,
    later: 'Headless http:TCP/80',
  },
  {
    name: 'port',
    title: 'the number of a port',
    older: service(),
    newer: ports({ ...http, port: 8080 }),
    conflict: 'PortConflict',
    imported: HTTP,
    later: 'ClusterSetIP http:TCP/8080',
  },
  {
    name: 'more-ports',
    title: 'one port more',
    older: service(),
    newer: ports(http, admin),
    conflict: 'PortConflict',
    imported: 'ClusterSetIP admin:TCP/9000 http:TCP/80',
  },
  {
    name: 'protocol',
    title: 'the protocol of a port',
    older: ports({ name: 'dns', port: 53 }),
    newer: ports({ name: 'dns', port: 53, protocol: 'UDP' }),
    conflict: 'PortConflict',
    imported: 'ClusterSetIP dns:TCP/53',
    later: 'ClusterSetIP dns:UDP/53',
  },
  {
    name: 'port-name',
    title: 'the name of a port',
    older: service(),
    newer: ports({ name: 'web', port: 80 }),
    conflict: 'PortConflict',
    imported: HTTP,
    later: 'ClusterSetIP web:TCP/80',
  },
  {
    name: 'app-protocol',
    title: 'the application protocol of a port',
    older: ports({ ...http, appProtocol: 'http' }),
    newer: ports({ ...http, appProtocol: 'kubernetes.io/h2c' }),
    conflict: 'PortConflict',
    imported: HTTP,
  },
  {
    name: 'crossed',
    title: 'names and numbers of several ports',
    older: ports({ name: 'a', port: 1001 }, { name: 'b', port: 1002 }),
    newer: ports({ name: 'a', port: 1002 }, { name: 'c', port: 1001 }, { name: 'd', port: 1003 }),
    conflict: 'PortConflict',
    imported: 'ClusterSetIP a:TCP/1001 b:TCP/1002 d:TCP/1003',
    later: 'ClusterSetIP a:TCP/1002 c:TCP/1001 d:TCP/1003',
  },
  {
    name: 'reordered',
    title: 'the order of the ports',
    older: ports(http, admin),
    newer: ports(admin, http),
    conflict: 'PortConflict',
    imported: 'ClusterSetIP admin:TCP/9000 http:TCP/80',
    muster: {
      reasons: [],
      why: 'The order of ports means nothing: consumers get the same service.',
      isUnreported: true,
    },
  },
  {
    name: 'affinity',
    title: 'the session affinity',
    older: service(),
    newer: service(clientIp(10_800)),
    conflict: 'SessionAffinityConflict',
    imported: HTTP,
  },
  {
    name: 'affinity-timeout',
    title: 'the timeout of the session affinity',
    older: service(clientIp(10)),
    newer: service(clientIp(60)),
    conflict: 'SessionAffinityConfigConflict',
    imported: HTTP,
  },
  {
    name: 'affinity-default',
    title: 'the default timeout, written in one of them',
    older: service({ sessionAffinity: 'ClientIP' }),
    newer: service(clientIp(10_800)),
    imported: HTTP,
  },
  {
    name: 'headless-affinity',
    title: 'the session affinity of two headless Services',
    older: service(HEADLESS),
    newer: service({ ...HEADLESS, ...clientIp(10) }),
    conflict: 'SessionAffinityConflict',
    imported: 'Headless http:TCP/80',
    muster: {
      reasons: [],
      why: 'A headless service has no session affinity: the field is ignored there.',
      isUnreported: true,
    },
  },
  {
    name: 'internal-traffic',
    title: 'the internal traffic policy',
    older: service(),
    newer: service({ internalTrafficPolicy: 'Local' }),
    conflict: 'InternalTrafficPolicyConflict',
    imported: HTTP,
  },
  {
    name: 'traffic-distribution',
    title: 'the traffic distribution',
    older: service(),
    newer: service({ trafficDistribution: 'PreferSameZone' }),
    conflict: 'TrafficDistributionConflict',
    imported: HTTP,
  },
  {
    name: 'ip-families',
    title: 'IPv4 and IPv6, no family in common',
    older: service({ ipFamilies: ['IPv4'] }),
    newer: service({ ipFamilies: ['IPv6'] }),
    conflict: 'IPFamilyConflict',
    imported: HTTP,
  },
  {
    name: 'dual-stack',
    title: 'IPv4 and IPv6 beside IPv4 alone',
    older: dualStack('IPv4', 'IPv6'),
    newer: service({ ipFamilies: ['IPv4'] }),
    imported: HTTP,
    muster: {
      reasons: ['IPFamilyConflict'],
      why: 'Cilium imports the families that all have. Another implementation may import both, and IPv6 then reaches one cluster only.',
      isUnreported: true,
    },
  },
  {
    name: 'families-order',
    title: 'the order of two IP families',
    older: dualStack('IPv4', 'IPv6'),
    newer: dualStack('IPv6', 'IPv4'),
    imported: HTTP,
  },
  {
    name: 'labels',
    title: 'exported labels',
    older: exported({ exportedLabels: { tier: 'gold' } }),
    newer: exported({ exportedLabels: { tier: 'silver' } }),
    conflict: 'LabelsConflict',
    imported: HTTP,
  },
  {
    name: 'annotations',
    title: 'exported annotations',
    older: exported({ exportedAnnotations: { owner: 'a' } }),
    newer: service(),
    conflict: 'AnnotationsConflict',
    imported: HTTP,
  },
  {
    name: 'node-port',
    title: 'ClusterIP and NodePort',
    older: service(),
    newer: service({ type: 'NodePort' }),
    imported: HTTP,
  },
  {
    name: 'type-and-port',
    title: 'the type and a port',
    older: service(),
    newer: service({ ...HEADLESS, ports: [{ ...http, port: 8080 }] }),
    conflict: 'PortConflict',
    imported: HTTP,
    later: 'Headless http:TCP/8080',
    muster: { reasons: ['PortConflict', 'TypeConflict'], why: 'Cilium gives one reason, ports before all others.' },
  },
  {
    name: 'affinity-and-labels',
    title: 'the session affinity and exported labels',
    older: exported({ exportedLabels: { tier: 'gold' } }),
    newer: service(clientIp(10)),
    conflict: 'SessionAffinityConflict',
    imported: HTTP,
    muster: { reasons: ['LabelsConflict', 'SessionAffinityConflict'], why: 'Cilium gives one reason.' },
  },
  {
    name: 'no-service',
    title: 'no Service beside the newer export',
    older: service(),
    newer: {},
    imported: HTTP,
    invalid: { cluster: 'west', reason: 'NoService' },
  },
  {
    name: 'external-name',
    title: 'an ExternalName beside the newer export',
    older: service(),
    newer: { service: { type: 'ExternalName', externalName: 'shop.example' } },
    imported: HTTP,
    invalid: { cluster: 'west', reason: 'InvalidServiceType' },
  },
  {
    name: 'no-older-service',
    title: 'no Service beside the older export',
    older: {},
    newer: service(),
    invalid: { cluster: 'east', reason: 'NoService' },
  },
];
