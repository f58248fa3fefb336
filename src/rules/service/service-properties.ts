/**
 * Reads the properties of an exported service in one cluster: those of the ServiceExport and of the Service of its
 * name, with the defaults of the API server. (KEP-1645, "Exporting Services")
 */
import { asObject, at, isObject, type Json, type JsonObject, listAt, textAt } from '../../base/json.ts';
import { metadataOf, specOf } from '../../base/object.ts';
import { parseTime } from '../../base/syntax.ts';

/** A port as consumers see it: neither the target port nor the node port. */
export interface ServicePort {
  /** Empty if it has none. */
  readonly name: string;
  readonly protocol: string;
  readonly port: number;
  /** Empty if it has none. */
  readonly appProtocol: string;
}

export type ServiceType = 'ClusterSetIP' | 'Headless';

/** The properties of a Service; undefined if they are not known. */
export interface ServiceProperties {
  readonly type?: ServiceType | undefined;
  /** Sorted: the order in the Service does not matter. */
  readonly ports?: readonly ServicePort[] | undefined;
  readonly sessionAffinity?: string | undefined;
  /** Only with the session affinity ClientIP. */
  readonly timeoutSeconds?: number | undefined;
  readonly internalTrafficPolicy?: string | undefined;
  /** Empty if there is none. */
  readonly trafficDistribution?: string | undefined;
  /** A sorted set; undefined also if the Service leaves them to the cluster. */
  readonly ipFamilies?: readonly string[] | undefined;
}

/** The properties of a ServiceExport; undefined if they are not known. A map is the JSON of its sorted entries. */
export interface ExportProperties {
  readonly labels?: string | undefined;
  readonly annotations?: string | undefined;
}

/** All properties of a constituent. */
export interface Properties extends ServiceProperties, ExportProperties {}

const DEFAULT_TIMEOUT_SECONDS = 10_800;

/** Whether a Service is an ExternalName, which can't be exported. */
export function isExternalName(service: JsonObject): boolean {
  return textAt(service, ['spec', 'type']) === 'ExternalName';
}

/** Returns the properties of a Service. One with the wrong type is undefined. */
export function servicePropertiesOf(service: JsonObject): ServiceProperties {
  const spec = service['spec'] ?? {};
  if (!isObject(spec)) return {};
  return {
    type: typeOf(spec),
    ports: portsOf(spec),
    ...sessionAffinityOf(spec),
    internalTrafficPolicy: textOr(spec, 'internalTrafficPolicy', 'Cluster'),
    trafficDistribution: textOr(spec, 'trafficDistribution', ''),
    ipFamilies: familiesOf(spec),
  };
}

const READABLE = ['type', 'ports', 'sessionAffinity', 'internalTrafficPolicy', 'trafficDistribution'] as const;

/** Whether a property of a Service has the wrong type. IP families are not checked, since they are often left out. */
export function isPartlyUnknown(service: JsonObject): boolean {
  const properties = servicePropertiesOf(service);
  const isTimeoutUnknown = properties.sessionAffinity === 'ClientIP' && properties.timeoutSeconds === undefined;
  return isTimeoutUnknown || READABLE.some((property) => properties[property] === undefined);
}

/** Returns the properties of a ServiceExport. */
export function exportPropertiesOf(serviceExport: JsonObject): ExportProperties {
  const spec = specOf(serviceExport);
  return { labels: mapText(spec?.['exportedLabels']), annotations: mapText(spec?.['exportedAnnotations']) };
}

/** Returns when an object was created, in milliseconds since the epoch; undefined for a file without the time. */
export function createdAt(object: JsonObject): number | undefined {
  const time = metadataOf(object)?.['creationTimestamp'];
  return typeof time === 'string' ? parseTime(time) : undefined;
}

/** Returns the ports of a Service or of a ServiceImport; undefined if one of them can't be a port. */
export function portsOf(spec: JsonObject): readonly ServicePort[] | undefined {
  const ports = spec['ports'] ?? [];
  if (!Array.isArray(ports)) return undefined;
  const found = new Map<string, ServicePort>();
  for (const entry of ports) {
    const port = portOf(entry);
    if (port === undefined) return undefined;
    found.set(portKey(port), port);
  }
  return [...found.values()].sort(comparePorts);
}

/** Returns the session affinity of a Service or a ServiceImport; an empty one is absent. */
export function sessionAffinityOf(spec: JsonObject): Pick<ServiceProperties, 'sessionAffinity' | 'timeoutSeconds'> {
  const sessionAffinity = textOr(spec, 'sessionAffinity', 'None');
  return { sessionAffinity, timeoutSeconds: sessionAffinity === 'ClientIP' ? timeoutOf(spec) : undefined };
}

/** Returns a text that is equal for two ports exactly if they are the same for consumers. */
export function portKey({ name, protocol, port, appProtocol }: ServicePort): string {
  return JSON.stringify([name, protocol, port, appProtocol]);
}

function typeOf(spec: JsonObject): ServiceType | undefined {
  const clusterIP = at(spec, ['clusterIP']) ?? '';
  const first = at(spec, ['clusterIPs', 0]) ?? '';
  if (typeof clusterIP !== 'string' || typeof first !== 'string') return undefined;
  return clusterIP === 'None' || first === 'None' ? 'Headless' : 'ClusterSetIP';
}

function portOf(entry: Json): ServicePort | undefined {
  const of = asObject(entry);
  const port = of?.['port'];
  if (of === undefined || typeof port !== 'number') return undefined;
  const name = textOr(of, 'name', '');
  const protocol = textOr(of, 'protocol', 'TCP');
  const appProtocol = textOr(of, 'appProtocol', '');
  if (name === undefined || protocol === undefined || appProtocol === undefined) return undefined;
  return { name, protocol, port, appProtocol };
}

function comparePorts(a: ServicePort, b: ServicePort): number {
  return a.port - b.port || (portKey(a) < portKey(b) ? -1 : 1);
}

function timeoutOf(spec: JsonObject): number | undefined {
  const seconds = at(spec, ['sessionAffinityConfig', 'clientIP', 'timeoutSeconds']) ?? DEFAULT_TIMEOUT_SECONDS;
  return typeof seconds === 'number' ? seconds : undefined;
}

/**
 * Returns the families that the API server stores; undefined if they depend on the cluster. RequireDualStack means
 * both. With PreferDualStack the API server may add one, unless the Service was stored before, so that it has
 * `clusterIPs`.
 */
function familiesOf(spec: JsonObject): readonly string[] | undefined {
  const [families = [], policy] = [spec['ipFamilies'] ?? undefined, textOr(spec, 'ipFamilyPolicy', '')];
  if (policy === 'RequireDualStack') return BOTH_FAMILIES;
  if (!Array.isArray(families) || families.length === 0) return undefined;
  if (!families.every((family) => typeof family === 'string')) return undefined;
  const isOpen = policy === undefined || (policy === 'PreferDualStack' && listAt(spec, ['clusterIPs']).length === 0);
  return isOpen && families.length < BOTH_FAMILIES.length ? undefined : [...new Set(families)].sort();
}

const BOTH_FAMILIES = ['IPv4', 'IPv6'];

/** Returns a text, or `absent` if it is missing or empty; undefined if it is not a text. */
function textOr(of: JsonObject, key: string, absent: string): string | undefined {
  const value = of[key] ?? '';
  if (typeof value !== 'string') return undefined;
  return value === '' ? absent : value;
}

/** Returns the entries of a map as JSON, sorted by key; undefined if it is not a map. */
function mapText(map: Json | undefined): string | undefined {
  if ((map ?? undefined) === undefined) return EMPTY_MAP;
  if (!isObject(map)) return undefined;
  const entries = Object.entries(map).filter(([, value]) => value !== null);
  return JSON.stringify(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

const EMPTY_MAP = '[]';
