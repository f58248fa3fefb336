/**
 * The facts that all rules on services across clusters share: exports, imports, Services and claims of the clusters of
 * a run. From them, `fleetServicesOf` finds the services of the fleet, by ClusterSet, namespace and name.
 */
import { claimDialects, type Dialect, serviceExport, serviceImport } from '../../api/dialects.ts';
import { type SupportingKind, service } from '../../api/supporting-kinds.ts';
import { getOrInsert } from '../../base/collections.ts';
import { isObject, type JsonObject, listAt, textAt } from '../../base/json.ts';
import { isStatusWritten, isTerminating, specOf } from '../../base/object.ts';
import { isBlank, parseTime } from '../../base/syntax.ts';
import { isId, isMembership } from '../claim/claim-fields.ts';
import { identityFact } from '../claim/shared-ids.ts';
import {
  type ComparedClusters,
  type ComparedObject,
  type Conflict,
  NAME,
  type ObjectComparison,
  type ObjectFact,
} from '../rule.ts';
import type { Constituent } from './derivation.ts';
import {
  createdAt,
  type ExportProperties,
  exportPropertiesOf,
  isExternalName,
  portsOf,
  type ServiceProperties,
  servicePropertiesOf,
  sessionAffinityOf,
} from './service-properties.ts';

/** A condition of an export. */
export interface Condition {
  readonly type: string;
  readonly status: string;
  /** When the status last changed, in milliseconds since the epoch. */
  readonly changed: number | undefined;
}

interface ExportFact extends ExportProperties {
  readonly created: number | undefined;
  readonly isTerminating: boolean;
  readonly conditions: readonly Condition[];
  /** Whether the export has any status. */
  readonly hasStatus: boolean;
}

interface ImportFact extends Pick<ServiceProperties, 'ports' | 'sessionAffinity' | 'timeoutSeconds'> {
  readonly type: string | undefined;
  /** The names in `status.clusters`; undefined where it names none, or not those of today. */
  readonly clusters: readonly string[] | undefined;
}

type ServiceFact = ExportFact | ImportFact | string;
type Kind = Dialect | SupportingKind;
type Kept = readonly ObjectFact<ServiceFact, Kind>[];
type KeptFacts = ComparedClusters & {
  readonly kept: Kept;
  /** Whether the run includes every cluster of its ClusterSets. */
  readonly isComplete?: boolean;
  /** The state before the run; undefined if it is not known. */
  readonly before?: (ComparedClusters & { readonly kept: Kept }) | undefined;
};

/** A ServiceExport of a cluster, with what is known of its Service. */
export interface Export extends ObjectFact<ExportFact> {
  readonly service: ServiceState;
  /** Undefined if nothing is exported. */
  readonly constituent: Constituent | undefined;
}

/** Returns the constituents of a service: its exports that export something. */
export function constituentsIn(exports: readonly Export[]): readonly Constituent[] {
  return exports.flatMap(({ constituent }) => constituent ?? []);
}

/** Whether a condition is true. */
export function isTrue(conditions: readonly Condition[], type: 'Valid' | 'Conflict'): boolean {
  return conditions.some((condition) => condition.type === type && condition.status === 'True');
}

/** Whether the run deletes an export that existed before, also if its finalizers delay the deletion. */
export function isDeleted(
  { object: { cluster, namespace, name }, fact }: Export,
  before: FleetServices | undefined,
): boolean {
  return fact.isTerminating && before?.exportOf(cluster, namespace, name)?.fact.isTerminating === false;
}

/** What is known of the Service of an export. */
export type ServiceState =
  | { readonly kind: 'known' | 'external name'; readonly object: ComparedObject<SupportingKind> }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unknown'; readonly reason: string };

/** A ServiceImport of a cluster. */
export type Import = ObjectFact<ImportFact>;

/** All exports of one namespace and name in the clusters of one ClusterSet. */
export interface ExportedService {
  /** Empty if no claim names a ClusterSet: then all clusters are treated as members of one. */
  readonly clusterSet: string;
  readonly namespace: string;
  readonly name: string;
  /** Ordered by cluster; includes exports that are not constituents. */
  readonly exports: readonly Export[];
}

/** The services of a run at one time. */
export interface FleetServices extends ComparedClusters {
  /** All exports, also of clusters in no ClusterSet. */
  readonly exports: readonly Export[];
  readonly imports: readonly Import[];
  /** The services of all ClusterSets. */
  readonly services: readonly ExportedService[];
  /** Whether the run includes every cluster of the ClusterSets, and the membership of each of its clusters is known. */
  readonly isComplete: boolean;
  /** Returns the ClusterSets of a cluster: those that its claims name, `['']` where no cluster's claims name any. */
  clusterSetsOf(cluster: string): readonly string[];
  /** Returns the clusters of a ClusterSet. */
  membersOf(clusterSet: string): readonly string[];
  /** Returns the ids in a cluster's claims. */
  idsOf(cluster: string): readonly string[];
  serviceOf(clusterSet: string, namespace: string, name: string): ExportedService | undefined;
  exportOf(cluster: string, namespace: string, name: string): Export | undefined;
  importOf(cluster: string, namespace: string, name: string): Import | undefined;
}

export type ServiceComparison = ObjectComparison<ServiceFact, Kind>;

/**
 * Returns a comparison for a rule on services across clusters.
 * @param conflictsIn finds the conflicts in a fleet. `before`: the fleet before the run, undefined if it is not known.
 *   `now`: milliseconds since the epoch
 */
export function compareServices(
  options: Pick<ServiceComparison, 'acrossOnly' | 'points' | 'ratchets'>,
  conflictsIn: (fleet: FleetServices, before: FleetServices | undefined, now: number) => readonly Conflict[],
): ServiceComparison {
  return {
    kinds: [serviceExport, serviceImport, service, ...claimDialects],
    factOf: serviceFactOf,
    ...options,
    conflicts(kept, run) {
      const before = run.before && fleetServicesOf(run.before);
      return conflictsIn(fleetServicesOf({ ...run, kept }), before, run.now);
    },
  };
}

/** Keeps the properties of a Service as text, which is parsed once for all clusters that have the same one. */
function serviceFactOf(object: JsonObject, compared: ComparedObject<Kind>): ServiceFact | undefined {
  const { dialect } = compared;
  if (dialect.name === serviceExport.name) return exportFact(object);
  if (dialect.name === serviceImport.name) return isAboutOtherService(object) ? undefined : importFact(object);
  if (dialect.concept === 'claim') return identityFact(object, compared as ComparedObject);
  return isExternalName(object) ? EXTERNAL_NAME : JSON.stringify(servicePropertiesOf(object));
}

const EXTERNAL_NAME = 'ExternalName';

const fleets = new WeakMap<Kept, FleetServices>();

/** Returns the services that follow from facts. The result is kept, since several rules share the facts. */
export function fleetServicesOf(facts: KeptFacts): FleetServices {
  return getOrInsert(fleets, facts.kept, () => createFleetServices(facts));
}

function createFleetServices(facts: KeptFacts): FleetServices {
  const { kept, clusters, unread, hasNamespace, isComplete = false } = facts;
  const { clusterSetsOf, idsOf, areKnown } = readMemberships(facts);
  const exports = readExports(facts);
  const imports: readonly Import[] = ofKind<ImportFact>(kept, serviceImport.name);
  const services = new Map<string, ExportedService & { readonly exports: Export[] }>();
  const serviceKey = (...names: readonly [clusterSet: string, namespace: string, name: string]) =>
    JSON.stringify(names);
  for (const one of exports) {
    const { cluster, namespace, name } = one.object;
    for (const clusterSet of clusterSetsOf(cluster)) {
      const key = serviceKey(clusterSet, namespace, name);
      getOrInsert(services, key, () => ({ clusterSet, namespace, name, exports: [] })).exports.push(one);
    }
  }
  const exportsByKey = new Map(exports.map((one) => [keyOf(one.object), one]));
  const importsByKey = new Map(imports.map((one) => [keyOf(one.object), one]));
  return {
    clusters,
    unread,
    hasNamespace,
    exports,
    imports,
    services: [...services.values()],
    isComplete: isComplete && areKnown,
    clusterSetsOf,
    membersOf: (clusterSet) => clusters.filter((cluster) => clusterSetsOf(cluster).includes(clusterSet)),
    idsOf,
    serviceOf: (clusterSet, namespace, name) => services.get(serviceKey(clusterSet, namespace, name)),
    exportOf: (cluster, namespace, name) => exportsByKey.get(keyOf({ cluster, namespace, name })),
    importOf: (cluster, namespace, name) => importsByKey.get(keyOf({ cluster, namespace, name })),
  };
}

/** The ClusterSets and ids of the clusters of a run, by their claims. */
interface Memberships extends Pick<FleetServices, 'clusterSetsOf' | 'idsOf'> {
  /** Whether it is known of each cluster if it is a member of a ClusterSet. */
  readonly areKnown: boolean;
}

function readMemberships({ kept, clusters, unread }: KeptFacts): Memberships {
  const claims = kept.filter(({ object }) => object.dialect.concept === 'claim') as readonly ObjectFact<string>[];
  const claimed = Map.groupBy(claims, ({ object }) => object.cluster);
  const valuesOf = (cluster: string, isWanted: (claim: ComparedObject) => boolean) => {
    const values = (claimed.get(cluster) ?? []).filter(({ object, fact }) => isWanted(object) && !isBlank(fact));
    return [...new Set(values.map(({ fact }) => fact))];
  };
  const sets = new Map(clusters.map((cluster) => [cluster, valuesOf(cluster, isMembership)]));
  // No claim names a ClusterSet.
  const isOne = [...sets.values()].every((names) => names.length === 0);
  // No claim of the cluster is known, and not all could be read.
  const mayBeMember = (cluster: string) =>
    !claimed.has(cluster) && claimDialects.some((dialect) => unread(cluster, dialect) !== undefined);
  return {
    clusterSetsOf: (cluster) => (isOne ? ONE_CLUSTER_SET : (sets.get(cluster) ?? [])),
    idsOf: (cluster) => valuesOf(cluster, isId),
    areKnown: isOne || !clusters.some(mayBeMember),
  };
}

function readExports({ kept, unread, before }: KeptFacts): readonly Export[] {
  const services = new Map(ofKind<string, SupportingKind>(kept, service.name).map((one) => [keyOf(one.object), one]));
  const readings = new Map<string, ServiceProperties>();
  const propertiesIn = (text: string) => getOrInsert(readings, text, () => JSON.parse(text));
  const earlier = before && fleetServicesOf(before);
  const isNew = ({ cluster, namespace, name }: ComparedObject) =>
    before?.unread(cluster, serviceExport) === undefined &&
    earlier !== undefined &&
    earlier.exportOf(cluster, namespace, name) === undefined;
  return ofKind<ExportFact>(kept, serviceExport.name).map(({ object, fact }): Export => {
    const found = services.get(keyOf(object));
    const reason = unread(object.cluster, service, object.namespace);
    const { created, labels, annotations } = fact;
    const constituent = (properties: ServiceProperties): Constituent => {
      const all = { ...properties, labels, annotations };
      return { cluster: object.cluster, created, isNew: isNew(object), properties: all };
    };
    if (found === undefined && reason !== undefined)
      return { object, fact, service: { kind: 'unknown', reason }, constituent: constituent({}) };
    if (found === undefined) return { object, fact, service: { kind: 'missing' }, constituent: undefined };
    const isAlias = found.fact === EXTERNAL_NAME;
    const state: ServiceState = { kind: isAlias ? 'external name' : 'known', object: found.object };
    return { object, fact, service: state, constituent: isAlias ? undefined : constituent(propertiesIn(found.fact)) };
  });
}

/** Returns the facts of one kind. */
function ofKind<Fact, K extends Kind = Dialect>(kept: Kept, name: Kind['name']) {
  return kept.filter(({ object }) => object.dialect.name === name) as readonly unknown[] as readonly ObjectFact<
    Fact,
    K
  >[];
}

const ONE_CLUSTER_SET = [''];

/** Returns a key for an object of one kind. The parts contain no line break. */
function keyOf({ cluster, namespace, name }: Pick<ComparedObject, 'cluster' | 'namespace' | 'name'>): string {
  return `${cluster}\n${namespace}\n${name}`;
}

function exportFact(object: JsonObject): ExportFact {
  return {
    created: createdAt(object),
    isTerminating: isTerminating(object),
    conditions: conditionsOf(object),
    hasStatus: isStatusWritten(object),
    ...exportPropertiesOf(object),
  };
}

/**
 * Whether a controller keeps a ServiceImport for a service of another name, so that it is not what consumers get.
 * Submariner keeps one for each export in its own namespace, and one for each service in that of its broker.
 */
function isAboutOtherService(object: JsonObject): boolean {
  const name = textAt(object, NAME);
  return ['labels', 'annotations'].some((map) => {
    const service = textAt(object, ['metadata', map, SERVICE_NAME]);
    return service !== undefined && service !== name;
  });
}

/** The key by which the Multi-Cluster Services API names the service that an object is about. */
const SERVICE_NAME = 'multicluster.kubernetes.io/service-name';

function importFact(object: JsonObject): ImportFact {
  const spec = specOf(object) ?? {};
  const clusters = listAt(object, ['status', 'clusters']).flatMap((entry) => textAt(entry, ['cluster']) ?? []);
  return {
    type: textAt(spec, ['type']),
    ports: portsOf(spec),
    ...sessionAffinityOf(spec),
    clusters: clusters.length > 0 && !isOfCloudMap(object) ? clusters : undefined,
  };
}

/**
 * Whether the controller of AWS Cloud Map has made a ServiceImport. It writes `status.clusters` once, when it creates
 * the import, and not when other clusters begin or end to export the service.
 */
function isOfCloudMap(object: JsonObject): boolean {
  return textAt(object, ['metadata', 'annotations', 'multicluster.k8s.aws/derived-service']) !== undefined;
}

function conditionsOf(object: JsonObject): readonly Condition[] {
  const conditions = listAt(object, ['status', 'conditions']).filter(isObject);
  if (conditions.length === 0) return NO_CONDITIONS;
  return conditions.map((condition) => {
    const text = (key: string) => textAt(condition, [key]) ?? '';
    return { type: text('type'), status: text('status'), changed: parseTime(text('lastTransitionTime')) };
  });
}

const NO_CONDITIONS: readonly Condition[] = [];
