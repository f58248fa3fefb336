/**
 * Explains one service for `check --explain-service`: what each cluster exports, where the exports conflict, and what
 * consumers get in each possible order of precedence.
 */
import { didYouMean } from '../../base/suggest.ts';
import { safeText } from '../../base/text.ts';
import { UsageError } from '../../base/usage-error.ts';
import type { Note } from '../../report/report.ts';
import {
  type Constituent,
  clustersAt,
  clustersIn,
  conflictReasons,
  conflictsAmong,
  type DerivedService,
  derive,
  type GlobalProperty,
  globalProperties,
  possibleOrders,
} from '../../rules/service/derivation.ts';
import type { Export, ExportedService, FleetServices, ServiceState } from '../../rules/service/fleet-services.ts';
import { consumersNameOf, outcomeKey } from '../../rules/service/outcomes.ts';
import type { ServiceProperties } from '../../rules/service/service-properties.ts';

/** The namespace and name of a service. */
export interface ServiceName {
  readonly namespace: string;
  readonly name: string;
}

/** A service of one ClusterSet. Of exported labels and annotations it has the keys, of others nothing. */
export interface ExplainedService extends ServiceName {
  /** Absent if no claim names the ClusterSet of a cluster: then all clusters of the run count as one ClusterSet. */
  readonly clusterSet?: string;
  /** The name by which consumers reach it. */
  readonly consumersName: string;
  readonly exports: readonly ExplainedExport[];
  readonly conflicts: readonly ExplainedConflict[];
  /** Each possible import. There are several if the exports do not tell which of them is the oldest. */
  readonly outcomes: readonly ServiceOutcome[];
}

/** The keys of exported labels and annotations. Reports leave their values out. */
interface ExportedKeys {
  readonly exportedLabels?: readonly string[] | undefined;
  readonly exportedAnnotations?: readonly string[] | undefined;
}

export interface ExplainedExport extends ServiceProperties, ExportedKeys {
  /** Empty in a run of one cluster. */
  readonly cluster: string;
  /**
   * The state of the Service. Consumers get something only of a `ready` one, or of the known parts of an `unknown` one.
   */
  readonly service: 'ready' | 'missing' | 'external name' | 'unknown';
  /** Why the Service is unknown. */
  readonly reason?: string;
  /** When the export was created; absent if it does not say so, as in a file. */
  readonly created?: string;
}

export interface ExplainedConflict {
  /** The reason as in the condition `Conflict`. */
  readonly reason: string;
  readonly property: GlobalProperty;
  /** For each value, the clusters that have it. */
  readonly clusters: readonly (readonly string[])[];
}

/** What consumers get. */
export interface ServiceOutcome extends Omit<DerivedService, 'order'>, ExportedKeys {
  /** The clusters of the exports, the oldest first; one order that leads to this outcome. */
  readonly order: readonly string[];
  /** The clusters whose export, if it is the oldest, may lead to this outcome. */
  readonly oldest: readonly string[];
}

/** Reads the value of the flag. @throws UsageError */
export function serviceNameIn(text: string): ServiceName {
  const [namespace = '', name = '', ...rest] = text.split('/');
  if (namespace !== '' && name !== '' && rest.length === 0) return { namespace, name };
  throw new UsageError(`--explain-service ${text}: expected NAMESPACE/NAME of a Service, such as shop/web`);
}

const NOTHING = { services: [], exports: [] };

/**
 * Explains a service of a run.
 * @param notes those of the run: a part of the input that was not evaluated may export it
 * @throws UsageError if no cluster exports it
 */
export function explainService(
  { namespace, name }: ServiceName,
  fleet: Pick<FleetServices, 'services' | 'exports'> = NOTHING,
  notes: readonly Note[] = [],
): readonly ExplainedService[] {
  const services = fleet.services.filter((one) => one.namespace === namespace && one.name === name);
  if (services.length > 0) return services.map(explain);
  const wanted = `${namespace}/${name}`;
  const isOutside = fleet.exports.some(({ object }) => object.namespace === namespace && object.name === name);
  if (isOutside) {
    const fix = 'name the ClusterSet by a membership claim in those clusters too';
    throw new UsageError(`${wanted} is exported only by clusters that are in no ClusterSet: ${fix}`);
  }
  const known = [...new Set(fleet.exports.map(({ object }) => `${object.namespace}/${object.name}`))];
  const near = didYouMean(wanted, known) || (known.length === 0 ? '' : `; exported are ${listOf(known)}`);
  const part = notes.find(({ unevaluated }) => unevaluated);
  const left = part ? `; ${part.file} is ${part.message}` : '';
  throw new UsageError(`no cluster of the run has a ServiceExport ${wanted}${near}${left}`);
}

/** Returns a note on clusters that export the service too, but in no ClusterSet, so that no table shows them. */
export function noClusterSetNotes(
  { namespace, name }: ServiceName,
  services: readonly ExplainedService[],
  { exports }: Pick<FleetServices, 'exports'> = NOTHING,
): readonly string[] {
  const shown = new Set(services.flatMap((service) => service.exports.map(({ cluster }) => cluster)));
  const all = exports.filter(({ object }) => object.namespace === namespace && object.name === name);
  const outside = all.flatMap(({ object }) => (shown.has(object.cluster) ? [] : object.cluster));
  if (outside.length === 0) return [];
  const [verb, are] = outside.length === 1 ? ['exports', 'it is'] : ['export', 'they are'];
  const fix = 'name it by a membership claim';
  return [`note: ${listOf(outside)} ${verb} ${namespace}/${name} too, but ${are} in no ClusterSet: ${fix}`];
}

/** The most services or clusters that a message lists. */
const MOST_LISTED = 5;

function listOf(names: readonly string[]): string {
  const first = names.slice(0, MOST_LISTED).map((one) => safeText(one, 64));
  const more = names.length - first.length;
  return more > 0 ? `${first.join(', ')} and ${more} more` : first.join(', ');
}

function explain(service: ExportedService): ExplainedService {
  const { clusterSet, namespace, name, exports } = service;
  const constituents = exports.flatMap(({ constituent }) => constituent ?? []);
  const conflicts = [...conflictsAmong(constituents)].map(([property, byValue]): ExplainedConflict => {
    const clusters = [...byValue.values()].map((same) => same.map(({ cluster }) => cluster));
    return { reason: conflictReasons[property], property, clusters };
  });
  return {
    namespace,
    name,
    ...(clusterSet !== '' && { clusterSet }),
    consumersName: consumersNameOf(service),
    exports: exports.map(explainExport),
    conflicts,
    outcomes: constituents.length === 0 ? [] : outcomesAmong(constituents),
  };
}

const STATES: Readonly<Record<ServiceState['kind'], ExplainedExport['service']>> = {
  known: 'ready',
  'external name': 'external name',
  missing: 'missing',
  unknown: 'unknown',
};

function explainExport({ object: { cluster }, service, constituent, fact }: Export): ExplainedExport {
  const { labels, annotations, ...properties } = constituent?.properties ?? {};
  return {
    cluster,
    service: STATES[service.kind],
    ...('reason' in service && { reason: service.reason }),
    ...(fact.created !== undefined && { created: new Date(fact.created).toISOString().replace('.000', '') }),
    ...properties,
    ...keysOf(labels, annotations),
  };
}

/** Returns the keys of exported labels and annotations, which are maps as text. */
function keysOf(labels: string | undefined, annotations: string | undefined): ExportedKeys {
  const keysIn = (text: string | undefined) => {
    const entries = JSON.parse(text ?? '[]') as readonly (readonly [string, unknown])[];
    return entries.length === 0 ? undefined : entries.map(([key]) => key);
  };
  return { exportedLabels: keysIn(labels), exportedAnnotations: keysIn(annotations) };
}

/** Returns the outcomes that differ, each with the exports that lead to it if they are the oldest. */
function outcomesAmong(constituents: readonly Constituent[]): readonly ServiceOutcome[] {
  const derived = possibleOrders(constituents).map(derive);
  const keyOf = (one: DerivedService) => outcomeKey(one, ...globalProperties);
  return [...Map.groupBy(derived, keyOf).values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const { order, ...rest } = first;
    const { labels, annotations } = order[0]?.properties ?? {};
    const orders = same.map((derived) => derived.order);
    return [
      {
        order: clustersIn(order),
        oldest: clustersAt(orders, 0),
        ...rest,
        ...keysOf(labels, annotations),
      },
    ];
  });
}
