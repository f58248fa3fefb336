/**
 * Derives the service that consumers get from its constituents, as KEP-1645 says in "Constraints and Conflict
 * Resolution": which properties must agree ("Global Properties"), which constituent wins otherwise ("precedence based
 * on each ServiceExport's creationTimestamp, from oldest to newest"), and the union of the ports ("Service Port").
 */
import { getOrInsert } from '../../base/collections.ts';
import { type Properties, portKey, type ServicePort, type ServiceType } from './service-properties.ts';

/** An export with the Service of its name, in one cluster. */
export interface Constituent {
  readonly cluster: string;
  /** When the export was created, in milliseconds since the epoch; undefined for a file without the time. */
  readonly created: number | undefined;
  /** Whether the run creates the export, so that it is younger than all that existed before. */
  readonly isNew?: boolean;
  readonly properties: Properties;
}

/** The properties that must be consistent across all constituents, each with the reason of the condition `Conflict`. */
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
} as const satisfies Readonly<Record<keyof Properties, string>>;
export type GlobalProperty = keyof typeof conflictReasons;
export const globalProperties = Object.keys(conflictReasons) as readonly GlobalProperty[];

/** Whether a property is optional for implementations: "Exporting labels and annotations is optional". */
export function isMetadata(property: GlobalProperty): boolean {
  return property === 'labels' || property === 'annotations';
}

/** Whether a property is about the session affinity, which a headless service does not have. */
export function isAffinity(property: GlobalProperty): boolean {
  return property === 'sessionAffinity' || property === 'timeoutSeconds';
}

/** The service that consumers get, for one order of precedence. */
export interface DerivedService {
  /** The constituents, oldest first. */
  readonly order: readonly Constituent[];
  readonly type: ServiceType | undefined;
  /** In order of precedence. */
  readonly ports: readonly ServicePort[];
  /** Whether the ports of all constituents are known. */
  readonly arePortsKnown: boolean;
  /** Ports of some constituents that consumers don't get. */
  readonly dropped: readonly DroppedPort[];
  readonly sessionAffinity: string | undefined;
  readonly timeoutSeconds: number | undefined;
  readonly internalTrafficPolicy: string | undefined;
  readonly trafficDistribution: string | undefined;
}

/** A port that is dropped, since another one has its name, or its protocol and number. */
interface DroppedPort {
  readonly port: ServicePort;
  /** The clusters whose Service has the port. */
  readonly clusters: readonly string[];
}

/**
 * Returns a text that is equal for two constituents exactly if they agree in a property; undefined if a constituent
 * does not set it, or it is not known.
 */
export function valueKey({ properties }: Constituent, property: GlobalProperty): string | undefined {
  if (property === 'ports') return properties.ports && JSON.stringify(properties.ports.map(portKey));
  const value = properties[property];
  return value === undefined ? undefined : Array.isArray(value) ? value.join() : String(value);
}

/** Whether all properties that are compared are known. They are, once an API server has stored the Service. */
export function isFullyKnown(constituent: Constituent): boolean {
  // Only ClientIP has a timeout.
  const compared = globalProperties.filter((property) => property !== 'timeoutSeconds');
  return compared.every((property) => valueKey(constituent, property) !== undefined);
}

/**
 * Returns the properties with "conflicting values that can not simply be merged", each with the constituents whose
 * value is known, grouped by value. Properties that consumers of a headless service never see are left out.
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

/** Whether the derived service is headless, whichever constituent wins. */
function isCertainlyHeadless(constituents: readonly Constituent[]): boolean {
  return possiblyOldest(constituents).every(({ properties }) => properties.type === 'Headless');
}

/**
 * Returns the constituents that may be the oldest: those with the earliest time, and those without a time. New ones are
 * among them only if all are new.
 */
export function possiblyOldest<Of extends Pick<Constituent, 'created' | 'isNew'>>(
  constituents: readonly Of[],
): readonly Of[] {
  const existing = constituents.filter(({ isNew }) => !isNew);
  // The API server sets the time of a new export, so a time in its file does not count.
  if (existing.length === 0) return constituents;
  const earliest = existing.reduce((least, { created = Infinity }) => Math.min(least, created), Infinity);
  return existing.filter(({ created }) => created === undefined || created === earliest);
}

/** The number of orders of five different constituents without times. */
const MOST_ORDERS = 120;

/**
 * Returns an order for each possible outcome: only one if all were created at different times. If there are more than
 * MOST_ORDERS, only the first undecided place is varied.
 * @param keyOf returns a text that is equal for two constituents if it does not matter which of them is older; by
 *   default, all their properties
 */
export function possibleOrders<Of extends Constituent>(
  constituents: readonly Of[],
  keyOf: (one: Of) => string = constituentKey,
): readonly (readonly Of[])[] {
  const keys = new Map(constituents.map((one) => [one, keyOf(one)]));
  const inOrder = constituents.toSorted((a, b) => (a.cluster < b.cluster ? -1 : 1));
  const all: (readonly Of[])[] = [];
  // Each undecided place that is varied adds an order at least.
  for (const order of ordersOf(inOrder, keys, MOST_ORDERS)) {
    if (all.length === MOST_ORDERS) return [...ordersOf(inOrder, keys, 1)];
    all.push(order);
  }
  return all;
}

/**
 * Yields the orders of the constituents in `all`.
 * @param places how many undecided places are varied, beginning with the oldest
 * @param placed the keys of older constituents: a further one with such a key changes nothing
 */
function* ordersOf<Of extends Constituent>(
  all: readonly Of[],
  keys: ReadonlyMap<Of, string>,
  places: number,
  placed: ReadonlySet<string | undefined> = new Set(),
): Generator<readonly Of[], undefined, undefined> {
  const order: Of[] = [];
  const seen = new Set(placed);
  for (let left = all; left.length > 0; ) {
    const candidates = possiblyOldest(left);
    const known = candidates.filter((one) => seen.has(keys.get(one)));
    // For constituents with equal keys it does not matter which is the oldest.
    const groups = known.length > 0 ? [known] : [...Map.groupBy(candidates, (one) => keys.get(one)).values()];
    if (groups.length > 1 && places > 0) {
      for (const same of groups) {
        const older = new Set([...seen, ...same.map((one) => keys.get(one))]);
        for (const rest of ordersOf(leftWithout(left, same), keys, places - 1, older))
          yield [...order, ...same, ...rest];
      }
      return;
    }
    // If all that are left may be the oldest, they are in the order of their groups.
    const next = candidates.length === left.length ? groups.flat() : (groups[0] ?? []);
    for (const one of next) {
      seen.add(keys.get(one));
      order.push(one);
    }
    left = leftWithout(left, next);
  }
  yield order;
}

function leftWithout<Of>(left: readonly Of[], some: readonly Of[]): readonly Of[] {
  const removed = new Set(some);
  return left.filter((one) => !removed.has(one));
}

/**
 * Returns the clusters whose export may be at a place (0 for the oldest) in one of these orders. An order stands for
 * others, in which constituents with an equal key change places.
 * @param keyOf as for `possibleOrders`
 */
export function clustersAt<Of extends Constituent>(
  orders: readonly (readonly Of[])[],
  place: number,
  keyOf: (one: Of) => string = constituentKey,
): readonly string[] {
  // Many orders differ only after this place.
  const different = new Map(orders.map((order) => [clustersIn(order.slice(0, place + 1)).join('\n'), order]));
  const keys = new Map(orders[0]?.map((one) => [one, keyOf(one)]));
  const clusters = [...different.values()].flatMap((order) => {
    const at = order[place];
    if (at === undefined) return [];
    return clustersIn(possiblyOldest(order.slice(place)).filter((one) => keys.get(one) === keys.get(at)));
  });
  return [...new Set(clusters)].sort();
}

/** Returns the clusters of constituents. */
export function clustersIn(constituents: readonly Constituent[]): readonly string[] {
  return constituents.map(({ cluster }) => cluster);
}

/** Returns a text that is equal for two constituents exactly if they agree in all properties. */
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
        getOrInsert(dropped, text, () => ({ port, clusters: [] })).clusters.push(cluster);
        continue;
      }
      for (const key of keys) taken.add(key);
      kept.add(text);
      ports.push(port);
    }
  }
  return { ports, dropped: [...dropped.values()].map(({ port, clusters }) => ({ port, clusters: clusters.sort() })) };
}

/** Returns the properties in which two derived services differ for consumers, as far as both are known. */
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
