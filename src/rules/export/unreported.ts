import { notInCel } from '../cel/expressions.ts';
import { type Conflict, defineRule } from '../rule.ts';
import { areExportsKnown } from '../service/cluster-set-peers.ts';
import { conflictReasons, conflictsAmong, isFullyKnown, isMetadata } from '../service/derivation.ts';
import {
  compareServices,
  constituentsIn,
  type ExportedService,
  type FleetServices,
  isTrue,
} from '../service/fleet-services.ts';
import { listed, outcomePhrases, textPhrase } from '../service/outcomes.ts';

const CONDITIONS = ['status', 'conditions'];

const comparison = compareServices({ acrossOnly: false, points: ['scan'] }, (fleet) => {
  return fleet.services.flatMap((service) => {
    const reporting = service.exports.filter(({ fact }) => isTrue(fact.conditions, 'Conflict'));
    if (reporting.length === 0) return unreportedIn(service);
    if (!isWithoutConflict(service, fleet)) return [];
    const constituents = constituentsIn(service.exports);
    const messageId = constituents.length < 2 || constituents.every(isFullyKnown) ? 'none' : 'noneKnown';
    return reporting.map(({ object }) => ({ object, problem: { path: CONDITIONS, messageId }, related: [] }));
  });
});

export const rule = defineRule({
  id: 'export/unreported',
  // What the conditions should say follows from the Services of all clusters.
  on: [],
  dialects: ['service-export'],
  meta: {
    summary: 'The condition Conflict of ServiceExports says whether their Services conflict.',
    fix:
      'See whether the controller of your multi-cluster services runs, and whether it reaches all clusters that ' +
      'export the service. Some controllers do not compare every property; the finding names those that differ.',
    level: 'SHOULD',
    basis: 'upstream',
    source: 'multi-cluster services of KEP-1645 #global-properties',
    quote:
      'If any properties have conflicting values that can not simply be merged, a `Conflict` condition with a `true` ' +
      'status will be set on all `ServiceExport`s for the conflicted service with a description of the conflict.',
    needs: ['object', 'cluster'],
    why: 'The conflict is between clusters; scan compares the clusters of one run.',
    messages: {
      unreported:
        'no export of the service has the condition Conflict, but there is one ({{reasons}}); see whether the ' +
        'controller of your multi-cluster services compares these properties',
      none:
        'the condition Conflict is true, but the exported Services agree; see whether the controller of your ' +
        'multi-cluster services still updates the status',
      noneKnown:
        'the condition Conflict is true, but the exported Services agree in all that they say; see whether the ' +
        'controller of your multi-cluster services compares what they leave open, or no longer updates the status',
    },
    phrases: outcomePhrases,
  },
  cel: notInCel.clusters,
  comparison,
});

/**
 * Reports the exports of a service that conflict. Leaves out labels and annotations, which are optional for
 * controllers, and exports without a status, which no controller has seen yet.
 */
function unreportedIn({ exports }: ExportedService): readonly Conflict[] {
  const conflicts = [...conflictsAmong(constituentsIn(exports))].filter(([property]) => !isMetadata(property));
  if (conflicts.length === 0) return [];
  const conflicting = new Set(conflicts.flatMap(([, byValue]) => [...byValue.values()].flat()));
  const reasons = listed(conflicts, ([property]) => textPhrase(conflictReasons[property]));
  const unreported = exports.filter(({ fact, constituent }) => {
    return fact.hasStatus && constituent !== undefined && conflicting.has(constituent);
  });
  return unreported.map(({ object }) => {
    return { object, problem: { path: CONDITIONS, messageId: 'unreported', data: { reasons } }, related: [] };
  });
}

/** Whether the exports certainly have no conflict: all clusters of the ClusterSet and all Services are known. */
function isWithoutConflict({ clusterSet, exports }: ExportedService, fleet: FleetServices): boolean {
  if (!fleet.isComplete || exports.some(({ service }) => service.kind === 'unknown')) return false;
  if (!areExportsKnown(fleet.membersOf(clusterSet), fleet)) return false;
  return conflictsAmong(constituentsIn(exports)).size === 0;
}
