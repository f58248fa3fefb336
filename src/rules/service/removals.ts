/** What consumers get when an export is taken away. (KEP-1645, "Service Types", the note on headless services) */
import { serviceExport } from '../../api/dialects.ts';
import type { Phrase, Phrases } from '../../base/text.ts';
import { type ComparedClusters, type ComparedObject, MOST_RELATED } from '../rule.ts';
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
import { type Export, type ExportedService, type FleetServices, isDeleted } from './facts.ts';
import { clustersText, consumersNameOf, derivedText, firstOpenPlace, listed, outcomeKey } from './outcomes.ts';

/** An export that is taken away, or that lost its Service or its ClusterSet, while others differ from it. */
interface Removal {
  readonly object: ComparedObject;
  /** The name that consumers use. */
  readonly name: string;
  /** What becomes of what they got: one change, or each that may come, with the exports that lead to it. */
  readonly changes: Phrases;
  /** Whether they get something else whichever export is the oldest. */
  readonly isCertain: boolean;
  /** Exports that are left. */
  readonly others: readonly ComparedObject[];
}

/** Returns the removals that change what consumers get, or may. Where no export is left, there is nothing to get. */
export function removalsOf(
  before: FleetServices,
  now: FleetServices,
  unread: ComparedClusters['unread'],
): readonly Removal[] {
  return before.services.flatMap((service) => {
    const left = now.serviceOf(service.clusterSet, service.namespace, service.name);
    const rest = left?.exports.filter((one) => one.constituent !== undefined && !isDeleted(one, before)) ?? [];
    if (rest.length === 0) return [];
    const isLeft = ({ object: { cluster } }: Export) => rest.some(({ object }) => object.cluster === cluster);
    // An export that can't be read may still be there.
    const gone = service.exports.filter(
      (one) => !isLeft(one) && unread(one.object.cluster, serviceExport) === undefined,
    );
    return gone.flatMap((one) => removalOf(one, service, rest, now) ?? []);
  });
}

/** What one cluster exported before, and what it exports now; undefined: nothing. */
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
  const earlier = service.exports.flatMap((one) => one.constituent ?? []);
  const exports = earlier.map((before): ExportChange => ({ ...before, before, now: left.get(before.cluster) }));
  for (const { cluster } of earlier) left.delete(cluster);
  const added = [...left.values()].map((one): ExportChange => ({ ...one, before: undefined, now: one }));
  const gone = exports.find((one) => one.before === constituent) as ExportChange;
  // Whether it makes a difference depends on its own place.
  const kindOf = (one: ExportChange) => (one === gone ? '' : exportChangeKey(one));
  const all = possibleOrders([...exports, ...added], kindOf).map((order) => changeIn(order, gone));
  const changing = all.filter(({ differing }) => differing.length > 0);
  if (changing.length === 0) return undefined;
  const isCertain = changing.length === all.length;
  const different = [...Map.groupBy(changing, changeKey).values()].toSorted(byType);
  const openAt = !isCertain || different.length > 1 ? firstOpenPlace(all.map(({ order }) => order)) : undefined;
  return {
    // The export may be left, without its Service.
    object: now.exportOf(object.cluster, object.namespace, object.name)?.object ?? object,
    name: consumersNameOf(service),
    changes: listed(
      different.map((same) => changePhrase(same, gone, openAt, kindOf)),
      ', or ',
    ),
    isCertain,
    others: rest.slice(0, MOST_RELATED).map((one) => one.object),
  };
}

function exportChangeKey({ before, now }: ExportChange): string {
  return JSON.stringify([before, now].map((one) => one && constituentKey(one)));
}

interface ServiceChange {
  /** All exports that are there or were, oldest first. */
  readonly order: readonly ExportChange[];
  readonly from: DerivedService;
  readonly to: DerivedService;
  /** In what consumers see them differ; empty if the export that goes makes no difference. */
  readonly differing: readonly GlobalProperty[];
}

/** Compares what consumers had with what they get, and that with what they would get if this export stayed. */
function changeIn(order: readonly ExportChange[], gone: ExportChange): ServiceChange {
  const from = derive(order.flatMap(({ before }) => before ?? []));
  const to = derive(order.flatMap(({ now }) => now ?? []));
  const withIt = derive(order.flatMap((one) => (one === gone ? one.before : one.now) ?? []));
  const differing = differencesForConsumers(from, to);
  const byIt = differencesForConsumers(withIt, to);
  return { order, from, to, differing: differing.some((property) => byIt.includes(property)) ? differing : [] };
}

/** Returns a text that two changes share if the phrases on them are the same. */
function changeKey({ from, to, differing }: ServiceChange): string {
  return JSON.stringify([from, to].map((derived) => outcomeKey(derived, ...differing)));
}

/**
 * @param openAt the first place, from 0 for the oldest, on which it depends whether it comes; undefined: it is the only
 * one, and comes
 */
function changePhrase(
  same: readonly ServiceChange[],
  gone: ExportChange,
  openAt: number | undefined,
  kindOf: (one: ExportChange) => string,
): Phrase {
  const [{ from, to, differing }] = same as [ServiceChange];
  const data = { from: derivedText(from, ...differing), to: derivedText(to, ...differing) };
  if (openAt === undefined) return { phraseId: 'change', data };
  const orders = same.map((change) => change.order);
  const at = (place: number) => clustersText(clustersAt(orders, place, kindOf), ' or ');
  // Of those left, the next one is the oldest.
  const dependsOnNext = orders.every(([oldest, ...rest]) => oldest === gone && rest.length > 1);
  if (dependsOnNext) return { phraseId: 'changeIfNext', data: { ...data, clusters: at(0), next: at(1) } };
  if (openAt === 0) return { phraseId: 'changeIf', data: { ...data, clusters: at(0) } };
  return { phraseId: 'changeIfAfter', data: { ...data, clusters: at(openAt), before: at(openAt - 1) } };
}

/** A change of the type comes first. */
function byType([one]: readonly ServiceChange[], [other]: readonly ServiceChange[]): number {
  const hasType = (change: ServiceChange | undefined) => Number(change?.differing.includes('type'));
  return hasType(other) - hasType(one);
}
