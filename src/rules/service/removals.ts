/** What consumers get when an export is taken away. (KEP-1645, "Service Types", the note on headless services) */
import { serviceExport } from '../../api/dialects.ts';
import type { Phrases } from '../../base/text.ts';
import type { ComparedClusters, StoredObject } from '../rule.ts';
import {
  type Constituent,
  type DerivedService,
  derive,
  differencesForConsumers,
  type GlobalProperty,
  possibleOrders,
} from './derivation.ts';
import type { Export, ExportedService, FleetServices } from './facts.ts';
import { consumersNameOf, gotOf } from './outcomes.ts';

/** An export that is taken away, or that lost its Service or its ClusterSet, while others differ from it. */
interface Removal {
  readonly of: StoredObject;
  /** The name that consumers use. */
  readonly name: string;
  /** What they get with the export and without it. */
  readonly from: Phrases;
  readonly to: Phrases;
  /** Whether they get something else whichever export is the oldest. */
  readonly isCertain: boolean;
  /** Exports that are left. */
  readonly others: readonly StoredObject[];
}

/** The most exports that are left that a finding lists. */
const MOST_RELATED = 8;

/** Returns the removals that change what consumers get, or may. Where no export is left, there is nothing to get. */
export function removalsOf(
  before: FleetServices,
  now: FleetServices,
  unread: ComparedClusters['unread'],
): readonly Removal[] {
  return before.services.flatMap((service) => {
    const left = now.serviceOf(service.clusterSet, service.namespace, service.name);
    const rest = left?.exports.filter(({ constituent }) => constituent !== undefined) ?? [];
    if (rest.length === 0) return [];
    const isLeft = ({ of: { cluster } }: Export) => rest.some(({ of }) => of.cluster === cluster);
    // An export that can't be read may still be there.
    const gone = service.exports.filter((one) => !isLeft(one) && unread(one.of.cluster, serviceExport) === undefined);
    return gone.flatMap((one) => removalOf(one, service, rest, now) ?? []);
  });
}

function removalOf(
  { of, constituent }: Export,
  service: ExportedService,
  rest: readonly Export[],
  now: FleetServices,
): Removal | undefined {
  if (constituent === undefined) return undefined;
  const others = rest.flatMap((one) => one.constituent ?? []);
  const changes = possibleOrders([...others, constituent], constituent).map((order) => changeIn(order, constituent));
  const change = changes.find(({ differing }) => differing.length > 0);
  if (change === undefined) return undefined;
  return {
    // The export may be left, without its Service.
    of: now.exportOf(of.cluster, of.namespace, of.name)?.of ?? of,
    name: consumersNameOf(service),
    from: gotOf(change.from, ...change.differing),
    to: gotOf(change.to, ...change.differing),
    isCertain: changes.every(({ differing }) => differing.length > 0),
    others: rest.slice(0, MOST_RELATED).map((one) => one.of),
  };
}

interface Change {
  readonly from: DerivedService;
  readonly to: DerivedService;
  /** In what consumers see them differ. */
  readonly differing: readonly GlobalProperty[];
}

function changeIn(order: readonly Constituent[], gone: Constituent): Change {
  const from = derive(order);
  const to = derive(order.filter((one) => one !== gone));
  return { from, to, differing: differencesForConsumers(from, to) };
}
