/**
 * The service that consumers get of its constituents, as KEP-1645 derives it. A pure module, in the order of the
 * proposal's chapter "Constraints and Conflict Resolution": which properties must agree ("Global Properties"), who wins
 * where they do not ("precedence based on each ServiceExport's creationTimestamp, from oldest to newest"), and the
 * union of the ports ("Service Port").
 */
import { type Properties, portKey, type ServicePort, type ServiceType } from './constituent.ts';

/** An export with the Service of its name, in one cluster. */
export interface Constituent {
  readonly cluster: string;
  /** Milliseconds since the epoch; undefined where the export does not say when it was created. */
  readonly created: number | undefined;
  /** Whether the run creates it: it is younger than all that were there before. */
  readonly isNew?: boolean;
  readonly properties: Properties;
}

/** The properties that must be consistent across all constituents. */
export const globalProperties = [
  'type',
  'ports',
  'sessionAffinity',
  'timeoutSeconds',
  'internalTrafficPolicy',
  'trafficDistribution',
  'ipFamilies',
  'labels',
  'annotations',
] as const satisfies readonly (keyof Properties)[];
export type GlobalProperty = (typeof globalProperties)[number];

/** The reasons of the condition `Conflict`. */
export const conflictReasons = {
  type: 'TypeConflict',
  ports: 'PortConflict',
  sessionAffinity: 'SessionAffinityConflict',
  timeoutSeconds: 'SessionAffinityConfigConflict',
  internalTrafficPolicy: 'InternalTrafficPolicyConflict',
  trafficDistribution: 'TrafficDistributionConflict',
  ipFamilies: 'IPFamilyConflict',
  labels: 'LabelsConflict',
  annotations: 'AnnotationsConflict',
} as const satisfies Readonly<Record<GlobalProperty, string>>;

/** Whether a property is one that implementations may leave out: "Exporting labels and annotations is optional". */
export function isMetadata(property: GlobalProperty): boolean {
  return property === 'labels' || property === 'annotations';
}

/** Whether a property is about the session affinity, which a headless service does not have. */
export function isAffinity(property: GlobalProperty): boolean {
  return property === 'sessionAffinity' || property === 'timeoutSeconds';
}

/** The service that consumers get, in one order of precedence. */
export interface DerivedService {
  /** The constituents, oldest first. */
  readonly order: readonly Constituent[];
  readonly type: ServiceType | undefined;
  /** In order of precedence. */
  readonly ports: readonly ServicePort[];
  /** Whether the ports of all constituents are known. */
  readonly arePortsKnown: boolean;
  /** Ports that some constituents have and consumers don't get. */
  readonly dropped: readonly DroppedPort[];
  readonly sessionAffinity: string | undefined;
  readonly timeoutSeconds: number | undefined;
  readonly internalTrafficPolicy: string | undefined;
  readonly trafficDistribution: string | undefined;
}

/** A port that another one takes the name, or the protocol and number of. */
interface DroppedPort {
  readonly port: ServicePort;
  /** The clusters whose Service has the port. */
  readonly clusters: readonly string[];
}

/**
 * Returns a text of what a constituent says on a property, which two share exactly if they agree; undefined: nothing,
 * or it is not known.
 */
export function valueKey({ properties }: Constituent, property: GlobalProperty): string | undefined {
  if (property === 'ports') return properties.ports && JSON.stringify(properties.ports.map(portKey));
  const value = properties[property];
  return value === undefined ? undefined : Array.isArray(value) ? value.join() : String(value);
}

/** Whether a constituent says everything that is compared, as one whose Service an API server has stored does. */
export function saysAll(constituent: Constituent): boolean {
  // A timeout belongs to ClientIP alone.
  const compared = globalProperties.filter((property) => property !== 'timeoutSeconds');
  return compared.every((property) => valueKey(constituent, property) !== undefined);
}

/**
 * Returns the properties with "conflicting values that can not simply be merged", each with the constituents that say
 * something on it, by what they say. What consumers of a headless service never see is left out.
 */
export function conflictsAmong(
  constituents: readonly Constituent[],
): ReadonlyMap<GlobalProperty, ReadonlyMap<string, readonly Constituent[]>> {
  const conflicts = new Map<GlobalProperty, ReadonlyMap<string, readonly Constituent[]>>();
  for (const property of globalProperties) {
    const byValue = Map.groupBy(constituents, (constituent) => valueKey(constituent, property));
    byValue.delete(undefined);
    if (byValue.size < 2) continue;
    // "Session affinity affects a service as a whole for a given consumer", which a headless service does not route.
    if (isAffinity(property) && isCertainlyHeadless(constituents)) continue;
    conflicts.set(property, byValue as Map<string, readonly Constituent[]>);
  }
  return conflicts;
}

/** Whether the derived service is headless, whoever of those that may win does. */
export function isCertainlyHeadless(constituents: readonly Constituent[]): boolean {
  const first = possiblyOldest(constituents);
  return first.length > 0 && first.every(({ properties }) => properties.type === 'Headless');
}

/**
 * Returns the constituents that may have precedence over all others: the one with the earliest creation. Those with
 * equal times, and those without one, may each be it; those that are new only where all are.
 */
export function possiblyOldest<Of extends Pick<Constituent, 'created' | 'isNew'>>(
  constituents: readonly Of[],
): readonly Of[] {
  const existing = constituents.filter(({ isNew }) => !isNew);
  // The time that a file says of an export that is created does not count.
  if (existing.length === 0) return constituents;
  const earliest = existing.reduce((least, { created = Infinity }) => Math.min(least, created), Infinity);
  return existing.filter(({ created }) => created === undefined || created === earliest);
}

/** As many as five different constituents without times have. */
const MOST_ORDERS = 120;

/**
 * Returns an order for each outcome that is possible: one, where all were created at different times. If there are more
 * than 120, each that may be there has only the first open place in turn.
 * @param kindOf returns a text that two share if it makes no difference which of them is older; by default all they say
 */
export function possibleOrders<Of extends Constituent>(
  constituents: readonly Of[],
  kindOf: (one: Of) => string = constituentKey,
): readonly (readonly Of[])[] {
  const kinds = new Map(constituents.map((one) => [one, kindOf(one)]));
  const inOrder = constituents.toSorted((a, b) => (a.cluster < b.cluster ? -1 : 1));
  const all: (readonly Of[])[] = [];
  for (const order of ordersOf(inOrder, kinds, Infinity)) {
    if (all.length === MOST_ORDERS) return [...ordersOf(inOrder, kinds, 1)];
    all.push(order);
  }
  return all;
}

/**
 * @param places how many open places, from the oldest on, each that may be there gets in turn
 * @param placed the kinds of those that are older: another one of such a kind changes nothing
 */
function* ordersOf<Of extends Constituent>(
  left: readonly Of[],
  kinds: ReadonlyMap<Of, string>,
  places: number,
  placed: ReadonlySet<string | undefined> = new Set(),
): Generator<readonly Of[], undefined, undefined> {
  if (left.length === 0) {
    yield [];
    return;
  }
  const candidates = possiblyOldest(left);
  const without = (some: readonly Of[]) => left.filter((one) => !some.includes(one));
  const known = candidates.filter((one) => placed.has(kinds.get(one)));
  if (known.length > 0) {
    for (const order of ordersOf(without(known), kinds, places, placed)) yield [...known, ...order];
    return;
  }
  // Of those that say the same, nothing depends on which is the oldest.
  const byKind = [...Map.groupBy(candidates, (one) => kinds.get(one))];
  const isOpen = byKind.length > 1;
  for (const [kind, same] of byKind.slice(0, places > 0 ? byKind.length : 1)) {
    const orders = ordersOf(without(same), kinds, isOpen ? places - 1 : places, new Set([...placed, kind]));
    for (const order of orders) yield [...same, ...order];
  }
}

/**
 * Returns the clusters whose export may be at a place in one of these orders, from 0 for the oldest: those that say the
 * same, and may have been created as early, are in its place in other orders.
 * @param kindOf as for `possibleOrders`
 */
export function clustersAt<Of extends Constituent>(
  orders: readonly (readonly Of[])[],
  place: number,
  kindOf: (one: Of) => string = constituentKey,
): readonly string[] {
  // Many orders differ only after the place.
  const different = new Map(orders.map((order) => [clustersIn(order.slice(0, place + 1)).join('\n'), order]));
  const clusters = [...different.values()].flatMap((order) => {
    const at = order[place];
    if (at === undefined) return [];
    const kind = kindOf(at);
    return clustersIn(possiblyOldest(order.slice(place)).filter((one) => kindOf(one) === kind));
  });
  return [...new Set(clusters)].sort();
}

/** Returns the clusters of constituents. */
export function clustersIn(constituents: readonly Constituent[]): readonly string[] {
  return constituents.map(({ cluster }) => cluster);
}

/** Returns a text of all that a constituent says, which two share exactly if they agree in everything. */
export function constituentKey(constituent: Constituent): string {
  return JSON.stringify(globalProperties.map((property) => valueKey(constituent, property) ?? null));
}

/** Derives the service of constituents, oldest first. */
export function derive(order: readonly Constituent[]): DerivedService {
  const { ports, dropped } = unionOf(order);
  // "decided according to the conflict resolution policy": the oldest one's value counts.
  const { type, sessionAffinity, timeoutSeconds, internalTrafficPolicy, trafficDistribution } =
    order[0]?.properties ?? {};
  const isHeadless = type === 'Headless';
  return {
    order,
    type,
    ports,
    arePortsKnown: order.every(({ properties }) => properties.ports !== undefined),
    dropped,
    sessionAffinity: isHeadless ? undefined : sessionAffinity,
    timeoutSeconds: isHeadless ? undefined : timeoutSeconds,
    internalTrafficPolicy,
    trafficDistribution,
  };
}

/**
 * "The union of service ports declared on its constituent services", merged "first based on port name then by the
 * protocol and port number pair": no name twice, the empty one too, and no protocol and number twice.
 */
function unionOf(order: readonly Constituent[]): Pick<DerivedService, 'ports' | 'dropped'> {
  const ports: ServicePort[] = [];
  const dropped = new Map<string, { readonly port: ServicePort; readonly clusters: string[] }>();
  const taken = new Set<string>();
  const kept = new Set<string>();
  for (const { cluster, properties } of order) {
    for (const port of properties.ports ?? []) {
      const text = portKey(port);
      if (kept.has(text)) continue;
      const keys = [`name ${port.name}`, `number ${port.protocol} ${port.port}`];
      if (keys.some((key) => taken.has(key))) {
        const known = dropped.get(text) ?? { port, clusters: [] };
        known.clusters.push(cluster);
        dropped.set(text, known);
        continue;
      }
      for (const key of keys) taken.add(key);
      kept.add(text);
      ports.push(port);
    }
  }
  return { ports, dropped: [...dropped.values()].map(({ port, clusters }) => ({ port, clusters: clusters.sort() })) };
}

/** Returns the properties of two derived services that consumers see differ, as far as both are known. */
export function differencesForConsumers(one: DerivedService, other: DerivedService): readonly GlobalProperty[] {
  const properties = [
    'type',
    'sessionAffinity',
    'timeoutSeconds',
    'internalTrafficPolicy',
    'trafficDistribution',
  ] as const;
  const differs = (a: unknown, b: unknown) => a !== undefined && b !== undefined && a !== b;
  const differing: GlobalProperty[] = properties.filter((property) => differs(one[property], other[property]));
  const portsOf = ({ ports }: DerivedService) => JSON.stringify(ports.map(portKey).sort());
  const haveOtherPorts = one.arePortsKnown && other.arePortsKnown && portsOf(one) !== portsOf(other);
  return haveOtherPorts ? [...differing, 'ports'] : differing;
}
