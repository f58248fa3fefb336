/** Finds removals of exports that change what consumers get. (KEP-1645, "Service Types", note on headless services) */
import { serviceExport } from '../../api/dialects.ts';
import type { Phrase, Phrases } from '../../base/text.ts';
import { type ComparedObject, MOST_RELATED } from '../rule.ts';
import {
  type Constituent,
  clustersAt,
  constituentKey,
  type DerivedService,
  derive,
  differencesForConsumers,
  type GlobalProperty,
  possibleOrders,
} from './derivation.ts';
import { constituentsIn, type Export, type ExportedService, type FleetServices, isDeleted } from './fleet-services.ts';
import { clustersText, consumersNameOf, derivedText, firstOpenPlace, listed, outcomeKey } from './outcomes.ts';

/** The removal of an export, its Service or its membership in the ClusterSet, while other exports differ from it. */
interface Removal {
  readonly object: ComparedObject;
  /** The name that consumers use. */
  readonly name: string;
  /** How the service changes for consumers: the one change, or each possible one with the exports that lead to it. */
  readonly changes: Phrases;
  /** Whether the service changes whichever export is the oldest. */
  readonly isCertain: boolean;
  /** The remaining exports. */
  readonly others: readonly ComparedObject[];
}

/** Returns the removals that change, or may change, what consumers get. At least one export has to remain. */
export function removalsOf(before: FleetServices, now: FleetServices): readonly Removal[] {
  return before.services.flatMap((service) => {
    const left = now.serviceOf(service.clusterSet, service.namespace, service.name);
    const rest = left?.exports.filter((one) => one.constituent !== undefined && !isDeleted(one, before)) ?? [];
    if (rest.length === 0) return [];
    const isLeft = ({ object: { cluster } }: Export) => rest.some(({ object }) => object.cluster === cluster);
    // An export that could not be read may still exist.
    const gone = service.exports.filter(
      (one) => !isLeft(one) && now.unread(one.object.cluster, serviceExport) === undefined,
    );
    return gone.flatMap((one) => removalOf(one, service, rest, now) ?? []);
  });
}

/** What one cluster exported before, and what it exports now; undefined for nothing. */
interface ExportChange extends Constituent {
  readonly before: Constituent | undefined;
  readonly now: Constituent | undefined;
}

function removalOf(
  { object, constituent }: Export,
  service: ExportedService,
  rest: readonly Export[],
  now: FleetServices,
): Removal | undefined {
  if (constituent === undefined) return undefined;
  const left = new Map(
    rest.flatMap((one) => (one.constituent ? [[one.object.cluster, one.constituent] as const] : [])),
  );
  const earlier = constituentsIn(service.exports);
  const exports = earlier.map((before): ExportChange => ({ ...before, before, now: left.get(before.cluster) }));
  for (const { cluster } of earlier) left.delete(cluster);
  const added = [...left.values()].map((one): ExportChange => ({ ...one, before: undefined, now: one }));
  const gone = exports.find((one) => one.before === constituent) as ExportChange;
  // Its own place in the order matters, so its key differs from all others.
  const keyOf = (one: ExportChange) => (one === gone ? '' : exportChangeKey(one));
  const all = possibleOrders([...exports, ...added], keyOf).map((order) => changeIn(order, gone));
  const changing = all.filter(({ differing }) => differing.length > 0);
  if (changing.length === 0) return undefined;
  const isCertain = changing.length === all.length;
  const different = [...Map.groupBy(changing, changeKey).values()].toSorted(byType);
  const openAt = !isCertain || different.length > 1 ? firstOpenPlace(all.map(({ order }) => order)) : undefined;
  return {
    // The export itself may remain, if only its Service was removed.
    object: now.exportOf(object.cluster, object.namespace, object.name)?.object ?? object,
    name: consumersNameOf(service),
    changes: listed(different, (same) => changePhrase(same, gone, openAt, keyOf), ', or '),
    isCertain,
    others: rest.slice(0, MOST_RELATED).map((one) => one.object),
  };
}

function exportChangeKey({ before, now }: ExportChange): string {
  return JSON.stringify([before, now].map((one) => one && constituentKey(one)));
}

interface ServiceChange {
  /** All present and former exports, oldest first. */
  readonly order: readonly ExportChange[];
  readonly from: DerivedService;
  readonly to: DerivedService;
  /** The properties that change for consumers; empty if the removed export makes no difference. */
  readonly differing: readonly GlobalProperty[];
}

/** Compares the service before and after the removal, and with the one that consumers would get without it. */
function changeIn(order: readonly ExportChange[], gone: ExportChange): ServiceChange {
  const from = derive(order.flatMap(({ before }) => before ?? []));
  const to = derive(order.flatMap(({ now }) => now ?? []));
  const withIt = derive(order.flatMap((one) => (one === gone ? one.before : one.now) ?? []));
  const differing = differencesForConsumers(from, to);
  const byIt = differencesForConsumers(withIt, to);
  return { order, from, to, differing: differing.some((property) => byIt.includes(property)) ? differing : [] };
}

/** Returns a text that is equal for two changes if their phrases are. */
function changeKey({ from, to, differing }: ServiceChange): string {
  return JSON.stringify([from, to].map((derived) => outcomeKey(derived, ...differing)));
}

/**
 * Returns the phrase for a change.
 * @param same the possible orders that lead to it
 * @param openAt the first place in the order (0 for the oldest) that decides whether the change happens; undefined if
 *   it is certain
 */
function changePhrase(
  same: readonly ServiceChange[],
  gone: ExportChange,
  openAt: number | undefined,
  keyOf: (one: ExportChange) => string,
): Phrase {
  const [{ from, to, differing }] = same as [ServiceChange];
  const data = { from: derivedText(from, ...differing), to: derivedText(to, ...differing) };
  if (openAt === undefined) return { phraseId: 'change', data };
  const orders = same.map((change) => change.order);
  const at = (place: number) => clustersText(clustersAt(orders, place, keyOf), ' or ');
  // After the removal of the oldest, the next one is the oldest.
  const dependsOnNext = orders.every(([oldest, ...rest]) => oldest === gone && rest.length > 1);
  if (dependsOnNext) return { phraseId: 'changeIfNext', data: { ...data, clusters: at(0), next: at(1) } };
  if (openAt === 0) return { phraseId: 'changeIf', data: { ...data, clusters: at(0) } };
  return { phraseId: 'changeIfAfter', data: { ...data, clusters: at(openAt), before: at(openAt - 1) } };
}

/** Sorts changes of the type before others. */
function byType([one]: readonly ServiceChange[], [other]: readonly ServiceChange[]): number {
  const hasType = (change: ServiceChange | undefined) => Number(change?.differing.includes('type'));
  return hasType(other) - hasType(one);
}
