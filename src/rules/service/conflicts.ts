/** Reports the conflicts among the exports of a service, on each export. */

import { getOrInsert } from '../../base/collections.ts';
import type { Path } from '../../base/json.ts';
import { Phrases } from '../../base/text.ts';
import { type Conflict, MOST_RELATED } from '../rule.ts';
import {
  type Constituent,
  clustersIn,
  conflictReasons,
  conflictsAmong,
  type GlobalProperty,
  isMetadata,
  valueKey,
} from './derivation.ts';
import {
  compareServices,
  constituentsIn,
  type Export,
  type ExportedService,
  type FleetServices,
} from './fleet-services.ts';
import { clustersText, listed, outcomesOf, textPhrase, valueText } from './outcomes.ts';

/** The path of each property: in the Service; for labels and annotations, in the export. */
const PATHS: Readonly<Record<GlobalProperty, Path>> = {
  type: ['spec', 'clusterIP'],
  ports: ['spec', 'ports'],
  sessionAffinity: ['spec', 'sessionAffinity'],
  timeoutSeconds: ['spec', 'sessionAffinityConfig', 'clientIP', 'timeoutSeconds'],
  internalTrafficPolicy: ['spec', 'internalTrafficPolicy'],
  trafficDistribution: ['spec', 'trafficDistribution'],
  ipFamilies: ['spec', 'ipFamilies'],
  labels: ['spec', 'exportedLabels'],
  annotations: ['spec', 'exportedAnnotations'],
};

/** Returns a comparison that reports the conflicts on the wanted properties, one finding for each on each export. */
export function compareExports(isWanted: (property: GlobalProperty) => boolean) {
  return compareServices({ acrossOnly: true, ratchets: false }, (fleet, before) =>
    fleet.services.flatMap((service) => conflictsOf(service, isWanted, fleet, before)),
  );
}

function conflictsOf(
  service: ExportedService,
  isWanted: (property: GlobalProperty) => boolean,
  fleet: FleetServices,
  before: FleetServices | undefined,
): readonly Conflict[] {
  if (service.exports.length < 2) return [];
  const constituents = constituentsIn(service.exports);
  const conflicts = [...conflictsAmong(constituents)].filter(([property]) => isWanted(property));
  if (conflicts.length === 0) return [];
  const exports = new Map(service.exports.map((one) => [one.constituent, one]));
  return conflicts.flatMap(([property, byValue]) => {
    const earlierSetsOf = earlierConflicts(service, property, before);
    const outcomes = outcomesOf(service, constituents, property);
    const named = new Phrases([{ phraseId: 'inClusterSet', data: { clusterSet: service.clusterSet, outcomes } }]);
    return [...byValue].flatMap(([value, same]) => {
      const others = [...byValue].filter(([other]) => other !== value).map(([, those]) => those);
      return same.flatMap((one) => {
        const earlier = earlierSetsOf(one);
        const isNew = (another: Constituent) => !earlierSetsOf(another).some((set) => earlier.includes(set));
        const conflicting = earlier.length > 0 ? others.map((those) => those.filter(isNew)) : others;
        const shown = conflicting.filter((those) => those.length > 0);
        if (shown.length === 0) return [];
        // A cluster of several ClusterSets has a finding for each.
        const isOfSeveral = fleet.clusterSetsOf(one.cluster).length > 1;
        return [conflictOf({ property, one, others: shown, exports, outcomes: isOfSeveral ? named : outcomes })];
      });
    });
  });
}

/**
 * Returns the ClusterSets of a constituent that had this conflict before the run, while the constituent had the value
 * that it has now. Two constituents with one in common had the conflict with each other.
 */
function earlierConflicts(
  { namespace, name }: ExportedService,
  property: GlobalProperty,
  before: FleetServices | undefined,
): (one: Constituent) => readonly string[] {
  if (before === undefined) return () => [];
  const conflicting = new Map<string, boolean>();
  const hadConflict = (clusterSet: string) =>
    getOrInsert(conflicting, clusterSet, () => {
      const service = before.serviceOf(clusterSet, namespace, name);
      return service !== undefined && conflictsAmong(constituentsIn(service.exports)).has(property);
    });
  const found = new Map<Constituent, readonly string[]>();
  return (one) =>
    getOrInsert(found, one, () => {
      const earlier = before.exportOf(one.cluster, namespace, name)?.constituent;
      if (earlier === undefined || valueKey(earlier, property) !== valueKey(one, property)) return [];
      return before.clusterSetsOf(one.cluster).filter(hadConflict);
    });
}

interface PropertyDifference {
  readonly property: GlobalProperty;
  readonly one: Constituent;
  /** The constituents with another value, grouped by value. */
  readonly others: readonly (readonly Constituent[])[];
  readonly exports: ReadonlyMap<Constituent | undefined, Export>;
  readonly outcomes: Phrases;
}

function conflictOf({ property, one, others, exports, outcomes }: PropertyDifference): Conflict {
  const path = PATHS[property];
  const isOfExport = isMetadata(property);
  const placeOf = (constituent: Constituent) => {
    const { object, service } = exports.get(constituent) as Export;
    return !isOfExport && 'object' in service ? service.object : object;
  };
  const textOf = (constituent: Constituent) =>
    isOfExport ? keysText(one, constituent, property) : valueText(constituent, property);
  const differing = listed(others, (those) => {
    const clusters = clustersText(clustersIn(those));
    return { phraseId: 'others', data: { value: textOf(those[0] as Constituent), clusters } };
  });
  const { object } = exports.get(one) as Export;
  // One constituent of each value first, then the others.
  const inTurn = others.flatMap(([first]) => first ?? []).concat(others.flatMap(([, ...rest]) => rest));
  const own = isOfExport ? undefined : valueText(one, property);
  const data = { reason: conflictReasons[property], value: own, others: differing, outcomes };
  return {
    object,
    problem: { path, messageId: isOfExport ? 'keys' : 'differs', data },
    in: isOfExport ? undefined : placeOf(one),
    related: inTurn.slice(0, MOST_RELATED).map((constituent) => {
      return { object: placeOf(constituent), path, messageId: 'other', data: { value: textOf(constituent) } };
    }),
  };
}

/** Returns the keys of labels or annotations in which two exports differ. Values are not shown in reports. */
function keysText(one: Constituent, other: Constituent, property: GlobalProperty): Phrases {
  const entriesOf = (constituent: Constituent) =>
    new Map<string, unknown>(JSON.parse(valueKey(constituent, property) ?? '[]'));
  const own = entriesOf(one);
  const theirs = entriesOf(other);
  const keys = [...new Set([...own.keys(), ...theirs.keys()])].filter((key) => {
    return JSON.stringify(own.get(key)) !== JSON.stringify(theirs.get(key));
  });
  return new Phrases([{ phraseId: 'otherKeys', data: { keys: listed(keys.sort(), textPhrase) } }]);
}
