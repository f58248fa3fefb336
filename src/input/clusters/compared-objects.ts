/** Reads from an API server the objects that a run is compared with, and that its files may lack. */
import { claimDialects, placementDecision, serviceExport } from '../../api/dialects.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Unread } from '../../engine/index.ts';
import { referenceOfObject } from '../../engine/review.ts';
import type { Reference } from '../../rules/rule.ts';
import { dialectOfObject, type InputObject, keyOf, referenceOf } from '../objects.ts';
import type { RunView } from '../view.ts';

/**
 * Returns what to compare with the objects of a run: the ids and memberships of each dialect of claims in it, or of all
 * if it exports a Service; and its exports, which other clusters may have too.
 */
export function comparedReferences(objects: readonly InputObject[]): readonly Reference[] {
  const found = new Set(objects.map(({ object }) => dialectOfObject(object)));
  // A claim of any dialect may name the ClusterSet of an export.
  const claims = claimDialects.filter((dialect) => found.has(serviceExport) || found.has(dialect));
  const ofClaims = claims.flatMap((dialect) => {
    const { idNames, membershipName } = dialect.claim;
    return [...idNames, membershipName].map((name) => ({ dialect, name }));
  });
  return [...ofClaims, ...exportsIn(objects)];
}

/** Returns the references to the exports among objects. */
export function exportsIn(objects: readonly InputObject[]): readonly Reference[] {
  return objects.flatMap(({ object }) => {
    const reference = referenceOf(object);
    return reference?.dialect.name === serviceExport.name ? reference : [];
  });
}

/** The objects of a cluster that are compared besides those of the run. */
export interface ReadObjects {
  /** Those of the API server that the run did not change. */
  readonly unchanged: readonly JsonObject[];
  /** Why the slices of a decision may not all be known; undefined if they are. */
  readonly unreadSlices: Unread;
}

/**
 * Reads from a cluster what is compared with the objects of the run, and stores it in the view: the objects of these
 * names, and the slices of the namespaces in which the run has some. A failed read is an error of the cluster.
 * @param evaluated keys of the objects of the run
 */
export async function readCompared(
  view: RunView,
  references: readonly Reference[],
  evaluated: Iterable<string>,
): Promise<ReadObjects> {
  const unchanged: JsonObject[] = [];
  for (const reference of references) {
    if (view.stored(reference) !== undefined) continue;
    const answer = await view.get(reference);
    if (!answer.known || answer.value === undefined) continue;
    const { group, versions, kind } = reference.dialect;
    // The API server may leave out the type of an object that it was asked for by kind.
    const object = { apiVersion: `${group}/${versions.at(-1)}`, kind, ...answer.value };
    view.store(reference, object);
    unchanged.push(object);
  }
  const keys = new Set(evaluated);
  const slices = view.all().filter(({ reference }) => reference.dialect.name === placementDecision.name);
  const unreadSlices = new Map<string, string>();
  for (const namespace of new Set(slices.map(({ reference }) => reference.namespace ?? ''))) {
    const answer = await view.list(placementDecision, namespace);
    if (!answer.known) unreadSlices.set(namespace, answer.reason);
    for (const object of answer.known ? answer.value : [])
      if (!keys.has(keyOf(referenceOfObject(placementDecision, object)))) unchanged.push(object);
  }
  return { unchanged, unreadSlices };
}
