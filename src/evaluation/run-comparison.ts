/**
 * Compares the clusters of a run once all are evaluated: the objects that they store at the end and, for `check`, those
 * that they had before. `check`, suites and `scan` share it. It also notes what was assumed on exported services.
 */
import { type Dialect, type Resource, serviceExport } from '../api/dialects.ts';
import { type JsonObject, textAt } from '../base/json.ts';
import { isBlank } from '../base/syntax.ts';
import { escapeControls, firstOf } from '../base/text.ts';
import { type Comparison, type ComparisonOptions, type ComparisonPart, createComparison } from '../engine/index.ts';
import { rule as exportConflict } from '../rules/export/conflict.ts';
import { type FleetServices, fleetServicesOf } from '../rules/service/fleet-services.ts';
import { isExternalName, isPartlyUnknown } from '../rules/service/service-properties.ts';
import { commitServices, type FoundServices, unknownAmong } from './exported-services.ts';
import { addCompared, type ComparisonResults, type PlacedObject } from './results.ts';

export interface RunComparison {
  /** Begins a part of a cluster's final objects. @param cluster undefined for the only cluster of a run */
  begin(cluster: string | undefined): ComparisonPart<PlacedObject>;
  /** Begins a part of a cluster's objects before the run. */
  beginBefore(cluster: string | undefined): ComparisonPart<PlacedObject>;
  /** Adds the Services of exports. @param exported the names of the exports */
  addServices(cluster: string | undefined, exported: ReadonlySet<string>, found: FoundServices): void;
  /**
   * Registers a callback before the comparison. It is called if any cluster exports something.
   * @param add gets the kinds of the concept `service` of which a cluster has an object
   */
  whenExported(add: (present: ReadonlySet<Resource>) => void): void;
  /** Compares the clusters, adds the findings to the results, and returns what was added. */
  finish(): Compared;
}

/** What the comparison of a run added to it. */
export interface Compared extends ComparisonResults {
  /** Notes on what the comparison of exports assumed or left out. */
  readonly notes: readonly string[];
  /** Returns the services that the clusters export at the end; undefined if nothing was compared. */
  services(): FleetServices | undefined;
}

interface RunComparisonOptions extends Omit<ComparisonOptions, 'isAcross'> {
  /** Whether the services are asked for: then exports are compared also in one cluster, whatever the policy. */
  readonly explains?: boolean | undefined;
}

/** Starts the comparison of a run. */
export function createRunComparison({ explains = false, ...rest }: RunComparisonOptions): RunComparison {
  const options = explains ? { ...rest, policy: undefined } : rest;
  let after: Comparison<PlacedObject> | undefined;
  let before: Comparison<PlacedObject> | undefined;
  const waiting: ((present: ReadonlySet<Resource>) => void)[] = [];
  const present = new Set<Resource>();
  const exports: ExportCounts = { clusters: new Set(), members: new Set(), unknown: 0, partlyUnknown: 0 };
  const create = (cluster: string) =>
    createComparison<PlacedObject>({ ...options, isAcross: explains || cluster !== '' });
  const begin = (cluster = ''): ComparisonPart<PlacedObject> => {
    after ??= create(cluster);
    const { add, commit } = after.begin(cluster);
    return {
      commit,
      add(kind, object, handle) {
        add(kind, object, handle);
        if (kind.concept === undefined) return;
        if (kind.concept === 'service') present.add(kind);
        if (kind === serviceExport) exports.clusters.add(cluster);
        if (isMembership(kind, object)) exports.members.add(cluster);
      },
    };
  };
  return {
    begin,
    beginBefore(cluster = '') {
      before ??= create(cluster);
      return before.begin(cluster);
    },
    addServices(cluster = '', exported, found) {
      commitServices(begin(cluster), found);
      const unknown = unknownAmong(exported, found);
      const [one] = unknown;
      exports.unknown += unknown.length;
      if (one) exports.oneUnknown ??= escapeControls(`${cluster && `${cluster}: `}${one.namespace}/${one.name}`);
      for (const { object } of found.services.values())
        if (!isExternalName(object) && isPartlyUnknown(object)) exports.partlyUnknown += 1;
    },
    whenExported: (add) => void waiting.push(add),
    finish() {
      if (exports.clusters.size > 0) for (const add of waiting.splice(0)) add(present);
      const added = after ? addCompared(after, before) : { entries: [], errors: [] };
      return { ...added, notes: exportNotes(exports), services: () => after && servicesIn(after, before) };
    },
  };
}

/** Whether the object is a claim that names the ClusterSet of its cluster. */
function isMembership({ claim }: Dialect, object: JsonObject): boolean {
  if (claim === undefined || textAt(object, ['metadata', 'name']) !== claim.membershipName) return false;
  return !isBlank(textAt(object, ['spec', 'value']) ?? '');
}

/** Returns the services of a comparison. @param before the comparison of the state before the run */
function servicesIn(comparison: Comparison<PlacedObject>, before: Comparison<PlacedObject> | undefined): FleetServices {
  const factsOf = (one: Comparison<PlacedObject>) => {
    const { clusters, keptFor } = one.facts();
    return { ...clusters, kept: keptFor(exportConflict) as Parameters<typeof fleetServicesOf>[0]['kept'] };
  };
  return fleetServicesOf({ ...factsOf(comparison), before: before && factsOf(before) });
}

/** What a run knows, and does not know, of the exports of its clusters. */
interface ExportCounts {
  /** The clusters that export something. */
  readonly clusters: Set<string>;
  /** The clusters of which a claim names the ClusterSet. */
  readonly members: Set<string>;
  /** The number of exports whose Services are not known. */
  unknown: number;
  /** One of these exports. */
  oneUnknown?: string | undefined;
  /** The number of Services with a property that can't be read. */
  partlyUnknown: number;
}

/** The most clusters that a note names. */
const MOST_NAMED = 3;

/** Returns a note if more than one cluster exports something, and the ClusterSet of one is not known. */
function clusterSetNotes({ clusters, members }: ExportCounts): string[] {
  if (clusters.size < 2) return [];
  if (members.size === 0)
    return [
      'note: no claim names the ClusterSet of a cluster, so all clusters of the run are treated as members of one',
    ];
  const others = [...clusters].filter((cluster) => !members.has(cluster)).sort();
  if (others.length === 0) return [];
  const named = firstOf(others.map(escapeControls), MOST_NAMED);
  const theyExport = others.length === 1 ? 'it exports' : 'they export';
  return [`note: no claim names the ClusterSet of ${named}, so what ${theyExport} is compared with no other cluster`];
}

function exportNotes(counts: ExportCounts): readonly string[] {
  const { unknown, oneUnknown, partlyUnknown } = counts;
  const notes: string[] = clusterSetNotes(counts);
  const exports =
    unknown === 1 ? `1 ServiceExport (${oneUnknown}) is` : `${unknown} ServiceExports (such as ${oneUnknown}) are`;
  const services = unknown === 1 ? 'its Service is' : 'their Services are';
  if (unknown > 0) notes.push(`note: ${exports} not compared, since ${services} not known in this run`);
  if (partlyUnknown > 0) {
    const some = partlyUnknown === 1 ? '1 Service has' : `${partlyUnknown} Services have`;
    notes.push(`note: ${some} a property that can't be read, and that is not compared: its type is wrong`);
  }
  return notes;
}
